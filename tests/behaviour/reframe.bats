#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The test class for ReFrame: run by ReFrame itself where it is installed; otherwise its own lines, by a stand-in.

bats_require_minimum_version 1.5.0
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
	skip_obstacle
	check=$root/scripts/packaging/reframe
	printf '%s\n' 'kernels: read write' 'nodePerThread: first' 'nodePerVector: first' 'sizePerVector: 64KiB' \
		'vectorPerThread: 0' 'samples: 3' >small.args
}

@test "ReFrame runs affinity and takes its costs" {
	command -v reframe >/dev/null || skip "ReFrame is not installed"
	reframe -c "$check" -S "program=$AFFINITY" -S "args_file=$PWD/small.args" --prefix "$PWD/out" -r --performance-report >told || { cat told; false; }
	grep -q 'read_0' told || grep -q 'disturbed, measure again' told # the machine may be busy
}

# What ReFrame gives to a class, as far as this one uses it.
stand_in() {
	mkdir -p reframe/utility
	touch reframe/utility/__init__.py
	cat >reframe/__init__.py <<-'END'
		class Names(type):
		    @classmethod
		    def __prepare__(cls, name, bases):
		        return {"variable": lambda kind, value: value, "run_before": lambda phase: lambda f: f, "sanity_function": lambda f: f}
		class RunOnlyRegressionTest(metaclass=Names):
		    pass
		def simple_test(c):
		    return c
	END
	cat >reframe/utility/sanity.py <<-'END'
		all_of = all
		def assert_true(x, message): assert x, message; return True
		def assert_false(x, message): assert not x, message; return True
		def all(x): return all_of(x)
		def defer(x): return x
		def make_performance_function(x, unit): return x, unit
	END
}

@test "the class for ReFrame runs affinity and finds its costs (by a stand-in for ReFrame)" {
	of_sources
	stand_in
	PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$PWD:$check /usr/bin/python3 - "$AFFINITY" small.args <<-'END'
		import json, subprocess, sys
		from affinity_check import AffinityCheck
		test = AffinityCheck()
		test.program, test.args_file, test.stagedir = sys.argv[1], sys.argv[2], "."
		test.name_the_work()
		subprocess.run([test.executable] + test.executable_opts, check=True)
		document = json.load(open("result.json"))
		for again in (True, False):
		    document["runs"][0]["operations"][0]["samples"]["measure_again"] = again
		    document["runs"][0]["operations"][1]["samples"]["measure_again"] = False
		    json.dump(document, open("result.json", "w"))
		    try:
		        assert test.is_whole_and_undisturbed() and not again
		    except AssertionError as error:
		        assert again and str(error) == "disturbed, measure again: read", error
		test.take_costs()
		assert sorted(test.perf_variables) == ["read_0", "write_0"], test.perf_variables
		assert all(cost > 0 and unit == "s" for cost, unit in test.perf_variables.values())
	END
}
