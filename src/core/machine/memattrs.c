/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks that figures are complete and from one machine, before other programs rely on them. */
#include "machine/memattrs.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/output.h"
#include "base/text.h"
#include "machine/machine.h"
#include "machine/node_figures.h"
#include "plan/memory.h"

static const char *const attribute_names[MEMATTRS] = {
	"latency (chase)", "read bandwidth (load)", "write bandwidth (store, store_nt)"};

static bool has_memattr(const struct topo_memattr *list, size_t n, int attribute, int from, int to)
{
	for (size_t i = 0; i < n; i++)
		if ((int)list[i].attribute == attribute &&
			(from < 0 || list[i].initiator == from) && (to < 0 || list[i].target == to))
			return true;
	return false;
}

struct pair {
	int all, from, to;
};

/* The pairs that lack an attribute: their number, that of all, and the first one. */
static int count_missing(const struct topo *t, const struct topo_memattr *list, size_t n,
	int attribute, struct pair *first)
{
	int missing = 0;

	for (int i = 0; i < t->nnodes; i++)
		for (int k = 0; k < t->nnodes; k++) {
			if (!t->nodes[i].cpus || !topo_is_target(&t->nodes[k]))
				continue;
			first->all++;
			if (has_memattr(list, n, attribute, t->nodes[i].node, t->nodes[k].node))
				continue;
			if (!missing++) {
				first->from = t->nodes[i].node;
				first->to = t->nodes[k].node;
			}
		}
	return missing;
}

/* An incomplete matrix would make hwloc believe that the missing pairs do not exist. */
static int check_complete(const struct topo *t, const struct topo_memattr *list, size_t n,
	int attribute, struct errors *e)
{
	struct pair first = {0};
	const int missing = count_missing(t, list, n, attribute, &first);

	if (!missing)
		return 0;
	error_add(e, STATUS_USAGE, NOWHERE,
		"%s is missing for %d of %d pair%s of nodes, such as CPUs of node %d and memory of "
		"node %d",
		attribute_names[attribute], missing, first.all,
		text_s((unsigned long long)first.all), first.from, first.to);
	return error_hint(e,
		"measure args/matrix/latency.args and args/matrix/bandwidth.args on the "
		"whole machine; runs with a misplaced thread or page, with chains or with a state "
		"do not count");
}

/* The attributes that are asked for: one, or -1: all. */
static bool is_asked(int asked, int attribute)
{
	return asked < 0 || asked == attribute;
}

/* Has a pair only figures that must be measured again? */
static int check_again(const struct topo *t, const struct topo_memattr *list, size_t n,
	const struct node_figures *m, int asked, struct errors *e)
{
	struct pair first = {0};
	size_t again = 0;

	for (int a = 0; a < MEMATTRS && !m->force; a++)
		if (is_asked(asked, a) && m->again[a] && count_missing(t, list, n, a, &first))
			again += m->again[a];
	if (!again)
		return 0;
	error_add(e, STATUS_USAGE, NOWHERE,
		"%zu figure%s of nodes must be measured again: too many samples are disturbed",
		again, text_s(again));
	return error_hint(e,
		"measure again when nothing else runs; affinity --force takes them all the same");
}

/* Of those that are taken, best[count]. */
static void warn_weak(const struct node_figures *m, const struct topo_memattr *best, size_t count,
	int asked, struct errors *e)
{
	const struct trust *first = NULL;
	size_t weak = 0, all = 0;

	for (size_t i = 0; i < count; i++) {
		if (!is_asked(asked, (int)best[i].attribute))
			continue;
		const struct trust *t = node_figures_trust(m, &best[i]);

		all++;
		if (t->word != TRUST_WEAK)
			continue;
		first = first ? first : t;
		weak++;
	}
	if (!weak)
		return;
	char *why = trust_why(first);

	error_warn(e, "%zu of %zu figure%s of nodes %s weak, such as: %s", weak, all, text_s(all),
		weak == 1 ? "is" : "are", why);
	error_hint(e, "measure them with more samples and placements");
	free(why);
}

static int check_figures(const struct topo *t, const struct topo_memattr *list, size_t n,
	const struct node_figures *m, int asked, struct errors *e)
{
	int failed = check_again(t, list, n, m, asked, e);

	if (failed)
		return failed;
	if (!n && m->left_out) {
		error_add(e, STATUS_USAGE, NOWHERE,
			"no figure shows memory alone: vectors are below %d times the caches, "
			"shared by threads, or used after a sleep",
			PLAN_FROM_MEMORY);
		return error_hint(e,
			"sizePerVector: %dxcaches*, and a vector for each thread; results of "
			"ejec.sh --quick are too small",
			PLAN_FROM_MEMORY);
	}
	if (!n) {
		error_add(e, STATUS_USAGE, NOWHERE,
			"there is no figure of node x node: no run of chase, load, store or "
			"store_nt with all threads on one node and all vectors on one");
		return error_hint(e, "args/matrix/latency.args and args/matrix/bandwidth.args "
				     "measure them");
	}
	for (int a = 0; a < MEMATTRS; a++)
		if (is_asked(asked, a) && has_memattr(list, n, a, -1, -1))
			failed |= check_complete(t, list, n, a, e);
	return failed;
}

