/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives every thread a CPU: by node, core, kind of cores or number, never two on one unless asked.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/list.h"
#include "input/kinds.h"
#include "plan/parts.h"

/* The work in progress: how many threads each CPU of the topology has so far. */
struct seats {
	struct plan *plan;
	const struct names *names;
	struct words list; /* the key's values, written out */
	const char *key;
	int *taken; /* [ncpus], parallel to topo->cpus */
	int *busy;  /* [ncores]: how many threads the CPUs of a core have together */
};

typedef bool matcher(const struct topo_cpu *cpu, int number);

/* The CPUs that a word of the list allows. */
struct choice {
	matcher *matches;
	const char *what; /* "node" */
	int number;
	const char *name; /* of a kind; NULL: it has a number only */
};

static bool in_node(const struct topo_cpu *cpu, int node)
{
	return cpu->node == node;
}

static bool in_core(const struct topo_cpu *cpu, int core)
{
	return cpu->core == core;
}

static bool is_cpu(const struct topo_cpu *cpu, int number)
{
	return cpu->cpu == number;
}

static bool in_kind(const struct topo_cpu *cpu, int kind)
{
	return cpu->kind == kind;
}

/* Is a CPU a better place? Prefer the CPU with fewer threads, then the core with fewer threads, so
 * that whole cores come before siblings, then the quicker kind of cores. */
static bool is_better(const struct seats *s, int cpu, int than)
{
	const struct topo_cpu *cpus = s->plan->topo->cpus;

	if (s->taken[cpu] != s->taken[than])
		return s->taken[cpu] < s->taken[than];
	if (s->busy[cpus[cpu].core] != s->busy[cpus[than].core])
		return s->busy[cpus[cpu].core] < s->busy[cpus[than].core];
	return cpus[cpu].kind < cpus[than].kind;
}

/* A CPU that only the process's affinity lacks, as of isolcpus, is used where it is named. */
static bool may_run(const struct choice *c, const struct topo_cpu *cpu)
{
	return cpu->allowed || (c->matches == is_cpu && cpu->nameable);
}

/* The best place, or -1 when no usable CPU matches. Among equal places the first in the table: the
 * lowest core, then the lowest hardware thread. */
static int best_seat(const struct seats *s, const struct choice *c)
{
	const struct topo *t = s->plan->topo;
	int best = -1;

	for (int i = 0; i < t->ncpus; i++) {
		const struct topo_cpu *cpu = &t->cpus[i];

		if (!may_run(c, cpu) || !c->matches(cpu, c->number))
			continue;
		if (best < 0 || is_better(s, i, best))
			best = i;
	}
	return best;
}

/* "node 2", "kind performance"; to be freed. */
static char *name_of(const struct choice *c)
{
	return c->name ? alloc_format("%s %s", c->what, c->name)
		       : alloc_format("%s %d", c->what, c->number);
}

/* Has the machine what no usable CPU is of? */
static bool exists(const struct topo *t, const struct choice *c)
{
	for (int i = 0; i < t->ncpus; i++)
		if (c->matches(&t->cpus[i], c->number))
			return true;
	return c->matches == in_node && topo_node(t, c->number);
}

static int refuse_cpu(const struct seats *s, const struct choice *c, struct errors *e)
{
	const struct topo *t = s->plan->topo;
	const int cpu = c->number;
	const bool offline = topo_offline(t, cpu);
	char usable[256], other[256];

	error_add(e, STATUS_PLACEMENT, s->list.at, "%s: CPU %d %s", s->key, cpu,
		exists(t, c) ? "may not be used by this process (cpuset)"
		: offline    ? "is offline"
			     : "does not exist");
	if (offline && t->this_system)
		return error_hint(e, "echo 1 | sudo tee /sys/devices/system/cpu/cpu%d/online", cpu);
	const char *named = topo_nameable_cpus(t, other, sizeof(other));

	return error_hint(e, "CPUs that may be used here: %s%s%s",
		topo_usable_cpus(t, usable, sizeof(usable)), named ? "; that may be named: " : "",
		named ? named : "");
}

