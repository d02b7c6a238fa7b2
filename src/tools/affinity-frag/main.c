/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * affinity-frag: breaks a node's free memory, holds it so while a program runs, and mends it.
 *
 * options.c reads what is asked for, fragment.c breaks a node's memory (pins.c block by block,
 * late.c and chosen.c by other ways, crew.c by many threads) and proves it by node.c, hold.c holds
 * it while a command runs, mend.c brings free blocks together afterwards. record.c notes what was
 * there before, for a start after SIGKILL; signals.c and protect.c let this process clean up and
 * die alone.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/terminal.h"
#include "base/ending.h"
#include "base/text.h"
#include "base/name.h"
#include "base/version.h"
#include "affinity-frag/fragment.h"
#include "affinity-frag/hold.h"
#include "affinity-frag/late.h"
#include "affinity-frag/mend.h"
#include "affinity-frag/options.h"
#include "affinity-frag/physical.h"
#include "affinity-frag/protect.h"
#include "affinity-frag/record.h"
#include "affinity-frag/signals.h"
#include "system/program.h"

const char PROGRAM_NAME[] = "affinity-frag";

struct session {
	const struct frag_options *options;
	struct node node;
	struct record record;
	char *path; /* of the command */
	int status; /* of the command; or 128 + a signal that came while blocks were broken */
	struct errors *e;
};

static int find_command(struct session *s)
{
	const char *name = s->options->argv[0];

	if (!name)
		return 0;
	s->path = program_command(name, s->e);
	return s->path ? 0 : -1;
}

/* A line on standard error: standard output is the command's. */
static void print_blocks(const struct session *s, const struct node_free *f, const char *what)
{
	char all[32], huge[32], block[32];

	fprintf(stderr, "node %d: %s free, %s of it in blocks of %s and more%s\n", s->node.id,
		node_size(&s->node, f->all, all, sizeof(all)),
		node_size(&s->node, f->huge, huge, sizeof(huge)),
		text_size(s->node.huge, block, sizeof(block)), what);
}

/* The kernel's own numbers: all zones, every order from that of a huge page on. */
static void prove(const struct session *s, const struct node_free *f, const struct pins *p)
{
	char withheld[32];

	fprintf(stderr, "node %d: %" PRIu64 " block%s broken; /proc/buddyinfo:", s->node.id,
		p->broken, text_s(p->broken));
	for (int order = s->node.order; order < f->norders; order++)
		fprintf(stderr, "%s %" PRIu64 " of order %d", order > s->node.order ? "," : "",
			f->blocks[order], order);
	if (f->withheld)
		fprintf(stderr, "; %s of these the kernel gives to no program",
			node_size(&s->node, f->withheld, withheld, sizeof(withheld)));
	fputc('\n', stderr);
}

/* After one that was killed blocks may still be apart. */
static void note_before(struct session *s, uint64_t huge)
{
	uint64_t found = s->record.found;
	struct errors own = {0};
	char was[32], is[32];

	if (found > huge && !fragment_near(&s->node, found, huge)) {
		error_warn(&own,
			"an affinity-frag ended before its blocks were together: node %d had %s "
			"in large blocks before it, and has %s",
			s->node.id, node_size(&s->node, found, was, sizeof(was)),
			node_size(&s->node, huge, is, sizeof(is)));
		error_hint(&own, "affinity-frag --undo --node %d drives them together", s->node.id);
	}
	errors_print(&own, 0, stderr);
	errors_free(&own);
	record_note(&s->record, found > huge ? found : huge);
}

static int stopped(void)
{
	return signals_wait(0, NULL);
}

static void tell_apart(const struct session *s, const struct mend_goal *goal, uint64_t were,
	const struct node_free *f, struct errors *e)
{
	char is[32], before[32];

	error_warn(e, "node %d: %s are in large blocks, of %s that were: the others stay apart",
		s->node.id, node_size(&s->node, f->huge, is, sizeof(is)),
		node_size(&s->node, were, before, sizeof(before)));
	if (goal->all)
		error_hint(e, "other programs have memory in them; as root, echo 1 "
			      ">/proc/sys/vm/drop_caches frees that of files");
	else
		error_hint(e,
			"affinity-frag --undo --node %d drives them together, but for those in "
			"which other programs have memory",
			s->node.id);
}

static void tell_ended(const struct session *s, struct errors *e)
{
	error_warn(e, "node %d: a signal ended it before its blocks were together", s->node.id);
	error_hint(e, "affinity-frag --undo --node %d drives them together", s->node.id);
}

/* A signal may have come before; another one ends the mending, and the note stays. were: pages in
 * large blocks before, of which the goal may leave some. */
static void drive_together(struct session *s, struct pins *held, const struct mend_goal *goal,
	uint64_t were, struct errors *e)
{
	struct node_free f;

	signals_forget();
	int failed = mend(&s->node, held, goal, e);
	if (failed >= 0 && !node_read(&s->node, &f, e)) {
		print_blocks(s, &f, " now");
		if (failed && stopped())
			tell_ended(s, e);
		else if (failed && goal->pages != UINT64_MAX)
			tell_apart(s, goal, were, &f, e);
	}
	record_close(&s->record, failed >= 0 && !stopped());
}

