/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instruction mixes from files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../scratch.h"
#include "mapping/profile.h"

/* Reads `text` as a file; the messages name it "FILE". */
static int read_text(const char *text, struct profile *p, char *told, size_t n)
{
	const char *path = scratch_write(text);
	struct errors e = {0};

	*p = (struct profile){0};
	*told = '\0';
	int failed = profile_read(p, path, NOWHERE, &e);

	for (size_t i = 0; i < p->count; i++)
		if (!profile_find(p, p->rows[i].name, p->rows[i].thread, &e))
			failed = -1;
	for (size_t i = 0, used = 0; i < e.count && used < n; i++)
		used += (size_t)snprintf(
			told + used, n - used, "%s\n", e.list[i].text + strlen(path));
	scratch_remove();
	errors_free(&e);
	return failed;
}

static const struct profile_row *row(const struct profile *p, const char *name, int thread)
{
	struct errors e = {0};
	const struct profile_row *found = profile_find(p, name, thread, &e);

	errors_free(&e);
	return found;
}

static const double *share_of(const struct profile *p, const char *name)
{
	const struct profile_row *found = row(p, name, -1);

	return found ? found->share : NULL;
}

static void read_right(void **state)
{
	static const char *const texts[] = {
		"kernel,type,share\nfp_add,fp,0.842\nfp_add,other,0.1\nfp_add,load,5%\nx,int,n/a\n",
		"# a comment\n\nisa,program,fp,load,int\r\na,fp_add,0.842,0.05\r\nb,x,,,n/a\n",
	};
	struct profile p;
	char told[256];

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(read_text(texts[i], &p, told, sizeof(told)), 0);
		const double *share = share_of(&p, "fp_add");
		assert_non_null(share);
		assert_true(fabs(share[MAPPING_FP] - 0.842) < 1e-12);
		assert_true(fabs(share[MAPPING_LOAD] - 0.05) < 1e-12);
		assert_true(isnan(share[MAPPING_INT])); /* a missing share is not 0 */
		share = share_of(&p, "x");
		assert_non_null(share);
		assert_true(isnan(share[MAPPING_INT]));
		assert_null(share_of(&p, "y"));
		profile_free(&p);
	}
}

static void read_quoted(void **state)
{
	struct profile p;
	char told[256];

	(void)state;
	assert_int_equal(read_text("program,method,\"fp\",int\n\"a,b\",\"x \" ,0.5,0.25\n"
				   "\"say \"\"hi\"\"\",x,\"0.125\",0\n",
				 &p, told, sizeof(told)),
		0);
	assert_non_null(share_of(&p, "a,b"));
	assert_true(share_of(&p, "a,b")[MAPPING_FP] == 0.5);
	assert_true(share_of(&p, "a,b")[MAPPING_INT] == 0.25);
	assert_non_null(share_of(&p, "say \"hi\""));
	assert_true(share_of(&p, "say \"hi\"")[MAPPING_FP] == 0.125);
	profile_free(&p);
}

static void count_vectors(void **state)
{
	struct profile p;
	char told[256];

	(void)state;
	assert_int_equal(
		read_text("kernel,variant,fp,simd,int\na,x,0.25,0.5,0.1\na,y,0.25,0.5,0.1\n"
			  "b,,n/a,0.5,0\n",
			&p, told, sizeof(told)),
		0);
	assert_true(share_of(&p, "a")[MAPPING_FP] == 0.75);
	assert_true(isnan(share_of(&p, "b")[MAPPING_FP]));
	profile_free(&p);
}

