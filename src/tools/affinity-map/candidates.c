/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the command lines that --try races. */
#include "affinity-map/candidates.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/text.h"
#include "mapping/seats.h"
#include "affinity-map/comparable.h"
#include "affinity-map/policies.h"
#include "affinity-map/tools.h"

/* "0,2" of a mask of CANDIDATE_NODE_WORDS, to be freed. */
static char *command_line_nodes(const unsigned long *mask)
{
	const size_t bits = 8 * sizeof(*mask);
	struct buffer b;
	FILE *out = buffer_open(&b);
	bool any = false;

	for (size_t i = 0; i < LINUX_NODES; i++)
		if (mask[i / bits] >> i % bits & 1) {
			fprintf(out, "%s%zu", any ? "," : "", i);
			any = true;
		}
	return buffer_text(&b, out);
}

static void list_cpus(const struct candidate *c, FILE *out)
{
	for (int i = 0; i < c->ncpus; i++)
		fprintf(out, "%s%d", i ? "," : "", c->cpus[i]);
	fputc(' ', out);
}

/* The line, to be freed. option and nodes: of numactl, "interleave=" and "0,2"; NULL: no policy. */
static char *command_line(
	char *const *argv, const struct candidate *c, const char *option, const char *nodes)
{
	struct buffer b;
	FILE *out = buffer_open(&b);

	if (c->set.count)
		fputs("env ", out);
	for (size_t i = 0; i < c->set.count; i++) {
		text_print_quoted(c->set.word[i], out);
		fputc(' ', out);
	}
	if (nodes)
		fprintf(out, "numactl --%s%s ", option, nodes);
	if (c->ncpus) {
		fputs(nodes ? "--physcpubind=" : "taskset -c ", out);
		list_cpus(c, out);
	}
	if (nodes)
		fputs("-- ", out);
	for (size_t i = 0; i < c->before.count; i++) {
		text_print_quoted(c->before.word[i], out);
		fputc(' ', out);
	}
	/* env would take it for a variable */
	if (c->set.count && !nodes && !c->ncpus && !c->before.count && strchr(argv[0], '='))
		fputs("sh -c 'exec \"$0\" \"$@\"' ", out);
	for (int i = 0; argv[i]; i++) {
		if (i)
			fputc(' ', out);
		text_print_quoted(argv[i], out);
	}
	return buffer_text(&b, out);
}
#define THP_MODE   "/sys/kernel/mm/transparent_hugepage/enabled"
#define MALLOC_THP "glibc.malloc.hugetlb=1"
/* The runtime places large blocks in huge pages, from this size on: what malloc of glibc takes from
 * the system as a block of its own. */
#define RUNTIME      TOOLS_RUNTIME
#define RUNTIME_FROM "32MiB"

/* Whose huge pages a candidate has. */
enum pages { PAGES_AS_THEY_ARE, PAGES_OF_MALLOC, PAGES_OF_RUNTIME };

/* What all candidates of a mapping have in common. */
struct shape {
	char *name;
	const int *cpus; /* [ncpus] */
	int ncpus;       /* 0: not bound */
	int threads;     /* 0: the program decides */
};

static void leave_out(struct candidates *c, char *line)
{
	for (size_t i = 0; i < c->nleft_out; i++)
		if (!strcmp(c->left_out[i], line)) {
			free(line);
			return;
		}
	c->left_out = alloc_grow(c->left_out, c->nleft_out, sizeof(*c->left_out));
	c->left_out[c->nleft_out++] = line;
}

static void add_set(struct words *w, char *setting)
{
	w->word = alloc_grow(w->word, w->count, sizeof(*w->word));
	w->word[w->count++] = setting;
}

/* A place for each thread of OpenMP, in the mapping's order. */
static char *places_of_threads(const struct shape *s)
{
	char *text = alloc_format("OMP_PLACES=");

	for (int i = 0; i < s->ncpus; i++)
		alloc_append(&text, "", "%s{%d}", i ? "," : "", s->cpus[i]);
	return text;
}

static void add_word(struct words *w, const char *word)
{
	words_add(w, word, strlen(word));
}