/* Of those that force takes. */
static size_t count_again(const struct node_figures *m)
{
	size_t again = 0;

	for (int a = 0; a < MEMATTRS && m->force; a++)
		again += m->again[a];
	return again;
}

static int write_xml(const struct topo *t, const struct document *documents, size_t n,
	const struct node_figures *m, const struct topo_memattr *list, size_t count,
	const char *out, struct errors *e)
{
	struct topo_note notes[2] = {
		{"MemoryAttributesFrom", NULL}, {"MemoryAttributesSimulated", NULL}};
	const char *simulated = "no";
	char *from;

	for (size_t i = 0; i < n; i++)
		if (strcmp(document_fact(&documents[i], "simulated"), "no"))
			simulated = document_fact(&documents[i], "simulated");
	from = alloc_format("measured by affinity %s on %s, %s%s%s",
		document_fact(&documents[0], "affinity_version"),
		document_fact(&documents[0], "host"), document_fact(&documents[0], "date"),
		strcmp(simulated, "no") ? "; a simulated machine, so no measurement of hardware"
					: "",
		count_again(m) ? "; with figures of disturbed samples" : "");
	notes[0].text = from;
	notes[1].text = simulated;
	char *xml = topo_memattrs_xml(t, list, count, notes, strcmp(simulated, "no") ? 2 : 1, e);
	int failed = !xml || output_write(out, xml, strlen(xml), e);

	free(xml);
	free(from);
	return failed ? -1 : 0;
}

static int read_documents(struct document *documents, struct node_figures *m, const struct topo *t,
	const char *const *paths, size_t n, struct errors *e)
{
	struct environment here;
	int failed = 0;

	environment_read(&here, t);
	for (size_t i = 0; i < n; i++) {
		int bad = document_read(&documents[i], paths[i], e);

		if (!bad)
			bad = document_check_machine(
				t, &here, &documents[i], !document_says_caches(&documents[i]), e);
		if (!bad)
			bad = node_figures_add(m, &documents[i], e);
		failed |= bad;
	}
	environment_free(&here);
	return failed;
}

int memattrs_export(
	const struct topo *t, const struct memattrs_from *from, const char *out, struct errors *e)
{
	const size_t npaths = from->npaths;
	struct document *documents = alloc_zeroed(npaths, sizeof(*documents));
	struct node_figures m = {.force = from->force};
	size_t count;
	int failed = output_check(out, e);

	if (!failed)
		failed = read_documents(documents, &m, t, from->paths, npaths, e);
	struct topo_memattr *best = alloc_zeroed(m.count + 1, sizeof(*best));
	if (!failed) {
		count = node_figures_best(&m, best);
		failed = check_figures(t, best, count, &m, -1, e);
		if (!failed)
			failed = write_xml(t, documents, npaths, &m, best, count, out, e);
		if (!failed)
			warn_weak(&m, best, count, -1, e);
	}
	for (size_t i = 0; i < npaths; i++)
		document_free(&documents[i]);
	node_figures_free(&m);
	free(documents);
	free(best);
	return failed;
}

/* A whole matrix of an attribute out of a document, into t by `take`. Else a message: what is
 * missing, and the hint of the file that measures it. */
static int take_matrix(struct topo *t, const char *path, bool force, enum memattr attribute,
	void (*take)(struct topo *, const char *, int, int, double), const char *missing,
	const char *hint, struct errors *e)
{
	struct document document;
	struct node_figures m = {.force = force};
	int failed = read_documents(&document, &m, t, &path, 1, e);
	struct topo_memattr *best = alloc_zeroed(m.count + 1, sizeof(*best));
	size_t count = failed ? 0 : node_figures_best(&m, best);

	if (!failed)
		failed = check_figures(t, best, count, &m, (int)attribute, e);
	if (!failed && !has_memattr(best, count, attribute, -1, -1)) {
		failed = error_add(e, STATUS_USAGE, (struct place){path, 0}, "%s", missing);
		error_hint(e, "%s", hint);
	}
	for (size_t i = 0; i < count && !failed; i++)
		if (best[i].attribute == attribute)
			take(t, path, best[i].initiator, best[i].target, best[i].value);
	/* weights are made of the figures; far() takes no more than their order */
	if (!failed && attribute == MEMATTR_READ_BANDWIDTH)
		warn_weak(&m, best, count, (int)attribute, e);
	document_free(&document);
	node_figures_free(&m);
	free(best);
	return failed ? -1 : 0;
}

int memattrs_access(struct topo *t, const char *path, bool force, struct errors *e)
{
	return take_matrix(t, path, force, MEMATTR_READ_LATENCY, topo_take_access,
		"has no latency between nodes", "args/matrix/latency.args measures it", e);
}

int memattrs_rates(struct topo *t, const char *path, bool force, struct errors *e)
{
	return take_matrix(t, path, force, MEMATTR_READ_BANDWIDTH, topo_take_rate,
		"has no read bandwidth between nodes", "args/matrix/bandwidth.args measures it", e);
}
