/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words of other programs and manuals, for "did you mean". */
#ifndef SYNONYMS_H
#define SYNONYMS_H

#include <stdbool.h>
#include <stddef.h>

struct synonym {
	const char *word;
	const char *meant; /* a name here, or an example: "mode: time:2s" */
};

/* Each ends with a row without a word. Experiments are named by their place below args/. */
extern const struct synonym kernel_synonyms[], key_synonyms[], experiment_synonyms[];

/* Are these the same, case and - or _ within them ignored? */
bool synonym_same(const char *a, const char *b);

/* What nodePerVector calls a policy in the words of numactl and Linux (membind:0, interleave:all,
 * localalloc), to be freed; NULL: the word is none of them. */
char *synonym_policy(const char *word);

/* What is meant by the word, case and - or _ within it ignored; NULL: it is no synonym. */
const char *synonym_meant(const struct synonym *table, const char *word);
/* The same for a misspelt word: that of names[count], or of the synonyms, that is near to it, as in
 * text_nearest(); NULL: none is. */
const char *synonym_nearest(
	const struct synonym *table, const char *word, const char *const *names, size_t count);

#endif
