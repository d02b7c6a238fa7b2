/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gemv with batches: each loop for several tokens, of a row and of four, and what is left of rows
 * and tokens, against double precision. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "kernel_stage.h"

#define COLUMNS 256 /* of q4 two chunks */
#define ROWS    9   /* of each quarter two, and one that is left */

/* Of ROWS rows. */
static size_t bytes_of(const char *weights)
{
	const size_t of_chunk = *weights == 'f'   ? 512
				: *weights == 'b' ? 256
				: *weights == 'i' ? 128
						  : 72;

	return ROWS * COLUMNS / 128 * of_chunk;
}

static void test_batch(const char *weights, const char *isa, const char *batch, int rows)
{
	char settings[128];
	struct stage s;

	snprintf(settings, sizeof(settings), "columns=%d rows=%d isa=%s batch=%s weights=%s",
		COLUMNS, rows, isa, batch, weights);
	stage_kernel(&s, "gemv", settings);
	stage_vector(&s, TYPE_CHAR, 1, bytes_of(weights));
	if (stage_is_here(&s)) {
		stage_setup(&s);
		assert_int_equal(s.kernel->run(&s.worker, 1), ROWS * COLUMNS);
		if (stage_verify(&s))
			fail_msg("%s: %s", settings, s.why);
	}
	stage_end(&s);
}

static void test_batches(void **state)
{
	static const char *const batches[] = {
		"1", "2", "3", "4", "5", "6", "7", "8", "9", "16", "64"};

	for (size_t i = 0; i < LENGTH(model_isas); i++)
		for (size_t b = 0; b < LENGTH(batches); b++) {
			test_batch(*state, model_isas[i], batches[b], 1);
			if (b || strcmp(*state, "q4")) /* which has no rows for one token */
				test_batch(*state, model_isas[i], batches[b], 4);
		}
}

#define BATCHES(weights)                                                                         \
	{                                                                                        \
		"a row and four times 1 to 64 tokens are right, weights=" weights, test_batches, \
			NULL, NULL, (void *)weights                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BATCHES("f32"),
		BATCHES("bf16"),
		BATCHES("int8"),
		BATCHES("q4"),
		BATCHES("int8 activations=int8"),
		BATCHES("q4 activations=int8"),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