static int refuse_choice(const struct seats *s, const struct choice *c, struct errors *e)
{
	char usable[256], other[256], *name = name_of(c);
	const struct topo *t = s->plan->topo;
	const bool there = exists(t, c);
	const char *named = there ? topo_nameable_cpus(t, other, sizeof(other)) : NULL;

	error_add(e, STATUS_PLACEMENT, s->list.at, "%s: %s %s", s->key, name,
		there ? "has no CPU that this process may use" : "does not exist");
	free(name);
	if (named)
		return error_hint(e,
			"CPUs that may be used here: %s; cpuPerThread may name %s as well",
			topo_usable_cpus(t, usable, sizeof(usable)), named);
	if (c->matches == in_node)
		return error_hint(e, "nodes that can run threads here: %s",
			topo_usable_thread_nodes(t, usable, sizeof(usable)));
	if (c->matches == in_core)
		return error_hint(e, "the machine's cores: %s%d; CPUs that may be used: %s",
			t->ncores > 1 ? "0 .. " : "", t->ncores - 1,
			topo_usable_cpus(t, usable, sizeof(usable)));
	return error_hint(
		e, "CPUs that may be used here: %s", topo_usable_cpus(t, usable, sizeof(usable)));
}

static int refuse_full(const struct seats *s, const struct choice *c, struct errors *e)
{
	char *name = name_of(c);

	error_add(e, STATUS_PLACEMENT, s->list.at,
		"%s: more threads than usable hardware threads on %s", s->key, name);
	free(name);
	return error_hint(e, "two threads on one hardware thread take turns and measure the "
			     "scheduler; oversubscribe: yes allows it");
}

static int seat(struct seats *s, int thread, const struct choice *choice, struct errors *e)
{
	struct plan *p = s->plan;
	int i = best_seat(s, choice);

	if (i < 0)
		return choice->matches == is_cpu ? refuse_cpu(s, choice, e)
						 : refuse_choice(s, choice, e);
	if (s->taken[i] && !p->request->oversubscribe)
		return refuse_full(s, choice, e);
	s->taken[i]++;
	s->busy[p->topo->cpus[i].core]++;
	p->threads[thread].cpu = p->topo->cpus[i].cpu;
	p->threads[thread].core = p->topo->cpus[i].core;
	p->threads[thread].node = p->topo->cpus[i].node;
	return 0;
}

static int choose_node(const struct seats *s, const char *word, struct choice *c, struct errors *e)
{
	const int node = names_node(s->names, word, s->key, s->list.at, e);

	*c = (struct choice){in_node, "node", node, NULL};
	return node == NAMES_FAILED ? -1 : 0;
}

static int choose_kind(const struct seats *s, const char *word, struct choice *c, struct errors *e)
{
	const struct topo *t = s->plan->topo;
	const int kind = kinds_find(t, word, s->key, s->list.at, e);

	*c = (struct choice){in_kind, "kind", kind, topo_kind_name(t, kind)};
	return kind < 0 ? -1 : 0;
}

static int choose_number(
	const struct seats *s, const char *word, struct choice *c, struct errors *e)
{
	const bool cpu = s->plan->request->cpu_per_thread.count;
	uint64_t number;

	*c = (struct choice){.matches = cpu ? is_cpu : in_core, .what = cpu ? "CPU" : "core"};
	if (!text_count(word, &number) && number <= INT_MAX) {
		c->number = (int)number;
		return 0;
	}
	error_add(e, STATUS_USAGE, s->list.at, "%s: '%s' is not the number of a %s", s->key, word,
		c->what);
	return strchr(word, ',')
		       ? error_hint(e, "blanks divide numbers, not commas: %s: 0 1", s->key)
		       : -1;
}

/* Reads a value of the list: a node, a kind of cores, a core or a CPU. */
static int choose(const struct seats *s, const char *word, struct choice *c, struct errors *e)
{
	const struct request *r = s->plan->request;

	if (r->node_per_thread.count)
		return choose_node(s, word, c, e);
	if (r->core_per_thread.count && list_calls(word, KINDS_CALL))
		return choose_kind(s, word, c, e);
	return choose_number(s, word, c, e);
}

static int seat_all(struct seats *s, struct errors *e)
{
	struct choice c;
	int failed = 0;

	for (size_t i = 0; i < s->list.count; i++)
		failed |= choose(s, s->list.word[i], &c, e) || seat(s, (int)i, &c, e);
	return failed;
}

