/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the command lines that --try races. */
#include "affinity-map/candidates.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "mapping/seats.h"
#include "affinity-map/command_line.h"
#include "affinity-map/comparable.h"
#include "affinity-map/policies.h"
#include "affinity-map/tools.h"
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
static char *places(const struct shape *s)
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
		add_set(&c->set, places(s));
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

static char *name_of(const struct topo *t, const struct map_layout *l, int threads)
{
	char *kinds = kinds_of(t, l->cpus[0], threads);
	char *name = alloc_format("%s of %d%s", l->name, threads, kinds);

	free(kinds);
	return name;
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
		s.name = name_of(t, l, app->threads);
		if (same < i)
			leave_out(c, alloc_format("%s: the same CPUs as %s", s.name,
					     layouts[same].name));
		else
			add_policies(c, app, t, &s);
		free(s.name);
	}
	for (int i = 0; i < o->nmethods; i++)
		map_layout_free(&layouts[i], 1);
	free(layouts);
	return failed;
}

/* Where cores are unlike: as many threads as the quickest kinds have hardware threads, so that the
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