static void tell_ranges(const struct session *s, const struct fragment_left *left)
{
	char longest[32];

	if (left->longest)
		fprintf(stderr,
			"node %d: in %" PRIu64 " physical range%s, the longest of %s (%s)\n",
			s->node.id, left->ranges, left->ranges == 1 ? "" : "s",
			node_size(&s->node, left->longest, longest, sizeof(longest)),
			PHYSICAL_FLAGS);
	else
		fprintf(stderr,
			"node %d: in at most %" PRIu64
			" physical ranges, as it is so many blocks\n",
			s->node.id, left->ranges);
}

/* For the program that asked for it; if that has ended, nobody reads. */
__attribute__((format(printf, 2, 3))) static void amount(
	const struct session *s, const char *format, ...)
{
	va_list values;

	if (s->options->amounts < 0)
		return;
	va_start(values, format);
	vdprintf(s->options->amounts, format, values);
	va_end(values);
}

static void hold_broken(struct session *s, const struct fragment_left *left, const struct pins *p)
{
	struct hold h = {.node = &s->node,
		.left = left->free.huge,
		.argv = s->options->argv,
		.path = s->path};
	char most[32], block[32];

	amount(s, "left %" PRIu64 " free %" PRIu64 " broken %" PRIu64 "\n",
		left->free.huge * s->node.base, left->free.all * s->node.base, p->broken);
	print_blocks(s, &left->free, " left");
	prove(s, &left->free, p);
	if (s->options->ranges)
		tell_ranges(s, left);
	if (hold(&h, s->e))
		return;
	s->status = h.status;
	amount(s, "most %" PRIu64 "\n", h.most * s->node.base);
	fprintf(stderr, "node %d: at most %s in blocks of %s and more meanwhile\n", s->node.id,
		node_size(&s->node, h.most, most, sizeof(most)),
		text_size(s->node.huge, block, sizeof(block)));
}

/* What was broken comes back as blocks, but for a twentieth. */
static void give_back(struct session *s, struct pins *p, struct errors *e)
{
	uint64_t pages = p->broken * (s->node.huge / s->node.base);
	struct node_free f;
	int failed = node_read(&s->node, &f, e);
	const struct mend_goal goal = {.pages = f.huge + pages - pages / 20, .stop = stopped};

	if (pages && !failed) {
		drive_together(s, p, &goal, f.huge + pages, e);
		return;
	}
	pins_free(p, &s->node);
	record_close(&s->record, s->record.found == 0);
}

/* What the allocator gets later would be large blocks, too, and come when those that are left run
 * out.
 */
static int call_late(struct session *s)
{
	uint64_t late = zoneinfo_late(&s->node.limits, s->node.id);
	char size[32];

	if (!late)
		return 0;
	fprintf(stderr,
		"node %d: %s have not been given to the kernel's allocator yet "
		"(/proc/zoneinfo): all huge pages are taken for a moment, so that it gets them\n",
		s->node.id, node_size(&s->node, late, size, sizeof(size)));
	if (late_call(&s->node, stopped, s->e))
		return -1;
	late = zoneinfo_late(&s->node.limits, s->node.id);
	if (!late || stopped())
		return 0;
	error_warn(s->e,
		"node %d: %s are still not with the kernel's allocator, and may become large "
		"blocks when those that are left are taken",
		s->node.id, node_size(&s->node, late, size, sizeof(size)));
	error_hint(s->e, "a larger memory.max of the control group, or fewer other programs, let "
			 "affinity-frag take them first");
	return 0;
}

static void break_node(struct session *s)
{
	const struct fragment_goal goal = {
		s->options->leave_bytes / s->node.base, s->options->ranges};
	struct fragment_left left;
	struct node_free f;
	struct pins pins = {0};
	struct errors own = {0};

	if (node_read(&s->node, &f, s->e))
		return;
	note_before(s, f.huge);
	print_blocks(s, &f, " before");
	if (call_late(s)) {
		give_back(s, &pins, &own);
		return;
	}
	int failed = fragment(&s->node, &goal, &pins, &left, s->e);
	if (failed > 0)
		s->status = 128 + stopped();
	else if (!failed)
		hold_broken(s, &left, &pins);
	give_back(s, &pins, &own);
	errors_print(&own, 0, stderr);
	errors_free(&own);
}

static void undo(struct session *s)
{
	struct node_free f;

	if (node_read(&s->node, &f, s->e))
		return;
	const struct mend_goal goal = {.pages = s->record.found ? s->record.found : UINT64_MAX,
		.all = true,
		.stop = stopped};

	print_blocks(s, &f, " before");
	drive_together(s, NULL, &goal, s->record.found, s->e);
}

static void perform_session(struct session *s)
{
	bool breaks = s->options->action == FRAG_BREAK;

	if (!find_command(s) && !node_open(&s->node, s->options->node, s->e) &&
		!record_open(&s->record, s->node.id, s->e)) {
		signals_hold();
		protect_others();
		if (breaks)
			break_node(s);
		else
			undo(s);
	}
	node_free(&s->node);
	free(s->path);
}

int main(int argc, char **argv)
{
	struct frag_options options;
	struct errors errors = {0};
	struct session session = {.options = &options, .record = {.fd = -1}, .e = &errors};

	if (!frag_options_parse(&options, argv + (argc > 0), &errors)) {
		if (options.action == FRAG_HELP)
			terminal_show(frag_options_usage);
		else if (options.action == FRAG_VERSION)
			printf("%s %s\n", PROGRAM_NAME, AFFINITY_VERSION);
		else
			perform_session(&session);
	}
	ending_flush(&errors);
	errors_print(&errors, 0, stderr);
	int status = session.status ? session.status : (int)errors_status(&errors);
	errors_free(&errors);
	return status;
}
