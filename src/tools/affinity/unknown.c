/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words that are no options here: keys of argument files, and options of other programs. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "input/param.h"
#include "input/request.h"
#include "input/synonyms.h"
#include "affinity/options.h"

/* The key of argument files that an unknown option means, as of hyperfine or numactl, or with a
 * value: "mode: time:2s". NULL: none. */
static const char *key_meant(const char *word)
{
	const char *name = word + strspn(word, "-");
	char *key = alloc_string(name, strcspn(name, "="));
	const struct param *own = request_find(key);
	const char *meant = !strcmp(key, "runs")                ? "samples"
			    : !strcmp(word, "--interleave=all") ? "nodePerVector: interleave"
			    : own                               ? own->name
								: synonym_meant(key_synonyms, key);

	free(key);
	return meant;
}

/* The value is the one that the other program means, or else the one that was written. */
static const char *value_meant(const char *key, const char *word)
{
	const char *other = strchr(key, ':'), *written = strchr(word, '=');
	const struct param *own = request_find(key);

	if (other)
		return other + 2;
	if (own && own->type == PARAM_FLAG)
		return written && !strcmp(written, "=no") ? "no" : "yes";
	return written && written[1] ? written + 1 : "VALUE";
}

/* How the key that was meant is set, or where options are listed (NULL). */
static int hint_unknown(const char *key, const char *word, struct errors *e)
{
	/* a letter means something else in each program */
	if (!key && strlen(word) == 2)
		return error_hint(e, "affinity --help lists the options; kernels, threads, sizes "
				     "and times are keys of ARGS: affinity --help keys");
	if (!key)
		return error_hint(e, "affinity --help lists the options");
	const char *value = value_meant(key, word), *quote = strchr(value, ' ') ? "'" : "";

	return error_hint(e, "a key of ARGS is set so: --set %s%.*s=%s%s%s", quote,
		(int)strcspn(key, ":"), key, value, quote,
		strcmp(value, "VALUE") ? "" : "; affinity --help keys says what each takes");
}

void options_refuse(const char *word, const char *const *names, size_t count, struct errors *e)
{
	static const struct synonym others[] = {{"--dry-run", "--plan"}, {"--parse-only", "--plan"},
		{"--showcmd", "--plan"}, {"--export-json", "--json"}, {"--export-csv", "--csv"},
		{"--output-format", "--json"}, {NULL, NULL}};
	const char *experiment = synonym_meant(experiment_synonyms, word);
	const char *key = key_meant(word);
	const char *nearest =
		key || experiment ? NULL : synonym_nearest(others, word, names, count);

	error_unknown(e, STATUS_USAGE, NOWHERE, nearest, "unknown option '%s'", word);
	if (experiment)
		error_hint(e, "affinity %s measures that", experiment);
	else
		hint_unknown(key, word, e);
}
