/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies that threads work on: what goes to and fro, and that results are the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cmocka.h>

#include "crew.h"
#include "migration/policy.h"

/* Policies that move pages need the nodes of these, which some containers do not tell. */
static void skip_untold(void)
{
	static char byte;
	void *page = &byte;
	int node;

	if (syscall(SYS_move_pages, 0, 1, &page, NULL, &node, 0))
		skip();
}

/* Bytes of one round. */
static const struct copied {
	const char *id, *settings;
	enum element_type type;
	size_t element, elements[4];
	int in, out;
} copied[] = {
	{"product", "matrix=40", TYPE_DOUBLE, 8, {4800, 4800, 4800}, 6 * 12800, 3 * 12800},
	{"matrix_add", "matrix=40", TYPE_DOUBLE, 8, {1600, 1600, 1600}, 2 * 12800, 12800},
	{"lu", "matrix=40", TYPE_DOUBLE, 8, {1600, 1600, 1600}, 2 * 12800, 3 * 12800},
	{"cholesky", "matrix=40", TYPE_DOUBLE, 8, {1600, 1600}, 0, 2 * 12800},
	{"strsearch", "queries=16", TYPE_CHAR, 1, {200001}, 200001, 0},
	{"bucketsort", "", TYPE_INT, 4, {10006}, 8000, 8000},
	{"knn", "queries=3", TYPE_DOUBLE, 8, {2000}, 16000, 0},
	{"fig3", "side=20 overlap=0", TYPE_DOUBLE, 8, {20, 400, 8000}, 8420 * 8, 420 * 8},
};

static void expect_copied(struct crew *c, const struct copied *of, bool room)
{
	double told[POLICY_FIGURES + 1], in = 0, out = 0, missed = 0;

	crew_run(c, 1);
	for (int i = 0; i < c->size; i++) {
		c->of[0].kernel->tell(&c->of[i].worker, told);
		in += told[FIGURE_COPIED_IN];
		out += told[FIGURE_COPIED_OUT];
		missed += told[FIGURE_COPY_MISSED];
		assert_true(told[FIGURE_CALLS] == 0);
	}
	if (in != (room ? of->in : 0) || out != (room ? of->out : 0))
		fail_msg("%s: %g bytes in, %g out", of->id, in, out);
	assert_true(room || missed > 0);
	assert_null(crew_verify(c));
}

static uint64_t much(void)
{
	return 1 << 30;
}

static uint64_t little(void)
{
	return 4096;
}

static const struct machine_memory ample = {.left = much}, scarce = {.left = little};

/* What the driver does before a sample. */
static void arrange(struct crew *c, const struct machine_memory *memory)
{
	const struct kernel *k = c->of[0].kernel;

	for (int i = c->size; i-- > 0;) {
		c->of[i].worker.memory = memory;
		assert_null(k->reset(&c->of[i].worker, c->of[i].why, sizeof(c->of[i].why)));
	}
	for (int i = c->size; i-- > 0;)
		assert_null(
			k->migration.arrange(&c->of[i].worker, c->of[i].why, sizeof(c->of[i].why)));
}

/* Copies need an arrange(): without it there is no room for any, and threads work on the vectors.
 */
static void test_copies(void **state)
{
	(void)state;
	skip_untold();
	for (size_t i = 0; i < LENGTH(copied); i++)
		for (int threads = 1; threads <= 2; threads++) {
			const struct copied *of = &copied[i];
			char settings[64];
			struct crew c;

			snprintf(settings, sizeof(settings), "%s policy=copy_on_thread",
				of->settings);
			crew_begin(
				&c, threads, of->id, settings, of->type, of->element, of->elements);
			expect_copied(&c, of, false);
			for (int sample = 0; sample < 3; sample++) {
				arrange(&c, sample < 2 ? &ample : &scarce);
				expect_copied(&c, of, sample < 2);
			}
			crew_end(&c);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("copies have what a program needs, and give back what it stores", test_copies),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
