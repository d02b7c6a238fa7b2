/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks for, writes and drops pages of files, and holds the kernel's answer against what was asked
 * for: neither posix_fadvise() nor mbind() says that it did nothing. */
#include "placement/backed.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "placement/found.h"

bool backed_writes(const struct mem *m)
{
	return m->backed.kind != BACKING_FILE;
}

static int refuse_file(
	const struct plan *p, int vector, const char *why, const char *hint, struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];

	error_add(e, STATUS_PLACEMENT, p->request->backing_per_vector.at, "vector %d, '%s': %s",
		vector, v->backed.path, why);
	return error_hint(e, "%s", hint);
}

static int refuse_unknown(const struct plan *p, int vector, struct errors *e)
{
	return refuse_file(p, vector, "nothing shows which of its pages are in memory",
		"cachestat needs Linux 6.5, and mincore answers who owns the file; in a container "
		"the former may be refused",
		e);
}

/* Touching a page that is not there would place it. */
static int check_all_there(
	const struct prepared *r, const struct plan *p, int vector, struct errors *e)
{
	const struct mem *m = &r->mems[vector];
	const struct backing_resident is = backing_resident(m);
	const size_t all = m->bytes / mem_base_page();
	char why[128];

	found_now(r, vector)->resident = is;
	if (!is.shown_by)
		return refuse_unknown(p, vector, e);
	if (is.pages >= all)
		return 0;
	snprintf(why, sizeof(why), "%zu of %zu page%s %s not in memory (%s)", all - is.pages, all,
		text_s(all), all - is.pages == 1 ? "is" : "are", is.shown_by);
	return refuse_file(p, vector, why,
		backing_in_memory(&m->backed)
			? "reading them would store them: who makes the file writes all of it"
			: "reading them would place them: cache: warm reads all of it in on the "
			  "node asked for",
		e);
}

static int drop_pages(const struct plan *p, int vector, const struct mem *m,
	struct backing_resident *left, struct errors *e)
{
	char why[160];

	if (backing_drop(m)) {
		snprintf(why, sizeof(why), "its pages cannot be dropped: %s", strerror(errno));
		return refuse_file(p, vector, why, "cache: asis takes them as they lie", e);
	}
	*left = backing_resident(m);
	if (!left->shown_by)
		return refuse_unknown(p, vector, e);
	if (!left->pages)
		return 0;
	snprintf(why, sizeof(why), "%zu of its pages stay in memory when they are dropped (%s)",
		left->pages, left->shown_by);
	return refuse_file(p, vector, why,
		"another process maps or writes the file (fuser -v shows it), or it was just "
		"written (sync FILE), or its file system is in memory; cache: asis takes them as "
		"they lie",
		e);
}

int backed_begin(struct prepared *r, const struct plan *p, int vector, const struct touchers *who,
	const volatile sig_atomic_t *stop, bool *touch_it, struct errors *e)
{
	const struct mem *m = &r->mems[vector];
	struct placement *found = found_now(r, vector);
	struct touched written = {0};

	*touch_it = m->backed.cache != CACHE_COLD;
	if (!backing_is_file(&m->backed))
		return 0;
	if (m->backed.cache == CACHE_ASIS)
		return backed_writes(m) ? 0 : check_all_there(r, p, vector, e);
	if (!backed_writes(m) && backing_in_memory(&m->backed))
		return refuse_file(p, vector, "its file system is in memory and drops no pages",
			"cache: asis takes them as they lie", e);
	found->resident = backing_resident(m);
	if (backed_writes(m) && touch(p, &p->vectors[vector], m, who, r->rights, stop, &written, e))
		return -1;
	return drop_pages(p, vector, m, &found->left, e);
}

int backed_cool(const struct prepared *r, const struct plan *p, struct errors *e)
{
	for (int i = 0; i < p->nvectors; i++)
		if (r->mems[i].backed.cache == CACHE_COLD &&
			drop_pages(p, i, &r->mems[i], &found_now(r, i)->left, e))
			return -1;
	return 0;
}

bool backed_hint(const struct plan *p, int vector, struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];

	if (v->backed.kind != BACKING_FILE)
		return false;
	if (backing_in_memory(&v->backed))
		error_hint(e, "pages of a file in memory lie where it was written");
	else if (v->backed.cache == CACHE_ASIS && v->node >= 0)
		error_hint(e,
			"they lie where the file was read in first; affinity --set cache=warm %s "
			"reads them in on node %d",
			p->path, v->node);
	else
		error_hint(e, "pages of a file lie on the node by whose policy they were read in: "
			      "cache: warm reads them in as nodePerVector says");
	return true;
}