/* weights NULL: huge pages, of the near node first. */
static void set_runtime(struct candidate *c, const char *runtime, const char *weights)
{
	static const char *const options[] = {
		"--from", RUNTIME_FROM, "--report", "/dev/null", "--", NULL};

	add_word(&c->before, runtime);
	if (weights) {
		add_word(&c->before, "--weights");
		add_word(&c->before, weights);
	}
	for (int i = 0; options[i]; i++)
		add_word(&c->before, options[i]);
}

static void set_variables(struct candidate *c, const struct shape *s, bool malloc_thp)
{
	const char *tunables = getenv("GLIBC_TUNABLES");

	if (s->threads)
		add_set(&c->set, alloc_format("OMP_NUM_THREADS=%d", s->threads));
	if (s->ncpus) {
		add_set(&c->set, places_of_threads(s));
		add_set(&c->set, alloc_format("OMP_PROC_BIND=close"));
	}
	if (malloc_thp)
		add_set(&c->set, alloc_format("GLIBC_TUNABLES=%s%s%s", tunables ? tunables : "",
					 tunables && *tunables ? ":" : "", MALLOC_THP));
}

static void add_candidate(struct candidates *c, const struct map_app *app, const struct shape *s,
	const struct policy *p, enum pages pages)
{
	static const char *const names[] = {"", ", malloc in huge pages", (", " RUNTIME)};
	struct candidate made = {.policy = p->mode, .ncpus = s->ncpus};

	char *weights = p->mode ? NULL : policy_weights(p);

	memcpy(made.nodes, p->nodes, sizeof(made.nodes));
	memcpy(made.weights, p->weights, sizeof(made.weights));
	made.cpus = alloc_zeroed((size_t)s->ncpus + 1, sizeof(int));
	for (int i = 0; i < s->ncpus; i++)
		made.cpus[i] = s->cpus[i];
	set_variables(&made, s, pages == PAGES_OF_MALLOC);
	if (pages == PAGES_OF_RUNTIME)
		set_runtime(&made, c->runtime, p->count ? weights : NULL);
	char *nodes = p->mode ? command_line_nodes(p->nodes) : NULL;

	made.name = alloc_format("%s%s%s%s%s%s%s", s->name, nodes ? ", " : "",
		nodes ? p->option : "", nodes ? nodes : "", names[pages],
		p->count && weights ? " " : "", p->count && weights ? weights : "");
	made.command = command_line(app->argv, &made, p->option, nodes);
	free(nodes);
	free(weights);
	c->list = alloc_grow(c->list, c->n, sizeof(*c->list));
	c->list[c->n++] = made;
}

/* glibc asks for transparent huge pages only if the system lets programs ask. */
static bool can_ask_for_thp(struct candidates *c)
{
	char mode[64] = "";

	if (text_first_line(THP_MODE, mode, sizeof(mode)))
		leave_out(c, alloc_format("page sizes: this system has no transparent huge pages"));
	else if (!strstr(mode, "[madvise]"))
		leave_out(c, alloc_format("page sizes: " THP_MODE " is not madvise, so that no "
					  "command changes them for one program"));
	else
		return true;
	return false;
}

static void add_pages(struct candidates *c, const struct map_app *app, const struct shape *s,
	const struct policy *p)
{
	add_candidate(c, app, s, p, PAGES_AS_THEY_ARE);
	if (!can_ask_for_thp(c))
		return;
	add_candidate(c, app, s, p, PAGES_OF_MALLOC);
	if (p->mode == MPOL_DEFAULT && c->runtime) /* it chooses the nodes */
		add_candidate(c, app, s, p, PAGES_OF_RUNTIME);
}

static bool has_weights(const struct candidates *c, size_t from, const struct policy *p)
{
	for (size_t i = from; i < c->n; i++)
		if (!memcmp(c->list[i].weights, p->weights, sizeof(p->weights)))
			return true;
	return false;
}

/* How much more is near than bandwidths alone say, each a step of BWAP's search (Gureya et al.,
 * IPDPS 2020), which moves pages to the threads' nodes while that pays. The race finds the best
 * step. */
