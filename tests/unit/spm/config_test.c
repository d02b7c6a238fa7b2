/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Configurations from texts and from the environment, and what is wrong with them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <math.h>

#include "fake.h"

static struct spm_config config;
static char message[1024];

static int begin(void **state)
{
	(void)state;
	clearenv();
	spm_config_default(&config);
	memset(message, 'x', sizeof(message) - 1);
	return 0;
}

static void test_defaults(void **state)
{
	(void)state;
	assert_true(config.reuse_threshold == 200);
	assert_true(config.cache_factor == 0.2);
	assert_true(config.size_test);
	assert_int_equal(config.reuse_mode, SPM_PER_ELEMENT);
	assert_int_equal(config.cache_def, SPM_CACHE_SUM);
	assert_int_equal(config.mover, SPM_MBIND);
	assert_int_equal(config.pin, SPM_PIN_NONE);
	assert_int_equal(config.lock, SPM_LOCK_NONE);
	assert_int_equal(config.estimate, SPM_STATIC);
	assert_int_equal(config.cache_bytes, 0);
}

static void set(const char *name, const char *value)
{
	if (spm_config_set(&config, name, value, message, sizeof(message)))
		fail_msg("%s", message);
}

static void test_set(void **state)
{
	(void)state;
	set("reuse_threshold", "0.125");
	set("reuse_mode", "per_page");
	set("size_test", "no");
	set("cache_factor", "1");
	set("cache_def", "share");
	set("cache_bytes", "1.5MiB");
	set("mover", "move_pages");
	set("policy", "default");
	set("pin", "tree");
	set("lock", "only_if_migrated");
	set("estimate", "actual");
	assert_true(config.reuse_threshold == 0.125);
	assert_int_equal(config.reuse_mode, SPM_PER_PAGE);
	assert_false(config.size_test);
	assert_true(config.cache_factor == 1);
	assert_int_equal(config.cache_def, SPM_CACHE_SHARE);
	assert_int_equal(config.cache_bytes, 3 << 19);
	assert_int_equal(config.mover, SPM_MOVE_PAGES);
	assert_int_equal(config.policy, SPM_POLICY_DEFAULT);
	assert_int_equal(config.pin, SPM_PIN_TREE);
	assert_int_equal(config.lock, SPM_LOCK_ONLY_IF_MIGRATED);
	assert_int_equal(config.estimate, SPM_ACTUAL);
	set("cache_bytes", "8404992");
	assert_int_equal(config.cache_bytes, 8404992);
	set("size_test", "yes");
	assert_true(config.size_test);
}

static const struct {
	const char *name, *value, *message;
} mistakes[] = {
	{"reuse_threshold", "-1",
		"reuse_threshold: '-1' is not a number of at least 0, such as 0.2"},
	{"reuse_threshold", "0,2",
		"reuse_threshold: '0,2' is not a number of at least 0, such as 0.2"},
	{"reuse_threshold", "200x",
		"reuse_threshold: '200x' is not a number of at least 0, such as 0.2"},
	{"cache_factor", "", "cache_factor: '' is not a number of at least 0, such as 0.2"},
	{"cache_bytes", "8 MB",
		"cache_bytes: '8 MB' is not a number of bytes, such as 8404992 or "
		"8MiB"},
	{"cache_bytes", "0.3",
		"cache_bytes: '0.3' is not a number of bytes, such as 8404992 or "
		"8MiB"},
	{"cache_bytes", "99999999999GiB",
		"cache_bytes: '99999999999GiB' is not a number of bytes, "
		"such as 8404992 or 8MiB"},
	{"size_test", "on", "size_test: 'on' is neither yes nor no"},
	{"reuse_mode", "element", "reuse_mode: 'element' is none of per_element, raw, per_page"},
	{"mover", "mbnd", "mover: 'mbnd' is none of mbind, move_pages"},
	{"lock", "node", "lock: 'node' is none of none, node_rr, node_current, only_if_migrated"},
	{"mode", "raw", "unknown name 'mode'"},
};

static void test_mistakes(void **state)
{
	struct spm_config before = config;

	(void)state;
	for (size_t i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++) {
		assert_int_equal(spm_config_set(&config, mistakes[i].name, mistakes[i].value,
					 message, sizeof(message)),
			-1);
		assert_string_equal(message, mistakes[i].message);
	}
	assert_memory_equal(&config, &before, sizeof(config));
}