/* Which of n threads have the place of another one; negative: none. */
static void find_shared(const int *places, int n, bool *shared)
{
	int most = 0;

	for (int i = 0; i < n; i++)
		most = places[i] > most ? places[i] : most;
	int *threads = alloc_zeroed((size_t)most + 1, sizeof(*threads));

	for (int i = 0; i < n; i++)
		if (places[i] >= 0)
			threads[places[i]]++;
	for (int i = 0; i < n; i++)
		shared[i] = places[i] >= 0 && threads[places[i]] > 1;
	free(threads);
}

static void mark_shared(struct plan *p)
{
	const int n = p->nthreads;
	int *places = alloc_zeroed(2 * (size_t)n + 1, sizeof(*places));
	bool *shared = alloc_zeroed(2 * (size_t)n + 1, sizeof(*shared));

	for (int i = 0; i < n; i++) {
		places[i] = p->threads[i].core;
		places[n + i] = p->threads[i].cpu;
	}
	find_shared(places, n, shared);
	find_shared(places + n, n, shared + n);
	for (int i = 0; i < n; i++) {
		p->threads[i].shares_core = shared[i];
		p->threads[i].takes_turns = shared[n + i];
	}
	free(places);
	free(shared);
}

const char *plan_shares(const struct plan_thread *t)
{
	return t->takes_turns   ? ", takes turns on its CPU"
	       : t->shares_core ? ", shares its core"
				: "";
}

/* The key that places the threads. Two of the four would contradict each other. */
static const struct words *placing_key(const struct request *r, const char **key, struct errors *e)
{
	const struct words *lists[] = {
		&r->node_per_thread, &r->core_per_thread, &r->cpu_per_thread, &r->threads};
	static const char *const names[] = {
		"nodePerThread", "corePerThread", "cpuPerThread", "threads"};
	const struct words *found = NULL;

	for (int i = 0; i < 4; i++) {
		if (!lists[i]->count)
			continue;
		if (found) {
			error_add(e, STATUS_USAGE, lists[i]->at,
				"both %s and %s say where threads run; keep one", *key, names[i]);
			return NULL;
		}
		found = lists[i];
		*key = names[i];
	}
	if (found && found != &r->threads && r->mapping.count) {
		error_add(e, STATUS_USAGE, r->mapping.at,
			"mapping is for threads that have no place; %s gives them one", *key);
		error_hint(e, "threads: N in place of %s says how many there are", *key);
		return NULL;
	}
	return found;
}

/* How many usable cores the choice has. */
static int count_cores(const struct plan *p, const struct choice *choice)
{
	int cores = 0, last = UNBOUND;

	for (int i = 0; i < p->topo->ncpus; i++) {
		const struct topo_cpu *c = &p->topo->cpus[i];

		if (!choice->matches(c, choice->number) || !c->allowed || c->core == last)
			continue;
		last = c->core;
		cores++;
	}
	return cores;
}

/* N* is a thread on each usable core of the node N, kind(K)* on each one of the kind K. */
static int cores_of(const void *seats, const char *value, struct errors *e)
{
	const struct seats *s = seats;
	struct choice c;

	if (choose(s, value, &c, e))
		return -1;
	if (c.matches != in_node && c.matches != in_kind)
		return 0;
	const int cores = count_cores(s->plan, &c);

	return cores ? cores : refuse_choice(s, &c, e);
}

int plan_threads(struct plan *p, const struct names *names, struct errors *e)
{
	struct seats s = {.plan = p, .names = names};
	const struct words *list = placing_key(p->request, &s.key, e);

	if (list == &p->request->threads) {
		int failed = plan_mapping(p, e);

		mark_shared(p);
		return failed;
	}
	if (!list)
		return -1;
	const struct list_rules rules = {
		.key = s.key, .ranges = true, .times = cores_of, .user = &s};

	s.list.at = list->at;
	if (list_expand(list, &rules, &s.list, e))
		return -1;
	plan_count_threads(p, s.list.count);
	s.taken = alloc_zeroed((size_t)p->topo->ncpus + 1, sizeof(*s.taken));
	s.busy = alloc_zeroed((size_t)p->topo->ncores + 1, sizeof(*s.busy));
	int failed = seat_all(&s, e);
	mark_shared(p);
	free(s.taken);
	free(s.busy);
	words_free(&s.list);
	return failed;
}