static void add_nearer(struct candidates *c, const struct map_app *app, const struct topo *t,
	const struct shape *s, size_t from)
{
	static const double parts[] = {0.25, 0.5, 0.75};

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		struct policy p;
		char *without = policy_of_rates(t, s->cpus, s->ncpus, parts[i], &p);

		if (!without && !has_weights(c, from, &p))
			add_candidate(c, app, s, &p, PAGES_OF_RUNTIME);
		free(without);
	}
}

/* Pages by bandwidth: by the kernel, whose weights are those of the whole system, and block by
 * block by the runtime, which every kernel allows and every program has for itself. */
static void add_weighted(struct candidates *c, const struct map_app *app, const struct topo *t,
	const struct shape *s)
{
	struct policy p;
	char *without = policy_of_kernel(t, &p);

	if (!without)
		without = tools_lack_weighted();
	if (without)
		leave_out(c, without);
	else
		add_pages(c, app, s, &p);
	without = c->runtime ? policy_of_rates(t, s->cpus, s->ncpus, 0, &p)
			     : alloc_format("weights by bandwidth: they need " RUNTIME);
	const size_t from = c->n;

	if (without)
		leave_out(c, without);
	else
		add_candidate(c, app, s, &p, PAGES_OF_RUNTIME);
	if (c->runtime && t->rates)
		add_nearer(c, app, t, s, from);
}

/* Nodes beside CPUs: bind and interleave differ from the default only where there are others. */
static void add_policies(struct candidates *c, const struct map_app *app, const struct topo *t,
	const struct shape *s)
{
	const struct policy normal = {.mode = MPOL_DEFAULT};
	const struct policy all = policy_of_all(t, MPOL_INTERLEAVE, "interleave=");
	const struct policy near =
		policy_of_cpus(t, s->cpus, s->ncpus, MPOL_INTERLEAVE, "interleave=");
	const struct policy bind = policy_of_cpus(t, s->cpus, s->ncpus, MPOL_BIND, "membind=");

	add_pages(c, app, s, &normal);
	if (all.count < 2) {
		leave_out(c, alloc_format("memory policies: there is one node with memory"));
		return;
	}
	add_pages(c, app, s, &all);
	if (near.count > 1 && near.count < all.count)
		add_pages(c, app, s, &near);
	if (bind.count && bind.count < all.count)
		add_pages(c, app, s, &bind);
	add_weighted(c, app, t, s);
}

static bool same_cpus(const struct map_layout *a, const struct map_layout *b, int threads)
{
	return !memcmp(a->cpus[0], b->cpus[0], (size_t)threads * sizeof(int));
}

/* " (performance: 4, efficiency: 8)": the kinds of cores of a mapping; "" where cores are alike. To
 * be freed. */
static char *kinds_of(const struct topo *t, const int *cpus, int n)
{
	char *text = alloc_format("%s", "");

	for (int kind = 0; kind < t->nkinds; kind++) {
		int count = comparable_count(t, cpus, n, kind);

		if (count)
			alloc_append(&text, "", "%s%s: %d", *text ? ", " : " (",
				topo_kind_name(t, kind), count);
	}
	if (*text)
		alloc_append(&text, "", ")");
	return text;
}

/* Where nodes have several last-level caches: the level of these; NULL: they have not. */
static const struct topo_level *last_caches(const struct topo *t)
{
	char name[32];

	for (int i = 0; i < t->ncpus; i++)
		if (topo_last_cache_above(t, &t->cpus[i], name, sizeof(name)))
			return &t->levels[topo_level(t, "LLC")];
	return NULL;
}

/* How many of them hold the CPUs. */
static int count_caches(const struct topo *t, const struct topo_level *l, const int *cpus, int n)
{
	bool *seen = alloc_zeroed((size_t)t->ncpus + 1, sizeof(*seen));
	int count = 0;

	for (int i = 0; i < n; i++) {
		const struct topo_cpu *cpu = topo_cpu(t, cpus[i]);
		const int number = cpu ? l->of[cpu - t->cpus] : -1;

		if (number >= 0 && !seen[number])
			count += seen[number] = true;
	}
	free(seen);
	return count;
}

