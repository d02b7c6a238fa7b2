/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts a candidate as its command line would, and reads its figure. */
#include "affinity-map/trial.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "affinity-map/launch.h"

extern char **environ;

#define MAX_ATTEMPTS 3 /* as of job_attempts() */

static bool sets(const struct candidate *c, const char *entry)
{
	for (size_t i = 0; i < c->set.count; i++) {
		size_t length = (size_t)(strchr(c->set.word[i], '=') - c->set.word[i]) + 1;

		if (!strncmp(c->set.word[i], entry, length))
			return true;
	}
	return false;
}

/* The list is to be freed, its strings are not. */
static char **environment(const struct candidate *c)
{
	size_t count = 0, n = 0;

	while (environ[count])
		count++;
	char **env = alloc_zeroed(count + c->set.count + 1, sizeof(*env));
	for (size_t i = 0; i < count; i++)
		if (!sets(c, environ[i]))
			env[n++] = environ[i];
	for (size_t i = 0; i < c->set.count; i++)
		env[n++] = c->set.word[i];
	return env;
}

static char *why_failed(const struct launch *p)
{
	if (p->late)
		return alloc_format(
			"it still ran after %.3g s, and was ended", (double)p->limit_ns * 1e-9);
	if (p->error)
		return alloc_format("it could not be started: %s", strerror(p->error));
	if (p->stuck)
		return alloc_format(
			"it was stopped by signal %d (%s)", p->stuck, strsignal(p->stuck));
	if (WIFSIGNALED(p->status))
		return alloc_format("it died by signal %d (%s)", WTERMSIG(p->status),
			strsignal(WTERMSIG(p->status)));
	if (WEXITSTATUS(p->status))
		return alloc_format("it ended with status %d", WEXITSTATUS(p->status));
	return NULL;
}

static void read_value(struct trial *t, FILE *output, const struct trial_measure *m)
{
	struct figure f;

	t->value = t->wall_s;
	if (!m->figure)
		return;
	rewind(output);
	figure_find(output, m->figure, &f);
	t->failed = f.doubt;
	t->value = m->larger ? 1 / f.value : f.value;
	memcpy(t->unit, f.unit, sizeof(t->unit));
	t->no_figure = !t->failed && !(f.value > 0);
	if (t->no_figure)
		t->failed = alloc_format("its output has no figure above 0");
	if (!t->failed && m->unit && figure_other_unit(m->unit, f.unit))
		t->failed = alloc_format(
			"its figure is in '%s', and in the first run in '%s'", f.unit, m->unit);
}

static int attempt(
	struct trial *t, struct launch *p, const struct trial_measure *m, struct errors *e)
{
	int fd = m->figure ? memfd_create("figure", MFD_CLOEXEC) : -1;
	FILE *output = fd >= 0 ? fdopen(fd, "r") : NULL;

	if (m->figure && !output) {
		if (fd >= 0)
			close(fd);
		return error_add(e, STATUS_FAILED, NOWHERE,
			"no memory for the program's output: %s", strerror(errno));
	}
	p->output = output ? fd : 0;
	int failed = launch_all(p, 1, &t->interrupted, e);

	t->wall_s = p->wall_s;
	t->written_bytes = p->written_bytes;
	t->left = p->left || p->strays;
	t->late = p->late;
	t->no_format = p->error == ENOEXEC;
	t->failed = failed ? NULL : why_failed(p);
	if (!failed && !t->failed)
		read_value(t, output, m);
	if (output)
		fclose(output);
	return failed;
}

/* The list is to be freed, its words are not. */
static char **arguments(const struct candidate *c, const struct map_app *app)
{
	size_t own = 0;

	while (app->argv[own])
		own++;
	char **argv = alloc_zeroed(c->before.count + own + 1, sizeof(*argv));

	for (size_t i = 0; i < c->before.count; i++)
		argv[i] = c->before.word[i];
	for (size_t i = 0; i < own; i++)
		argv[c->before.count + i] = app->argv[i];
	return argv;
}

/* What looks at a run from its beginning on. */
struct looking {
	const struct candidate *candidate;
	struct proof *proof; /* NULL: nothing does */
	double interval_s;
	struct proof_watch *watch;
};

/* A watch that cannot be had leaves the proof without looks. */
static int begin_watch(void *arg, pid_t process)
{
	struct looking *l = arg;

	l->watch = proof_begin(l->proof, l->candidate, process, l->interval_s);
	return 0;
}

static int run_trial(struct trial *t, const struct candidate *c, const struct map_app *app,
	const struct trial_measure *m, struct looking *l, struct errors *e)
{
	char **env = environment(c), **argv = arguments(c, app);
	bool paused = true;
	int failed = 0;

	*t = (struct trial){0};
	for (int i = 0; i < MAX_ATTEMPTS && paused && !failed; i++) {
		struct launch p = {.path = c->before.count ? c->before.word[0] : app->path,
			.argv = argv,
			.env = env,
			.cpus = c->cpus,
			.ncpus = c->ncpus,
			.mute = true,
			.policy = c->policy,
			.nodes = c->policy ? c->nodes : NULL,
			.limit_ns = (uint64_t)(m->limit_s * 1e9),
			.held = l->proof ? begin_watch : NULL,
			.arg = l};

		free(t->failed);
		failed = attempt(t, &p, m, e);
		proof_end(l->watch);
		l->watch = NULL;
		paused = p.paused && !t->interrupted;
	}
	if (paused && !failed)
		failed = error_add(e, STATUS_FAILED, NOWHERE,
			"affinity-map was stopped during %d runs in a row", MAX_ATTEMPTS);
	free(env);
	free(argv);
	return failed;
}

int trial_run(struct trial *t, const struct candidate *c, const struct map_app *app,
	const struct trial_measure *m, struct errors *e)
{
	struct looking nothing = {c, NULL, 0, NULL};

	return run_trial(t, c, app, m, &nothing, e);
}

int trial_prove(struct trial *t, const struct candidate *c, const struct map_app *app,
	const struct trial_measure *m, double interval_s, struct proof *proof, struct errors *e)
{
	struct looking l = {c, proof, interval_s, NULL};

	*proof = (struct proof){0};
	return run_trial(t, c, app, m, &l, e);
}
