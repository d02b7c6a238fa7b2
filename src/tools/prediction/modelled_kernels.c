/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels of plans as kernels of the model. */
#include "prediction/modelled_kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "input/param.h"
#include "input/registry.h"
#include "input/values.h"

static const struct param *param_of(const struct kernel *k, const char *name, enum param_type type)
{
	for (const struct param *p = k->params; p && p->name; p++)
		if (!strcmp(p->name, name) && p->type == type)
			return p;
	return NULL;
}

char *modelled_set_kernel(const struct kernel *k)
{
	return alloc_format(
		param_of(k, "stride", PARAM_EXTENT) ? "kernels=%s" : "'kernels=read %s'",
		registry_name(k));
}

double *modelled_share(const struct kernel *k, void *args)
{
	const struct param *p = param_of(k, "fraction", PARAM_FRACTION);

	return p ? (double *)((char *)args + p->offset) : NULL;
}

/* `order: random` has no stride. */
static bool is_random(const struct plan_job *job)
{
	const char *order = param_choice(job->kernel->params, job->args, "order");

	return order && !strcmp(order, "random");
}

struct modelled_meetings modelled_meetings_of(const struct kernel *k, const void *args)
{
	const struct param *p = param_of(k, "layers", PARAM_COUNT);
	struct modelled_meetings m = {
		0, param_choice(k->params, args, "by"), param_choice(k->params, args, "wait")};

	if (k->meetings.is_meeting && k->meetings.is_meeting(args))
		m.count = 1;
	else if (k->meetings.meets && p)
		m.count = (double)*(const uint64_t *)((const char *)args + p->offset);
	return m;
}

/* Work is the same whatever its meetings. */
static void forget_meetings(const struct kernel *k, void *args)
{
	static const struct {
		const char *name;
		enum param_type type;
		size_t size;
	} of_meetings[] = {{"layers", PARAM_COUNT, sizeof(uint64_t)},
		{"by", PARAM_CHOICE, sizeof(int)}, {"wait", PARAM_CHOICE, sizeof(int)}};

	for (size_t i = 0; k->meetings.meets && i < sizeof(of_meetings) / sizeof(*of_meetings);
		i++) {
		const struct param *p = param_of(k, of_meetings[i].name, of_meetings[i].type);

		if (p)
			memset((char *)args + p->offset, 0, of_meetings[i].size);
	}
}

/* Lines that a unit of work brings: those of its bytes where it moves any, else one, or less where
 * the next unit is in the same line. Write-allocate that is not known counts as none: a library
 * stores past the caches where vectors are large. */
static double lines_of(const struct plan_job *job, enum element_type type)
{
	const struct work w = plan_work(job);
	const struct param *p = param_of(job->kernel, "stride", PARAM_EXTENT);

	if (w.bytes > 0)
		return (w.bytes + (isnan(w.fills) ? 0 : w.fills)) / MODEL_LINE;
	if (!(w.loads + w.stores > 0))
		return 0;
	if (!p || is_random(job))
		return 1;
	const struct extent *stride = (const void *)((const char *)job->args + p->offset);
	const double bytes =
		(double)stride->value * (stride->bytes ? 1 : (double)element_bytes(type));

	return fmin(1, bytes / MODEL_LINE);
}

/* A distance is the same in bytes and in elements, and nothing where accesses have another order.
 */
static void say_extents(struct modelled_kind *k)
{
	for (const struct param *p = k->kernel->params; p && p->name; p++) {
		struct extent *extent = (void *)((char *)k->args + p->offset);

		if (p->type != PARAM_EXTENT)
			continue;
		if (!extent->bytes)
			extent->value *= element_bytes(k->type);
		if (k->random && !strcmp(p->name, "stride"))
			extent->value = 0;
		extent->bytes = true;
	}
}

struct modelled_kind modelled_kind_of(
	const struct plan_job *job, const struct plan_vector *v, int cores)
{
	struct modelled_kind k = {.kernel = job->kernel,
		.cores = cores,
		.type = v->type,
		.pages = v->pages,
		.random = is_random(job),
		.units = NAN};

	k.args = alloc_zeroed(1, job->kernel->args_size + 1);
	if (job->args)
		memcpy(k.args, job->args, job->kernel->args_size);
	double *share = modelled_share(job->kernel, k.args);

	if (share)
		*share = 1;
	forget_meetings(job->kernel, k.args);
	say_extents(&k);
	return k;
}

static bool is_same(const struct modelled_kind *a, const struct modelled_kind *b)
{
	return a->kernel == b->kernel && a->cores == b->cores && a->type == b->type &&
	       a->pages == b->pages && !memcmp(a->args, b->args, a->kernel->args_size);
}

static const struct param *next_number(const struct modelled_kind *k, const struct param *p)
{
	while (p && p->name &&
		!((p->flags & PARAM_PACE) ||
			(p->type == PARAM_EXTENT && !k->random && !strcmp(p->name, "stride"))))
		p++;
	return p && p->name ? p : NULL;
}

static size_t size_of(const struct param *p)
{
	return p->type == PARAM_EXTENT  ? sizeof(struct extent)
	       : p->type == PARAM_COUNT ? sizeof(uint64_t)
					: sizeof(double);
}

double modelled_number(const struct param *number, const struct modelled_kind *k)
{
	const void *field = (const char *)k->args + number->offset;

	return number->type == PARAM_EXTENT  ? (double)((const struct extent *)field)->value
	       : number->type == PARAM_COUNT ? (double)*(const uint64_t *)field
					     : *(const double *)field;
}

