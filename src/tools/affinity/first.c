/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts the batch of args/first, and prints its results on one screen. */
#include "affinity/first.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/installed.h"
#include "base/output.h"
#include "base/terminal.h"
#include "describe/describe.h"
#include "affinity/menu.h"
#include "affinity/screen.h"
#include "report/picture.h"
#include "system/conditions.h"

bool first_is_asked(const char *word)
{
	struct stat st;

	return word && !strcmp(word, "first") && (stat(word, &st) || !S_ISREG(st.st_mode));
}

/* It runs this program, which need not lie beside it. */
static void name_driver(void)
{
	char self[4096];
	const ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (length <= 0)
		return;
	self[length] = '\0';
	setenv("AFFINITY", self, 1);
}

void first_start(char *const words[], struct errors *e)
{
	char *args = installed_args(), **command = NULL;
	size_t n = 0;

	if (!args) {
		error_add(e, STATUS_FAILED, NOWHERE, "no folder args is beside the program");
		return;
	}
	char *batch = alloc_format("%s/../scripts/ejec.sh", args);

	while (words[n])
		n++;
	command = alloc_zeroed(n + 3, sizeof(*command));
	command[0] = batch;
	command[1] = (char *)(uintptr_t) "--first";
	memcpy(command + 2, words, n * sizeof(*words));
	name_driver();
	execv(batch, command);
	error_add(e, STATUS_FAILED, NOWHERE, "'%s' cannot be started: %s", batch, strerror(errno));
	free(command);
	free(batch);
	free(args);
}

/* "2 packages, " */
static void count_of(const char *what, int n, FILE *out)
{
	fprintf(out, ", %d %s%s", n, what, text_s((unsigned long long)n));
}

static void print_machine(const struct topo *t, FILE *out)
{
	const int last = topo_last_level(t);
	const struct topo_cache *c = &t->caches[last];
	char size[32];

	if (t->npackages)
		fprintf(out, "%d package%s, ", t->npackages,
			text_s((unsigned long long)t->npackages));
	fprintf(out, "%d node%s", t->nnodes, text_s((unsigned long long)t->nnodes));
	if (last)
		fprintf(out, ", %d L%d of %s%s", c->count, last,
			topo_cache_sizes_differ(t, last) ? "up to " : "",
			text_size(c->bytes, size, sizeof(size)));
	count_of("core", t->ncores, out);
	count_of("CPU", t->ncpus, out);
}

/* "HOST: 2 packages, ...", with the time on the right. */
static void print_head(const struct screen *s, FILE *out)
{
	struct buffer text;
	FILE *head = buffer_open(&text);

	fprintf(head, "%s: ", document_fact(s->documents, "host"));
	print_machine(s->topo, head);
	buffer_close(&text, head);
	const int room = SCREEN_WIDTH - (int)strlen(text.data);
	const int seconds = (int)(s->seconds + 0.5);

	fprintf(out, "%s%*d:%02d\n", text.data, room > 8 ? room - 3 : 3, seconds / 60,
		seconds % 60);
	free(text.data);
}

/* What other work does to all figures; a trial, or an interruption, does not. */
static bool is_shared(const struct quality *q)
{
	return q->others > condition_others.fair || q->steal > condition_steal.fair || q->throttled;
}

/* How quiet it was and, where others worked, too, what that does to the figures. To be freed. */
static char *words_of_trust(const struct screen *s)
{
	const struct quality *q = &s->quality;
	char *shared = quality_conditions(q), *reasons = quality_reasons(q), *text = NULL;

	if (q->word != TRUST_WEAK)
		text = quality_text(q);
	else if (*shared)
		text = alloc_format("%s%s%s%s", shared,
			is_shared(q) ? ": times are too long and rates too low" : "",
			*reasons ? "; weak figures: " : "", reasons);
	else
		text = alloc_format("most figures are weak: %s", reasons);
	if (s->cut)
		alloc_append(&text, "; ", "%zu of %zu files ended early, as the time was over",
			s->cut, s->ndocuments);
	free(shared);
	free(reasons);
	return text;
}

static const char *date_of(const struct document *d)
{
	return document_fact(d, "date");
}

static const char *newest_date(const struct screen *s)
{
	const char *newest = date_of(s->documents);

	for (size_t i = 1; i < s->ndocuments; i++)
		if (strcmp(date_of(&s->documents[i]), newest) > 0)
			newest = date_of(&s->documents[i]);
	return newest;
}

static double seconds_of(const char *date)
{
	struct tm t = {0};
	const char *end = strptime(date, "%Y-%m-%dT%H:%M:%SZ", &t);

	return end && !*end ? (double)timegm(&t) : NAN;
}

/* Beyond twice what was measured, so much may pass between the files of a batch: programs start. */
#define BETWEEN_S 300

