/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mixes and places of programs. */
#include "affinity-map/plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "mapping/profile.h"
#include "mapping/seats.h"

static bool is_folder(const char *path)
{
	struct stat s;

	return !stat(path, &s) && S_ISDIR(s.st_mode);
}

/* The mix of the program as a whole is the mean of its threads' mixes. */
static void take_means(struct map_app *app)
{
	for (int type = 0; type < MAPPING_TYPES; type++) {
		app->share[type] = 0;
		for (int k = 0; k < app->threads; k++)
			app->share[type] += app->mixes[k].share[type] / app->threads;
	}
}

/* Counts are per thread, so they are kept for each thread as well. A row of the whole command comes
 * before one of the program's name: a program does different things with different arguments. */
static void take_mix(struct map_app *app, const struct profile *p, struct errors *e)
{
	char *command = map_command(app);
	const char *name = profile_has(p, command) ? command : app->name;
	bool by_thread = profile_by_thread(p, name);
	struct mapping_thread *mixes = alloc_zeroed((size_t)app->threads, sizeof(*mixes));
	bool counted = true;
	int k = 0;

	for (; k < app->threads; k++) {
		const struct profile_row *row = profile_find(p, name, by_thread ? k : -1, e);

		if (!row)
			break;
		memcpy(mixes[k].share, row->share, sizeof(mixes[k].share));
		memcpy(mixes[k].count, row->count, sizeof(mixes[k].count));
		mixes[k].counted = row->counted;
		counted = counted && row->counted;
	}
	if (k == app->threads) {
		app->mixes = mixes;
		app->has_mix = true;
		take_means(app);
	} else if (k) {
		app->why = alloc_format("the profile has no row of thread %d", k);
	}
	if (!app->mixes || !(by_thread || counted)) {
		app->mixes = NULL;
		free(mixes);
	}
	free(command);
}

static int mix_of_folder(struct map_app *app, const char *folder, struct errors *e)
{
	char *path = alloc_format("%s/%s.csv", folder, app->name);
	struct profile p = {0};
	/* a program of which it has no profile is no mistake */
	int failed = access(path, F_OK) && errno != EACCES ? 0 : profile_read(&p, path, NOWHERE, e);

	take_mix(app, &p, e);
	profile_free(&p);
	free(path);
	return failed;
}

static int read_mixes(struct map_app *apps, int n, const char *profile, struct errors *e)
{
	struct profile p = {0};
	int failed = 0;

	if (!profile)
		return 0;
	if (is_folder(profile)) {
		for (int i = 0; i < n; i++)
			failed |= mix_of_folder(&apps[i], profile, e);
		return failed;
	}
	failed = profile_read(&p, profile, NOWHERE, e);
	for (int i = 0; i < n && !failed; i++)
		take_mix(&apps[i], &p, e);
	profile_free(&p);
	return failed;
}

int map_mix(struct map_app *apps, int n, const char *profile, struct errors *e)
{
	size_t before = e->failures;
	int failed = read_mixes(apps, n, profile, e);

	return failed || e->failures != before ? -1 : 0;
}

/* Threads of all programs, ordered by program. */
static struct mapping_thread *threads_of(const struct map_app *apps, int n, int *count)
{
	struct mapping_thread *threads = NULL;

	*count = 0;
	for (int i = 0; i < n; i++)
		for (int k = 0; k < apps[i].threads; k++) {
			threads = alloc_grow(threads, (size_t)*count, sizeof(*threads));
			struct mapping_thread *thread = &threads[(*count)++];

			*thread = apps[i].mixes ? apps[i].mixes[k] : (struct mapping_thread){0};
			thread->application = i;
			if (!apps[i].mixes)
				memcpy(thread->share, apps[i].share, sizeof(thread->share));
		}
	return threads;
}

static const struct map_app *without_mix(const struct map_app *apps, int n)
{
	for (int i = 0; i < n; i++)
		if (!apps[i].has_mix)
			return &apps[i];
	return NULL;
}

bool map_lacks_mix(const struct map_app *apps, int n)
{
	return without_mix(apps, n) != NULL;
}

static void hand_out(struct map_layout *l, const struct map_app *apps, int n, const int *place,
	const struct mapping_seat *seats)
{
	l->cpus = alloc_zeroed((size_t)n, sizeof(*l->cpus));
	for (int i = 0; i < n; i++) {
		l->cpus[i] = alloc_zeroed((size_t)apps[i].threads, sizeof(**l->cpus));
		for (int k = 0; k < apps[i].threads; k++, place++)
			l->cpus[i][k] = *place < 0 ? -1 : seats[*place].cpu;
	}
}

int map_layout(struct map_layout *l, const struct mapping_request *r, const struct map_app *apps,
	int n, const struct topo *t, struct errors *e)
{
	const struct map_app *unknown =
		r->choice.method == MAPPING_INSTRUCTION ? without_mix(apps, n) : NULL;
	struct mapping_request request = *r;
	int count, nseats;
	struct mapping_seat *seats = seats_for(t, &r->choice, &nseats, "mapping", NOWHERE, e);
	struct mapping_thread *threads = threads_of(apps, n, &count);
	int *place = alloc_zeroed((size_t)count + 1, sizeof(*place));
	char why[512];

	if (unknown)
		request.choice.method = MAPPING_COMPACT;
	*l = (struct map_layout){.asked = r->choice.method,
		.method = request.choice.method,
		.name = mapping_name(&request.choice)};
	int failed = !seats || mapping_make(&request, seats, nseats, threads, count, place, why,
				       sizeof(why)) < 0;
	if (failed && seats) {
		error_add(e, STATUS_PLACEMENT, NOWHERE, "mapping %s: %s",
			unknown ? mapping_methods[r->choice.method] : l->name, why);
		if (!r->oversubscribe && count > nseats)
			error_hint(e, "--threads sets how many threads each program has; "
				      "--oversubscribe lets them take turns");
	} else if (!failed) {
		hand_out(l, apps, n, place, seats);
		l->why = unknown ? alloc_format("no instruction mix of '%s' is known "
						"(--profile%s%s)",
					   unknown->name, unknown->why ? "; " : "",
					   unknown->why ? unknown->why : "")
				 : alloc_string(why, strlen(why));
	}
	free(place);
	free(threads);
	free(seats);
	return failed ? -1 : 0;
}

char *map_layout_title(const struct map_layout *l)
{
	if (l->asked == l->method)
		return alloc_format("%s", l->name);
	return alloc_format("%s, in place of %s", l->name, mapping_methods[l->asked]);
}

void map_layout_free(struct map_layout *l, int n)
{
	for (int i = 0; l->cpus && i < n; i++)
		free(l->cpus[i]);
	free(l->cpus);
	free(l->name);
	free(l->why);
	*l = (struct map_layout){0};
}

char *map_command(const struct map_app *app)
{
	char *text = alloc_format("%s", app->name);

	for (char **word = app->argv + 1; *word; word++)
		alloc_append(&text, "", " %s", *word);
	return text;
}

void map_app_free(struct map_app *app)
{
	free(app->mixes);
	free(app->path);
	free(app->why);
}
