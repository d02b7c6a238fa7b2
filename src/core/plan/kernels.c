/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "a+b" and "a+b*": the same for those who run the kernels and those who map their threads. */
#include "plan/kernels.h"

#include <string.h>

/* "b*": b for all threads that are left. */
static bool take_star(char *name)
{
	size_t length = strlen(name);

	if (length < 2 || name[length - 1] != '*')
		return false;
	name[length - 1] = '\0';
	return true;
}

void plan_kernels_read(struct plan_kernels *k, const char *word)
{
	*k = (struct plan_kernels){0};
	words_split(&k->names, word, "+");
	if (k->names.count)
		k->rest = take_star(k->names.word[k->names.count - 1]);
}

size_t plan_kernel_of(const struct plan_kernels *k, int thread)
{
	size_t n = k->names.count, i = (size_t)thread;

	if (k->rest)
		return i < n ? i : n - 1;
	return i % n;
}