/* When it was measured; files of an earlier batch stay where a later one was stopped. */
static void print_date(const struct screen *s, int cuts, FILE *out)
{
	const char *newest = newest_date(s), *oldest = newest;
	size_t older = 0;

	for (size_t i = 0; i < s->ndocuments; i++) {
		const char *date = date_of(&s->documents[i]);

		oldest = strcmp(date, oldest) < 0 ? date : oldest;
		older += !(seconds_of(newest) - seconds_of(date) <= 2 * s->seconds + BETWEEN_S);
	}
	if (!older && cuts >= SCREEN_NO_EXPERIMENTS)
		return;
	fprintf(out, "measured %s", newest);
	if (older)
		fprintf(out, "; %zu of %zu files are older, from %s", older, s->ndocuments, oldest);
	fputc('\n', out);
}

static void print_experiments(
	const struct options *o, const struct screen *s, const struct topo *t, FILE *out)
{
	char time[32];

	fputs("in full: affinity", out);
	for (size_t i = 0; i < s->experiments.count; i++)
		fprintf(out, "%s %s (%s)", i ? "," : "", s->experiments.word[i],
			menu_time(o, s->experiments.word[i], t, time, sizeof(time)));
	fputc('\n', out);
}

/* A picture that would push the figures off the screen is left to --topology. */
#define PICTURE_LINES 16

static void print_picture(const struct topo *t, FILE *out)
{
	struct buffer text;
	FILE *picture = buffer_open(&text);
	char levels[256];

	report_picture(t, picture);
	buffer_close(&text, picture);
	if (terminal_lines(text.data) <= PICTURE_LINES)
		fputs(text.data, out);
	else
		fprintf(out, "%s; affinity --topology draws them\n",
			topo_level_list(t, levels, sizeof(levels)));
	free(text.data);
}

/* Takes out of a screen what does not fit: SCREEN_... */
static void print_all(
	const struct options *o, const struct screen *s, bool colours, int cuts, FILE *out)
{
	char *trust = words_of_trust(s);

	print_head(s, out);
	fprintf(out, "%s\n", trust);
	free(trust);
	print_date(s, cuts, out);
	if (cuts < SCREEN_NO_PICTURE)
		print_picture(s->topo, out);
	screen_print(s, colours, cuts, out);
	screen_changes(s, o->shown, out);
	if (cuts < SCREEN_NO_EXPERIMENTS)
		print_experiments(o, s, s->topo, out);
}

/* As wide as asked. To be freed. */
static char *screen_lines(
	const struct options *o, const struct screen *s, bool colours, int cuts, int width)
{
	struct buffer text, folded;
	FILE *out = buffer_open(&text);

	print_all(o, s, colours, cuts, out);
	buffer_close(&text, out);
	out = buffer_open(&folded);
	terminal_fold(text.data, width, out);
	free(text.data);
	return buffer_text(&folded, out);
}

/* The prompt of the shell, and where the results are. */
#define LINES_OF_OTHERS 2

/* As long and as wide as the terminal. To be freed. */
static char *screen_of_terminal(const struct options *o, const struct screen *s, bool colours)
{
	const int width = terminal_width(stdout);
	const int room = terminal_height(stdout) - LINES_OF_OTHERS;
	char *lines = screen_lines(o, s, colours, SCREEN_WHOLE, width);

	for (int cuts = 1; cuts <= SCREEN_SHORTEST && terminal_lines(lines) > room; cuts++) {
		free(lines);
		lines = screen_lines(o, s, colours, cuts, width);
	}
	return lines;
}

static int write_text(const struct options *o, const struct screen *s, struct errors *e)
{
	const char *path = o->outputs[OUTPUT_TEXT];
	const bool terminal = !strcmp(path, "-") && isatty(STDOUT_FILENO);
	const char *no_colour = getenv("NO_COLOR");
	char *lines = terminal ? screen_of_terminal(o, s, !no_colour || !*no_colour)
			       : screen_lines(o, s, false, SCREEN_WHOLE, SCREEN_WIDTH);
	const int failed = output_write(path, lines, strlen(lines), e);

	free(lines);
	return failed;
}

static int write_json(const struct options *o, const struct screen *s, struct errors *e)
{
	char *trust = words_of_trust(s);
	char *json = describe_figures(
		document_fact(s->documents, "host"), newest_date(s), trust, s->figures, s->count);
	const int failed = output_write(o->outputs[OUTPUT_JSON], json, strlen(json), e);

	free(json);
	free(trust);
	return failed;
}

void first_show(const struct options *o, const struct topo *t, struct errors *e)
{
	struct screen s;

	if (!screen_read(&s, o->shown, t, e) && !write_text(o, &s, e) && o->outputs[OUTPUT_JSON])
		write_json(o, &s, e);
	screen_free(&s);
}
