# SPDX-License-Identifier: GPL-3.0-or-later
"""A test of ReFrame (4.0 or later): an argument file of affinity on a node that no other job uses, and its costs.

    reframe -c scripts/packaging/reframe -r
    reframe -c ... -S args_file=/path/to/mine.args -S program=/opt/affinity/bin/affinity -r

The costs are performance variables, OPERATION_THREAD in seconds, for the references of your site.
"""
import json
import os

import reframe as rfm
import reframe.utility.sanity as sn


@rfm.simple_test
class AffinityCheck(rfm.RunOnlyRegressionTest):
    """Costs of memory by the places of threads and data."""

    program = variable(str, value="affinity")
    args_file = variable(str, value="")

    descr = "costs of memory by the places of threads and data"
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    sourcesdir = None
    num_tasks = 1
    num_tasks_per_node = 1
    exclusive_access = True
    time_limit = "10m"

    @run_before("run")
    def name_the_work(self):
        self.executable = self.program
        installed = "$(dirname $(command -v %s))/../share/affinity/args" % self.program
        file = self.args_file or installed + "/quickstart/1_one_thread.args"
        self.executable_opts = ["--quiet", "--set", "quick=yes", "--json", "result.json", file, "report.txt"]

    # affinity binds its threads itself
    @run_before("run")
    def leave_threads_alone(self):
        if self.current_partition.launcher_type.registered_name == "srun":
            self.job.launcher.options += ["--cpu-bind=none"]

    def operations(self):
        with open(os.path.join(self.stagedir, "result.json")) as document:
            runs = json.load(document)["runs"]
        return [(run.get("label", ""), operation) for run in runs for operation in run["operations"]]

    # Where other programs took the CPU nothing is known, and no reference should be compared.
    @sanity_function
    def is_whole_and_undisturbed(self):
        found = self.operations()
        disturbed = [o["operation"] for _, o in found if o["samples"]["measure_again"]]
        return sn.all([
            sn.assert_true(found, "nothing was measured"),
            sn.assert_false(disturbed, "disturbed, measure again: %s" % ", ".join(disturbed)),
        ])

    @run_before("performance")
    def take_costs(self):
        self.perf_variables = {}
        for label, operation in self.operations():
            for thread in operation["threads"]:
                name = "_".join(filter(None, [label, operation["operation"], str(thread["thread"])]))
                cost = sn.defer(thread["figures"]["cost_s"])
                self.perf_variables[name] = sn.make_performance_function(cost, "s")
