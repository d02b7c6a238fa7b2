/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a plan from bytes, as main.c does, and checks what must hold of the outcome. */
#include "pipeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "measure/experiment.h"
#include "report/report.h"
#include "analysis/view.h"

/* Planning ten thousand runs of a sweep repeats one plan ten thousand times and is not worth the
 * time. */
#define MAX_RUNS 20

/* A list of V*65535 or 0-65535 is read like V*3, but takes a second under the sanitizers. */
#define MAX_COUNT 100

#define REQUIRE(condition) \
	((condition) ? (void)0 : give_up(__FILE__, __LINE__, "not true: " #condition))

static void give_up(const char *file, int line, const char *what)
{
	fprintf(stderr, "%s:%d: %s\n", file, line, what);
	abort();
}

/* A thread is on a CPU that exists and is allowed, alone unless the file allows sharing; a thread
 * that shall not be bound has no CPU. */
static void check_threads(const struct plan *p)
{
	int *taken = alloc_zeroed((size_t)p->topo->ncpu_index + 1, sizeof(*taken));

	REQUIRE(p->nthreads > 0);
	for (int i = 0; i < p->nthreads; i++) {
		const struct plan_thread *t = &p->threads[i];
		const struct topo_cpu *cpu = topo_cpu(p->topo, t->cpu);

		if (p->mapping.method && !strcmp(p->mapping.method, "os")) {
			REQUIRE(t->cpu == UNBOUND && t->core == UNBOUND && t->node == UNBOUND);
		} else {
			REQUIRE(cpu && cpu->allowed);
			REQUIRE(cpu->core == t->core && cpu->node == t->node);
			REQUIRE(++taken[t->cpu] == 1 || p->request->oversubscribe);
		}
		for (int k = 0; k < t->nvectors; k++) {
			REQUIRE(t->vector_ids[k] >= 0 && t->vector_ids[k] < p->nvectors);
			REQUIRE(t->vectors[k].elements > 0);
		}
	}
	free(taken);
}

/* A vector has a size, and a policy names only nodes that have memory for it. */
static void check_vectors(const struct plan *p)
{
	for (int i = 0; i < p->nvectors; i++) {
		const struct plan_vector *v = &p->vectors[i];
		int nodes = 0;

		REQUIRE(v->elements > 0 && v->bytes / v->elements == element_bytes(v->type));
		REQUIRE(v->asked && *v->asked);
		REQUIRE(v->toucher >= -1 && v->toucher < p->nthreads);
		REQUIRE((v->toucher >= 0) == (v->init == INIT_OWNER || v->init == INIT_THREAD));
		for (int n = 0; n < MEM_MAX_NODES; n++) {
			const struct topo_node *node = v->nodes[n] ? topo_node(p->topo, n) : NULL;

			REQUIRE(!v->nodes[n] || (node && node->allowed && node->bytes));
			nodes += v->nodes[n];
		}
		REQUIRE((v->policy == MEM_LOCAL) == (nodes == 0));
		REQUIRE((v->node >= 0) == (v->policy == MEM_BIND || v->policy == MEM_PREFERRED));
	}
}

static void check_ops(const struct plan *p)
{
	REQUIRE(p->nops > 0);
	for (int o = 0; o < p->nops; o++)
		for (int i = 0; i < p->nthreads; i++) {
			const struct plan_job *job = &p->ops[o].jobs[i];

			REQUIRE(job->kernel && job->name && job->args);
			REQUIRE(job->common.passes > 0);
			REQUIRE(p->threads[i].nvectors >= job->kernel->min_vectors);
		}
	for (int i = 0; i < p->nspeedups; i++) {
		REQUIRE(p->speedups[i].over >= 0 && p->speedups[i].over < p->nops);
		REQUIRE(p->speedups[i].under >= 0 && p->speedups[i].under < p->nops);
	}
}

/* Every refusal has a message, and every message fits the exit codes of a plan. */
static void check_messages(const struct errors *e)
{
	enum status status = errors_status(e);

	REQUIRE(!e->failures || status == STATUS_USAGE || status == STATUS_PLACEMENT);
	for (size_t i = 0; i < e->count; i++) {
		REQUIRE(e->list[i].text && !strchr(e->list[i].text, '\n'));
		REQUIRE(!e->list[i].hint || !strchr(e->list[i].hint, '\n'));
	}
}

static void check_run(const struct run *t)
{
	REQUIRE(!t->errors.failures == !t->skipped);
	check_messages(&t->errors);
	if (t->skipped)
		return;
	check_threads(&t->plan);
	check_vectors(&t->plan);
	check_ops(&t->plan);
}

static void plan(const struct args *a, const struct topo *t, FILE *out, struct errors *e)
{
	struct experiment x;
	struct views views = {0};
	struct claims claims = {0};
	int failed = experiment_plan(&x, a, t, e);

	if (!failed)
		failed = views_read(&views, &x, e);
	if (!failed)
		failed = claims_read(&claims, &x, e);
	REQUIRE(!failed || e->failures);
	for (size_t i = 0; i < x.nruns; i++)
		check_run(&x.runs[i]);
	if (!e->failures)
		report_plan(&x, &claims, false, out);
	claims_free(&claims);
	views_free(&views);
	experiment_free(&x);
}

static bool has_long_list(const char *text)
{
	for (const char *c = strpbrk(text, "*-"); c; c = strpbrk(c + 1, "*-")) {
		unsigned long long count = strtoull(c + 1, NULL, 10);

		if (count > MAX_COUNT && count <= UINT16_MAX + 1)
			return true;
	}
	return false;
}

static bool has_many_runs(const struct args *a, const struct topo *t)
{
	struct errors e = {0};
	struct request_file file;
	struct sweep sweep;

	request_read_file(&file, a, &e);
	bool many = !sweep_read(&sweep, &file, t, &e) && sweep.count > MAX_RUNS;
	sweep_free(&sweep);
	request_file_free(&file);
	errors_free(&e);
	return many;
}

void pipeline(const uint8_t *data, size_t size, const struct topo *t)
{
	static FILE *nowhere;
	struct errors e = {0};
	struct args args = {0};

	if (!nowhere)
		nowhere = fopen("/dev/null", "w");
	REQUIRE(nowhere);
	args_parse(&args, "t.args", (const char *)data, size, &e);
	REQUIRE(args.from_file || e.failures);
	if (args.from_file && !has_long_list(args.text) && !has_many_runs(&args, t))
		plan(&args, t, nowhere, &e);
	errors_sort(&e);
	check_messages(&e);
	errors_print(&e, 0, nowhere);
	args_free(&args);
	errors_free(&e);
}

int pipeline_machine(struct topo *t, const char *machine)
{
	struct errors e = {0};
	size_t length = strlen(machine);
	bool file = length > 4 && !strcmp(machine + length - 4, ".xml");
	char *value = alloc_format("%s%s", file ? "tests/topologies/" : "", machine);

	setenv(file ? "HWLOC_XMLFILE" : "HWLOC_SYNTHETIC", value, 1);
	unsetenv(file ? "HWLOC_SYNTHETIC" : "HWLOC_XMLFILE");
	int failed = topo_load(t, &e);
	if (failed)
		topo_free(t);
	errors_free(&e);
	free(value);
	return failed;
}
