/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What policies that move touched pages do to a vector, on any number of nodes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <cmocka.h>

#include <numaif.h>

#include "crew.h"
#include "migration/touch.h"

#define BYTES ((size_t)8 << 20)

/* A vector, and the policy of its pages before. */
struct scene {
	struct vector vector;
	struct moved_pages pages;
	struct touch *touch;
	char why[256];
};

static void scene_begin(struct scene *s, enum touch_way way)
{
	*s = (struct scene){.vector = {.elements = BYTES, .element_size = 1}};
	s->vector.base =
		mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(s->vector.base, MAP_FAILED);
	memset(s->vector.base, 1, BYTES);
	if (mbind(s->vector.base, BYTES, MPOL_PREFERRED, NULL, 0, 0) ||
		moved_pages_find(&s->pages, &s->vector, s->why, sizeof(s->why))) {
		print_message("%s\n", s->why);
		skip(); /* some containers have no policies, or do not tell nodes */
	}
	assert_null(touch_open(&s->touch, way, false, &s->pages, 1, s->why, sizeof(s->why)));
}

static void scene_end(struct scene *s)
{
	touch_close(s->touch);
	moved_pages_free(&s->pages);
	munmap(s->vector.base, BYTES);
}

static int mode_of(const struct scene *s)
{
	int mode = -1;

	assert_int_equal(get_mempolicy(&mode, NULL, 0, s->vector.base, MPOL_F_ADDR), 0);
	return mode;
}

static void test_policies(void **state)
{
	static const struct {
		enum touch_way way;
		int mode;
	} cases[] = {
		{TOUCH_KERNEL, MPOL_BIND | 1 << 13},
		{TOUCH_AUTONUMA, MPOL_DEFAULT},
	};
	struct scene s;

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		scene_begin(&s, cases[i].way);
		const int before = mode_of(&s);

		bool took = true; /* not by a kernel that has no such flag, and then it is told */

		for (int sample = 0; sample < 2 && took; sample++) {
			assert_null(touch_ready(s.touch, s.why, sizeof(s.why)));
			assert_int_equal(mode_of(&s), before);
			touch_begin(s.touch);
			took = mode_of(&s) == cases[i].mode;
			touch_begin(s.touch); /* of another thread */
			touch_end(s.touch);
			touch_end(s.touch);
			assert_null(moved_pages_home(&s.pages, s.why, sizeof(s.why)));
			assert_int_equal(mode_of(&s), before);
		}
		if (!took)
			assert_string_equal(touch_ready(s.touch, s.why, sizeof(s.why)),
				"its vectors could not be made ready: Invalid argument");
		assert_int_equal(moved_pages_away(&s.pages), 0);
		scene_end(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("each sample finds its policy and leaves the vector's own", test_policies),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