static void refuse_wrong(void **state)
{
	static const struct {
		const char *text, *told;
	} cases[] = {
		{"", ": is empty\n"},
		{"kernel,share\n", ":1: these are not the columns of a profile\n"},
		{"type,share\nfp,1\n", ":1: these are not the columns of a profile\n"},
		{"kernel,type,share\na,fp,2\nb,fp,x\n,fp,1\nc\n",
			":4: this row names no kernel or program\n"
			":5: this row has too few columns\n"
			":2: '2' is not a share\n:3: 'x' is not a share\n"},
		{"kernel,type,share\na,fp,0.1\na,fp,0.2\n",
			":3: the share of fp of 'a' is given twice\n"},
		{"kernel,fp\na,-1\n", ":2: '-1' is not a share\n"},
		{"kernel,variant,int\na,x,0.1\na,y,0.2\n",
			":3: the share of int of 'a' is given twice\n"},
		{"kernel,type,count\na,fp,-2\na,int,5\na,int,6\n",
			":2: '-2' is not a number of instructions\n"
			":4: the count of int of 'a' is given twice\n"},
		{"kernel,thread,fp\na,-1,0.1\nb,x,0.2\n",
			":2: '-1' is not the number of a thread\n"
			":3: 'x' is not the number of a thread\n"},
		{"kernel,fp,int_count\na,0.1,5\n",
			":1: a profile has shares or counts, not both\n"},
	};
	struct profile p;
	char told[512];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(read_text(cases[i].text, &p, told, sizeof(told)), -1);
		assert_string_equal(told, cases[i].told);
		profile_free(&p);
	}
}

static void count_instructions(void **state)
{
	static const char *const texts[] = {
		"program,thread,type,count\na,0,fp,300\na,0,int,700\na,1,fp,1e9\na,,int,5\n",
		"program,thread,fp_count,int_count\na,0,300,700\na,1,1000000000,\na,,,5\n",
	};
	struct profile p;
	char told[256];

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(read_text(texts[i], &p, told, sizeof(told)), 0);
		assert_true(profile_by_thread(&p, "a"));
		assert_true(row(&p, "a", 0)->counted);
		assert_true(row(&p, "a", 0)->count[MAPPING_FP] == 300);
		assert_true(row(&p, "a", 0)->share[MAPPING_FP] == 0.3);
		assert_true(row(&p, "a", 1)->count[MAPPING_FP] == 1e9);
		assert_true(isnan(row(&p, "a", 1)->count[MAPPING_INT]));
		assert_true(row(&p, "a", 2)->count[MAPPING_INT] == 5); /* the others */
		profile_free(&p);
	}
	read_text("program,instructions,fp_count\na,2000,500\n", &p, told, sizeof(told));
	assert_true(row(&p, "a", 0)->share[MAPPING_FP] == 0.25);
	assert_false(profile_by_thread(&p, "a"));
	profile_free(&p);
}

/* Who asks for another row never sees the mistakes of this one. */
static void forgive_unused(void **state)
{
	struct profile p = {0};
	struct errors e = {0};
	const char *path = scratch_write("kernel,variant,int\na,x,0.1\na,y,0.2\nb,,7\nc,,0.5\n");

	(void)state;
	assert_int_equal(profile_read(&p, path, NOWHERE, &e), 0);
	assert_non_null(profile_find(&p, "c", 0, &e));
	assert_int_equal(e.count, 0);
	assert_null(profile_find(&p, "a", 0, &e));
	assert_null(profile_find(&p, "b", 0, &e));
	assert_int_equal(e.failures, 2);
	errors_free(&e);
	profile_free(&p);
}

static void refuse_absent(void **state)
{
	struct profile p = {0};
	struct errors e = {0};

	(void)state;
	assert_int_equal(profile_read(&p, "/nowhere/mix.csv", NOWHERE, &e), -1);
	assert_string_equal(e.list[0].text,
		"affinity: cannot read the profile '/nowhere/mix.csv': No such file or directory");
	errors_free(&e);
	assert_int_equal(profile_read(&p, "/", NOWHERE, &e), -1);
	assert_non_null(strstr(e.list[0].text, "cannot read the profile '/'"));
	errors_free(&e);
	profile_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{"a row for each type and a column for each type say the same", read_right, NULL,
			NULL, NULL},
		{"names and shares may be in quotes, with commas and quotes in them", read_quoted,
			NULL, NULL, NULL},
		{"vector instructions are floating point, and variants that are alike are one",
			count_vectors, NULL, NULL, NULL},
		{"counts give shares, and threads have rows of their own", count_instructions, NULL,
			NULL, NULL},
		{"mistakes in a row that is not used do not matter", forgive_unused, NULL, NULL,
			NULL},
		{"every mistake of a profile is told with its line", refuse_wrong, NULL, NULL,
			NULL},
		{"a file that cannot be read is told", refuse_absent, NULL, NULL, NULL},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