/* " over 8 L3"; "" where a node has one last-level cache. To be freed. */
static char *caches_of(const struct topo *t, const int *cpus, int n)
{
	const struct topo_level *l = last_caches(t);
	const struct topo_cpu *first = l ? topo_cpu(t, cpus[0]) : NULL;
	char name[32];

	if (!first || !topo_last_cache_above(t, first, name, sizeof(name)))
		return alloc_format("%s", "");
	return alloc_format(
		" over %d %.*s", count_caches(t, l, cpus, n), (int)strcspn(name, " "), name);
}

static char *name_of(const struct topo *t, const char *method, const int *cpus, int threads)
{
	char *kinds = kinds_of(t, cpus, threads), *caches = caches_of(t, cpus, threads);
	char *name = alloc_format("%s of %d%s%s", method, threads, caches, kinds);

	free(caches);
	free(kinds);
	return name;
}

/* The CPUs of one last-level cache after the other, in each whole cores first. */
static void pack(const struct topo *t, const struct topo_level *l, int threads, int *cpus)
{
	int n = 0;

	for (int cache = -1; cache < l->count; cache++) /* those without one last */
		for (int round = 0, any = 1; any; round++) {
			any = 0;
			for (int i = 0; i < t->ncpus; i++) {
				if (l->of[i] != (cache + 1 < l->count ? cache + 1 : -1) ||
					t->cpus[i].thread < round)
					continue;
				any = 1;
				if (t->cpus[i].thread == round && t->cpus[i].allowed && n < threads)
					cpus[n++] = t->cpus[i].cpu;
			}
		}
}

/* Spread threads have the links of several caches to memory, and the room in them; packed ones meet
 * in one. compact packs, too, but two on a core. */
static void add_packed(struct candidates *c, const struct map_app *app, const struct topo *t,
	const struct map_layout *layouts, int n)
{
	const struct topo_level *l = last_caches(t);

	if (!l)
		return;
	int *cpus = alloc_zeroed((size_t)t->ncpus + 1, sizeof(*cpus)), usable;
	bool same;

	free(seats_usable(t, &usable));
	pack(t, l, usable, cpus);
	same = app->threads > usable ||
	       count_caches(t, l, cpus, app->threads) == count_caches(t, l, cpus, usable);
	for (int i = 0; i < n; i++)
		same |= !memcmp(layouts[i].cpus[0], cpus, (size_t)app->threads * sizeof(*cpus));
	struct shape s = {same ? NULL : name_of(t, "packed", cpus, app->threads), cpus,
		app->threads, app->threads};

	if (!same)
		add_policies(c, app, t, &s);
	free(s.name);
	free(cpus);
}

/* Mappings of one number of threads; given: by the user, and else the program decides what is not
 * bound. */
static int add_mappings(struct candidates *c, const struct map_options *o, struct map_app *app,
	const struct topo *t, bool given, struct errors *e)
{
	struct map_layout *layouts = alloc_zeroed((size_t)o->nmethods, sizeof(*layouts));
	int failed = 0;

	for (int i = 0; i < o->nmethods && !failed; i++) {
		const struct mapping_request r = {
			o->methods[i], (enum mapping_type)o->by, o->oversubscribe};
		struct map_layout *l = &layouts[i];
		int same = 0;

		failed = map_layout(l, &r, app, 1, t, e);
		while (!failed && same < i && !same_cpus(l, &layouts[same], app->threads))
			same++;
		bool bound = !failed && l->cpus[0][0] >= 0;
		struct shape s = {NULL, failed ? NULL : l->cpus[0], bound ? app->threads : 0,
			bound || given ? app->threads : 0};

		if (failed || (!bound && !given)) /* the program as it is */
			continue;
		s.name = name_of(t, l->name, l->cpus[0], app->threads);
		if (same < i)
			leave_out(c, alloc_format("%s: the same CPUs as %s", s.name,
					     layouts[same].name));
		else
			add_policies(c, app, t, &s);
		free(s.name);
	}
	if (!failed)
		add_packed(c, app, t, layouts, o->nmethods);
	for (int i = 0; i < o->nmethods; i++)
		map_layout_free(&layouts[i], 1);
	free(layouts);
	return failed;
}

