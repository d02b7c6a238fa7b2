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
	for (size_t i = 0, used = 0; i < e.count && used < n; i++)
		used += (size_t)snprintf(
			told + used, n - used, "%s\n", e.list[i].text + strlen(path));
	scratch_remove();
	errors_free(&e);
	return failed;
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
		const double *share = profile_find(&p, "fp_add");
		assert_non_null(share);
		assert_true(fabs(share[MAPPING_FP] - 0.842) < 1e-12);
		assert_true(fabs(share[MAPPING_LOAD] - 0.05) < 1e-12);
		assert_true(isnan(share[MAPPING_INT])); /* a missing share is not 0 */
		share = profile_find(&p, "x");
		assert_non_null(share);
		assert_true(isnan(share[MAPPING_INT]));
		assert_null(profile_find(&p, "y"));
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
	assert_non_null(profile_find(&p, "a,b"));
	assert_true(profile_find(&p, "a,b")[MAPPING_FP] == 0.5);
	assert_true(profile_find(&p, "a,b")[MAPPING_INT] == 0.25);
	assert_non_null(profile_find(&p, "say \"hi\""));
	assert_true(profile_find(&p, "say \"hi\"")[MAPPING_FP] == 0.125);
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
	assert_true(profile_find(&p, "a")[MAPPING_FP] == 0.75);
	assert_true(isnan(profile_find(&p, "b")[MAPPING_FP]));
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
			":2: '2' is not a share\n:3: 'x' is not a share\n"
			":4: this row names no kernel or program\n"
			":5: this row has too few columns\n"},
		{"kernel,type,share\na,fp,0.1\na,fp,0.2\n",
			":3: the share of fp of 'a' is given twice\n"},
		{"kernel,fp\na,-1\n", ":2: '-1' is not a share\n"},
		{"kernel,variant,int\na,x,0.1\na,y,0.2\n",
			":3: the share of int of 'a' is given twice\n"},
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
		{"every mistake of a profile is told with its line", refuse_wrong, NULL, NULL,
			NULL},
		{"a file that cannot be read is told", refuse_absent, NULL, NULL, NULL},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
