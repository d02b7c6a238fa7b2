/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that are only counted: `threads` and `mapping` give them CPUs. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "mapping/mapping.h"
#include "plan/kernels.h"
#include "plan/parts.h"
#include "mapping/profile.h"
#include "input/registry.h"
#include "mapping/seats.h"

/* A mix under any of the kernel's names. */
static const struct profile_row *mix_of(
	const struct profile *p, const char *name, int thread, struct errors *e)
{
	const struct kernel *k = registry_find(name);
	const struct profile_row *row = profile_find(p, name, thread, e);

	for (const struct kernel_id *id = kernel_map; !row && id->id; id++)
		if (id->kernel == k)
			row = profile_find(p, id->id, thread, e);
	return row;
}

/* operations.c refuses a kernel that does not exist. */
static int no_mix(const struct plan *p, const char *name, struct errors *e)
{
	if (!registry_find(name))
		return -1;
	error_add(e, STATUS_USAGE, p->request->profile.at,
		"profile: '%s' has no mix of the kernel '%s'", p->request->profile.word[0], name);
	return error_hint(e, "mapping: instruction must know the mix of every kernel of the file");
}

/* A thread keeps its CPU in all operations: its mix is the mean of its kernels' mixes, the number
 * of its instructions the sum. */
static void add_row(struct mapping_thread *t, const struct profile_row *row, size_t nops)
{
	for (int type = 0; type < MAPPING_TYPES; type++) {
		t->share[type] += row->share[type] / (double)nops;
		t->count[type] += row->count[type];
	}
	t->counted = t->counted && row->counted;
}

static int add_op(const struct plan *p, const char *op, const struct profile *profile,
	struct mapping_thread *threads, struct errors *e)
{
	struct plan_kernels kernels;
	int failed = 0;

	plan_kernels_read(&kernels, op);
	if (!kernels.names.count)
		failed = -1; /* operations.c refuses it */
	for (int i = 0; i < p->nthreads && !failed; i++) {
		const char *name = kernels.names.word[plan_kernel_of(&kernels, i)];
		size_t before = e->failures;
		const struct profile_row *row = mix_of(profile, name, i, e);

		if (row)
			add_row(&threads[i], row, p->request->ops.count);
		else
			failed = e->failures == before ? no_mix(p, name, e) : -1;
	}
	words_free(&kernels.names);
	return failed;
}

/* A path in an argument file is relative to that file. */
char *plan_profile_path(const struct plan *p)
{
	const struct words *w = &p->request->profile;
	const char *slash = w->at.line ? strrchr(p->path, '/') : NULL;

	if (!w->count)
		return NULL;
	if (!slash || w->word[0][0] == '/')
		return alloc_string(w->word[0], strlen(w->word[0]));
	return alloc_format("%.*s/%s", (int)(slash - p->path), p->path, w->word[0]);
}

static int read_mixes(const struct plan *p, struct mapping_thread *threads, struct errors *e)
{
	const struct request *r = p->request;
	struct profile profile = {0};

	if (!r->profile.count) {
		error_add(e, STATUS_USAGE, r->mapping.at,
			"mapping: instruction needs the instruction mix of every kernel");
		return error_hint(e, "profile: FILE.csv, with the columns kernel,type,share");
	}
	char *path = plan_profile_path(p);

	for (int i = 0; i < p->nthreads; i++)
		threads[i].counted = true;
	int failed = profile_read(&profile, path, r->profile.at, e);
	for (size_t i = 0; i < r->ops.count && !failed; i++)
		failed = add_op(p, r->ops.word[i], &profile, threads, e);
	profile_free(&profile);
	free(path);
	return failed;
}

static void sit_down(struct plan *p, const struct mapping_seat *seats, const int *place)
{
	for (int i = 0; i < p->nthreads; i++) {
		const struct mapping_seat *s = place[i] < 0 ? NULL : &seats[place[i]];
		struct plan_thread *t = &p->threads[i];

		t->cpu = s ? s->cpu : UNBOUND;
		t->core = s ? s->core : UNBOUND;
		t->node = s ? s->node : UNBOUND;
	}
}

/* Why there may be no mapping: as mapping.h says of mapping_make(). */
static void hint_mapping(const struct request *r, int nseats, struct errors *e)
{
	if (!r->oversubscribe && r->thread_count > (uint64_t)nseats)
		error_hint(e, "oversubscribe: yes lets threads take turns");
	else if (nseats)
		error_hint(e, "the profile must give every kernel of the file the type to sort by, "
			      "which mappingBy names");
}

static int map_threads(struct plan *p, struct errors *e)
{
	const struct request *r = p->request;
	const struct mapping_request request = {
		r->mapped, (enum mapping_type)r->mapping_by, r->oversubscribe};
	size_t n = (size_t)p->nthreads;
	struct mapping_thread *threads = alloc_zeroed(n, sizeof(*threads));
	int nseats, *place = alloc_zeroed(n, sizeof(*place));
	struct mapping_seat *seats =
		seats_for(p->topo, &r->mapped, &nseats, "mapping", r->mapping.at, e);
	int failed = !seats                                    ? -1
		     : r->mapped.method == MAPPING_INSTRUCTION ? read_mixes(p, threads, e)
							       : 0;
	char why[512];

	if (!failed) {
		int by = mapping_make(
			&request, seats, nseats, threads, p->nthreads, place, why, sizeof(why));
		if (by < 0) {
			failed = error_add(e, STATUS_PLACEMENT, r->threads.at, "mapping: %s", why);
			hint_mapping(r, nseats, e);
		} else {
			sit_down(p, seats, place);
			p->mapping = (struct plan_mapping){mapping_name(&r->mapped),
				by < MAPPING_TYPES ? mapping_types[by] : NULL,
				alloc_string(why, strlen(why))};
		}
	}
	free(threads);
	free(seats);
	free(place);
	return failed;
}

int plan_mapping(struct plan *p, struct errors *e)
{
	const struct request *r = p->request;

	if (!r->thread_count)
		return -1; /* request.c has refused it */
	plan_count_threads(p, r->thread_count);
	return map_threads(p, e);
}