/* The usable cores of the first last-level cache that has some; 0: a node has one such cache. */
static int cores_of_cache(const struct topo *t)
{
	const struct topo_level *l = last_caches(t);
	int cache = -1, last = -1, cores = 0;

	for (int i = 0; i < t->ncpus && l; i++) {
		const struct topo_cpu *cpu = &t->cpus[i];

		cache = cache < 0 && cpu->allowed ? l->of[i] : cache;
		cores += cache >= 0 && l->of[i] == cache && cpu->allowed && cpu->core != last;
		last = cpu->allowed ? cpu->core : last;
	}
	return cores;
}

/* Where nodes have several last-level caches: as many threads as one of them has cores. Where cores
 * are unlike: as many threads as the quickest kinds have hardware threads, so that the
 * slower ones are left out, and then all. */
static int add_kinds(struct candidates *c, const struct map_options *o, const struct map_app *app,
	const struct topo *t, struct errors *e)
{
	struct map_app part = *app;
	int failed = 0;

	part.threads = 0;
	for (int kind = 0; kind < t->nkinds && !failed; kind++) {
		int before = part.threads;

		for (int i = 0; i < t->ncpus; i++)
			part.threads += t->cpus[i].allowed && t->cpus[i].kind == kind;
		if (part.threads > before && part.threads < app->threads)
			failed = add_mappings(c, o, &part, t, false, e);
	}
	const int caches = cores_of_cache(t);

	part.threads = caches;
	if (caches && caches < app->threads && !failed)
		failed = add_mappings(c, o, &part, t, false, e);
	part.threads = app->threads;
	return failed ? failed : add_mappings(c, o, &part, t, false, e);
}

static int read_threads(const char *word, int *threads, struct errors *e)
{
	uint64_t n;

	if (text_count(word, &n) || n < 1 || n > LINUX_CPUS) {
		error_add(e, STATUS_USAGE, NOWHERE, "--threads '%s' is not a number of threads",
			word);
		return error_hint(e, "1 .. %d", LINUX_CPUS);
	}
	*threads = (int)n;
	return 0;
}

int candidates_make(struct candidates *c, const struct map_options *o, const struct map_app *app,
	const struct topo *t, struct errors *e)
{
	const struct shape as_it_is = {.name = "as it is"};
	const char *asked = getenv("OMP_NUM_THREADS");
	struct map_app one = *app;
	char *without;
	uint64_t n;
	int failed = 0;

	*c = (struct candidates){0};
	c->runtime = tools_runtime(app, &without);
	if (without)
		leave_out(c, without);
	free(seats_usable(t, &one.threads));
	if (asked && !text_count(asked, &n) && n >= 1 && n < (uint64_t)one.threads)
		one.threads = (int)n;
	add_policies(c, &one, t, &as_it_is);
	if (!o->threads.count)
		return add_kinds(c, o, &one, t, e);
	for (size_t i = 0; i < o->threads.count && !failed; i++) {
		failed = read_threads(o->threads.word[i], &one.threads, e);
		failed = failed ? -1 : add_mappings(c, o, &one, t, true, e);
	}
	return failed;
}

void candidates_of(struct candidates *c, const struct map_app *const *apps, size_t n)
{
	const struct shape as_it_is = {.name = "as it is"};
	const struct policy none = {0};

	*c = (struct candidates){0};
	for (size_t i = 0; i < n; i++) {
		add_candidate(c, apps[i], &as_it_is, &none, PAGES_AS_THEY_ARE);
		free(c->list[i].name);
		c->list[i].app = apps[i];
		c->list[i].name = alloc_format("%s%s", c->list[i].command,
			i && !strcmp(c->list[i].command, c->list[0].command) ? ", again" : "");
	}
}

void candidates_free(struct candidates *c)
{
	for (size_t i = 0; i < c->n; i++) {
		free(c->list[i].name);
		free(c->list[i].command);
		free(c->list[i].cpus);
		words_free(&c->list[i].set);
		words_free(&c->list[i].before);
	}
	free(c->runtime);
	for (size_t i = 0; i < c->nleft_out; i++)
		free(c->left_out[i]);
	free(c->left_out);
	free(c->list);
	*c = (struct candidates){0};
}
