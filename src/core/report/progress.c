/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rewrites one line of the terminal; elsewhere writes a line a minute. */
#include "report/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/terminal.h"

/* Often enough to look alive. Each update costs a system call and keeps another process busy. */
#define INTERVAL_NS UINT64_C(500000000)
/* Of lines that stay, in the log of a batch. */
#define LOG_INTERVAL_NS UINT64_C(60000000000)

void progress_init(struct progress *p, bool quiet)
{
	uint64_t now = clock_ns();

	*p = (struct progress){.on = !quiet, .terminal = isatty(STDERR_FILENO), .start_ns = now};
	p->shown_ns = p->terminal ? 0 : now;
}

void progress_begin(struct progress *p, const char *what, double guess_s)
{
	if (p->on)
		fprintf(stderr, "affinity: %s: about %.0f s\n", what, guess_s);
}

static void print_step(const struct experiment_step *s, FILE *out)
{
	if (s->what == STEP_TOUCHING)
		fprintf(out, "touching vectors");
	else if (s->what == STEP_PREPARING && s->preparing)
		fprintf(out, "%s for %s", s->preparing, s->op);
	else if (s->what == STEP_PREPARING)
		fprintf(out, "preparing %s", s->op);
	else if (s->warming)
		fprintf(out, "%s, warm-up %zu", s->op, s->sample + 1);
	else if (s->sample < s->samples)
		fprintf(out, "%s, sample %zu of %zu", s->op, s->sample + 1, s->samples);
	else
		fprintf(out, "%s, sample %zu, for targetError", s->op, s->sample + 1);
}

/* After a part of the time that is too short, what is left would be a guess and no more. */
#define LEAST_PART 0.01

void progress_text(const struct experiment_step *s, double elapsed_s, FILE *out)
{
	if (s->runs > 1)
		fprintf(out, "run %zu of %zu%s%s: ", s->run + 1, s->runs, *s->label ? ", " : "",
			s->label);
	print_step(s, out);
	fprintf(out, "; %.0f s", elapsed_s);
	if (s->done_s > LEAST_PART * s->all_s && s->done_s < s->all_s)
		fprintf(out, ", about %.0f s to go",
			elapsed_s / s->done_s * (s->all_s - s->done_s));
}

/* The time that is left is worth more than the names of values. */
static void show_line(const struct experiment_step *s, double elapsed_s)
{
	struct experiment_step brief = *s;
	struct buffer line;
	FILE *out = buffer_open(&line);

	progress_text(s, elapsed_s, out);
	buffer_close(&line, out);
	if (line.size >= (size_t)terminal_width(stderr)) {
		free(line.data);
		brief.label = "";
		out = buffer_open(&line);
		progress_text(&brief, elapsed_s, out);
		buffer_close(&line, out);
	}
	terminal_status(line.data, stderr);
	free(line.data);
}

void progress_show(void *arg, const struct experiment_step *step)
{
	struct progress *p = arg;
	uint64_t now = clock_ns();

	/* nothing else is told while this takes long, so it must not be told as the step before */
	bool at_once = p->terminal && step->what == STEP_PREPARING && step->preparing;
	bool due = now - p->shown_ns >= (p->terminal ? INTERVAL_NS : LOG_INTERVAL_NS);

	if (!p->on || !(due || at_once))
		return;
	/* what is told at once does not put off the next one: short placements show samples, too */
	if (due)
		p->shown_ns = now;
	const double elapsed_s = (double)(now - p->start_ns) * 1e-9;

	if (p->terminal) {
		show_line(step, elapsed_s);
		return;
	}
	fputs("affinity: ", stderr);
	progress_text(step, elapsed_s, stderr);
	fputc('\n', stderr);
	fflush(stderr);
}

void progress_end(struct progress *p)
{
	if (p->on && p->terminal && p->shown_ns)
		terminal_status("", stderr);
}