/* A message that is too long is cut, and nothing is written behind it. */
static void test_short_message(void **state)
{
	char small[12] = "..........x";

	(void)state;
	assert_int_equal(spm_config_set(&config, "mover", "mbnd", small, 8), -1);
	assert_string_equal(small, "mover: ");
	assert_int_equal(small[10], 'x');
	assert_int_equal(spm_config_set(&config, "mover", "mbnd", NULL, 0), -1);
}

static void test_environment(void **state)
{
	(void)state;
	setenv("AFFINITY_SPM_REUSE_THRESHOLD", "100", 1);
	setenv("AFFINITY_SPM_PIN", "tree", 1);
	setenv("AFFINITY_SIMULATED", "yes", 1); /* another program's */
	assert_int_equal(spm_config_environment(&config, message, sizeof(message)), 0);
	assert_true(config.reuse_threshold == 100);
	assert_int_equal(config.pin, SPM_PIN_TREE);
	assert_string_equal(message, "");
}

/* All mistakes at once, and a setting that does not exist is not passed over. */
static void test_environment_mistakes(void **state)
{
	(void)state;
	setenv("AFFINITY_SPM_PINS", "tree", 1);
	setenv("AFFINITY_SPM_MOVER", "copy", 1);
	assert_int_equal(spm_config_environment(&config, message, sizeof(message)), -1);
	assert_non_null(strstr(message, "AFFINITY_SPM_PINS: there is no such setting"));
	assert_non_null(strstr(message, "AFFINITY_SPM_MOVER: 'copy' is none of mbind, move_pages"));
	assert_non_null(strchr(message, '\n'));
	assert_null(spm_init(NULL, message, sizeof(message)));
	assert_non_null(strstr(message, "AFFINITY_SPM_PINS: there is no such setting"));
}

static void refused(const char *expected)
{
	assert_null(spm_init_on(&config, &fake_system, fake_root, message, sizeof(message)));
	assert_string_equal(message, expected);
}

static void test_out_of_range(void **state)
{
	(void)state;
	config.reuse_threshold = -1;
	config.cache_factor = -0.5;
	config.pin = 7;
	refused("reuse_threshold: -1 is not a number of at least 0\n"
		"cache_factor: -0.5 is not a number of at least 0\npin: there is no value 7");
	spm_config_default(&config);
	config.reuse_threshold = (double)NAN;
	assert_null(spm_init_on(&config, &fake_system, fake_root, message, sizeof(message)));
	spm_config_default(&config);
	config.cache_factor = (double)INFINITY;
	assert_null(spm_init_on(&config, &fake_system, fake_root, message, sizeof(message)));
}

/* Without caches a size test would compare with nothing. */
static void test_no_caches(void **state)
{
	struct spm *s;

	(void)state;
	assert_null(spm_init_on(&config, &fake_system, "/nowhere", message, sizeof(message)));
	assert_string_equal(message, "cache_def: the machine does not show its caches; set "
				     "cache_bytes, or size_test to no");
	config.cache_bytes = 1000;
	s = spm_init_on(&config, &fake_system, "/nowhere", message, sizeof(message));
	assert_non_null(s);
	assert_int_equal(spm_configuration(s)->cache_bytes, 1000);
	spm_end(s);
	config.cache_bytes = 0;
	config.size_test = false;
	s = spm_init_on(&config, &fake_system, "/nowhere", message, sizeof(message));
	assert_non_null(s);
	spm_end(s);
}

static void test_locale(void **state)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	struct spm *s;

	(void)state;
	setlocale(LC_ALL, "de_DE.UTF-8"); /* where it is installed */
	set("cache_factor", "0.1");
	assert_true(config.cache_factor == 0.1);
	s = fake_init(&config);
	spm_print(s, f);
	spm_end(s);
	setlocale(LC_ALL, "C");
	fclose(f);
	assert_non_null(strstr(text, "# cache_factor: 0.1\n"));
	free(text);
}

#define TEST(text, function)                                             \
	{                                                                \
		.name = text, .test_func = function, .setup_func = begin \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("the defaults are the published ones", test_defaults),
		TEST("every field is set by its name", test_set),
		TEST("a mistake names the value and what it can be", test_mistakes),
		TEST("a message is cut to its room", test_short_message),
		TEST("the environment sets fields", test_environment),
		TEST("all mistakes of the environment are reported", test_environment_mistakes),
		TEST("values out of range start no runtime", test_out_of_range),
		TEST("a machine without caches needs their size", test_no_caches),
		TEST("numbers have a point in every locale", test_locale),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("config", tests, fake_machine, fake_free);
}
