/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups the results that belong to no chapter by their folders. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/text.h"
#include "affinity-report/store/store.h"

static bool names_experiment(const struct piece *list, const char *name)
{
	for (; list->kind != PIECE_END; list++)
		if (list->kind == PIECE_EXPERIMENT && !strcmp(list->experiment->name, name))
			return true;
	return false;
}

static bool is_other(const char *name)
{
	for (size_t i = 0; chapters_all[i]; i++)
		if (names_experiment(chapters_all[i], name))
			return false;
	return true;
}

/* The folder of a result; to be freed. */
static char *folder_of(const char *name)
{
	const char *slash = strrchr(name, '/');

	return alloc_string(name, slash ? (size_t)(slash - name) : 0);
}

/* What is said letter by letter is written in capitals. */
static void write_capitals(char *words)
{
	static const char *const names[] = {
		"bq", "gups", "isa", "knn", "ll", "lr", "lu", "mc", "rr", "smt", "thp", "tlb"};

	for (char *at = words; *at; at += strcspn(at, " "), at += *at == ' ') {
		const size_t n = strcspn(at, " ");

		for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
			for (size_t k = 0;
				strlen(names[i]) == n && !strncasecmp(at, names[i], n) && k < n;
				k++)
				at[k] = (char)toupper((unsigned char)at[k]);
	}
}

/* A file name as words: without the number that sorts it, the first letter large. To be freed. */
char *page_short_name(const char *name)
{
	const char *slash = strrchr(name, '/');
	const char *from = slash ? slash + 1 : name;
	size_t digits = strspn(from, "0123456789");

	if (digits && from[digits] == '_' && from[digits + 1])
		from += digits + 1;
	char *words = alloc_string(from, strlen(from));

	for (char *c = words; *c; c++)
		*c = *c == '_' ? ' ' : *c;
	*words = (char)toupper((unsigned char)*words);
	write_capitals(words);
	return words;
}

/* The folders of others, each once, in the order of their names. */
static struct words folders_of(const struct page *p)
{
	struct words folders = {0};

	for (size_t i = 0; i < p->results->ndocuments; i++) {
		const char *name = p->results->documents[i].name;
		char *folder = folder_of(name);
		size_t k = 0;

		while (k < folders.count && strcmp(folders.word[k], folder) != 0)
			k++;
		if (k == folders.count && is_other(name))
			words_add(&folders, folder, strlen(folder));
		free(folder);
	}
	return folders;
}

static const struct group_title *title_of(const char *folder)
{
	const struct group_title *t = group_titles;

	while (t->folder && strcmp(t->folder, folder) != 0)
		t++;
	return t->folder ? t : NULL;
}

static void visit_folder(
	const struct page *p, const char *folder, group_visit *visit, const char *title, FILE *out)
{
	size_t *members = alloc_zeroed(p->results->ndocuments + 1, sizeof(*members)), n = 0;

	for (size_t i = 0; i < p->results->ndocuments; i++) {
		char *of = folder_of(p->results->documents[i].name);

		if (!strcmp(of, folder) && is_other(p->results->documents[i].name))
			members[n++] = i;
		free(of);
	}
	char *id = alloc_format("group-%s", folder);

	if (n)
		visit(p, id, title, members, n, out);
	free(id);
	free(members);
}

void page_groups(const struct page *p, group_visit *visit, FILE *out)
{
	struct words folders = folders_of(p);

	for (size_t i = 0; i < folders.count; i++) {
		if (title_of(folders.word[i]))
			continue;
		/* of several machines the folder begins with the machine */
		char *title = p->results->machines.count ? alloc_format("%s", folders.word[i])
							 : page_short_name(folders.word[i]);

		visit_folder(p, folders.word[i], visit, title, out);
		free(title);
	}
	for (const struct group_title *t = group_titles; t->folder; t++)
		visit_folder(p, t->folder, visit, t->title, out);
	words_free(&folders);
}