/* Of a kernel that need not visit each element once the stride changes the work. */
static bool is_free(const struct modelled_kind *k, const struct param *p)
{
	return p->type != PARAM_EXTENT || fabs(k->units - 1) < 1e-3;
}

bool modelled_kind_differs(
	const struct modelled_kind *a, const struct modelled_kind *b, const struct param **number)
{
	char *args = alloc_zeroed(1, a->kernel->args_size + 1);
	const size_t size = a->kernel->args_size;
	bool one = false;

	for (const struct param *p = next_number(a, a->kernel->params);
		p && !one && a->kernel == b->kernel && a->cores == b->cores && a->type == b->type &&
		a->pages == b->pages && a->random == b->random;
		p = next_number(a, p + 1)) {
		memcpy(args, a->args, size);
		memcpy(args + p->offset, (const char *)b->args + p->offset, size_of(p));
		one = is_free(b, p) && !memcmp(args, b->args, size);
		*number = p;
	}
	free(args);
	return one;
}

/* Was one measured that differs in this number only, which is larger there, or smaller? */
static const struct modelled_kind *beside(
	const struct modelled *s, const struct modelled_kind *k, const struct param *p, bool larger)
{
	const struct param *number;

	for (size_t i = 0; i < s->measured; i++)
		if (modelled_kind_differs(k, &s->kinds[i], &number) && number == p &&
			(modelled_number(p, &s->kinds[i]) > modelled_number(p, k)) == larger)
			return &s->kinds[i];
	return NULL;
}

/* Is it between two that were measured? Then its units are as theirs. */
static bool is_told(const struct modelled *s, struct modelled_kind *k)
{
	for (const struct param *p = next_number(k, k->kernel->params); p;
		p = next_number(k, p + 1)) {
		const struct modelled_kind *low = beside(s, k, p, false);

		if (!low || !beside(s, k, p, true))
			continue;
		k->units = low->units;
		k->elements = low->elements;
		return true;
	}
	return false;
}

long modelled_kernel(struct modelled *s, const struct plan_job *job, const struct plan_vector *v,
	int cores, bool learn)
{
	struct modelled_kind k = modelled_kind_of(job, v, cores);
	size_t n = s->machine.kernels, i = 0;

	while (i < n && !is_same(&s->kinds[i], &k))
		i++;
	if (i < n || !(learn || is_told(s, &k))) {
		free(k.args);
		return i < n ? (long)i : -1;
	}
	s->kinds = alloc_grow(s->kinds, n, sizeof(*s->kinds));
	s->kernels = alloc_grow(s->kernels, n, sizeof(*s->kernels));
	s->kinds[n] = k;
	s->kernels[n] = (struct model_kernel){lines_of(job, v->type), plan_work(job).stores > 0};
	s->machine.kernel = s->kernels;
	s->machine.kernels++;
	return (long)n;
}

char *modelled_units(const struct modelled *s, const struct plan *p, const struct plan_op *op,
	int thread, struct model_thread *out)
{
	const struct plan_vector *v = &p->vectors[p->threads[thread].vector_ids[0]];
	const struct plan_job *job = &op->jobs[thread];
	const struct modelled_kind *k = &s->kinds[out->kernel];

	if (p->request->window_ns)
		return NULL;
	/* a round of some kernels is so many accesses, whatever the vector */
	if (k->elements && k->elements != v->elements && fabs(k->units - 1) > 1e-3) {
		char *set = modelled_set_kernel(k->kernel);
		char *why = alloc_format(
			"%s was measured with vectors of %llu elements only, and a round of it "
			"need not visit all of them: args/profile/03_alone.args with --set %s and "
			"a second --set sizePerVector",
			job->name, (unsigned long long)k->elements, set);

		free(set);
		return why;
	}
	out->units =
		k->units * (double)v->elements * (job->calibrated ? 1 : (double)job->common.passes);
	return isfinite(out->units) ? NULL
				    : alloc_format("%s was measured in mode: time only", job->name);
}

void modelled_take_units(struct modelled *s, const struct plan *p, const struct model_thread *t,
	int thread, double units)
{
	const struct plan_vector *v = &p->vectors[p->threads[thread].vector_ids[0]];
	struct modelled_kind *k = &s->kinds[t->kernel];
	const double each = units / ((double)v->elements * t->share);

	if (isnan(k->units)) {
		k->units = each;
		k->elements = v->elements;
	} else if (k->elements != v->elements && fabs(k->units / each - 1) < 1e-3) {
		k->elements = 0;
	}
}

char *modelled_kind_name(const struct modelled *s, size_t kernel)
{
	const struct modelled_kind *k = &s->kinds[kernel];
	const char *cores = topo_kind_name(s->topo, k->cores);
	char *name = alloc_format("%s on %s, pages %s", registry_name(k->kernel),
		element_names[k->type], pages_names[k->pages]);

	for (const struct param *p = next_number(k, k->kernel->params); p;
		p = next_number(k, p + 1))
		if (beside(s, k, p, false) || beside(s, k, p, true))
			alloc_append(&name, ", ", "%s %g%s", p->name, modelled_number(p, k),
				p->type == PARAM_EXTENT ? "B" : "");
	if (cores)
		alloc_append(&name, ", ", "cores %s", cores);
	return name;
}
