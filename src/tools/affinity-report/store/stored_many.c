/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads several folders, each of a machine, and single files for one page. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "document/arguments.h"
#include "document/programs.h"
#include "findings/findings.h"
#include "affinity-report/store/stored.h"

/* "vm" of "results/vm/"; all of the path if another folder ends alike. To be freed. */
static char *label_of(const struct stored *s, const char *path)
{
	size_t n = strlen(path);

	while (n > 1 && path[n - 1] == '/')
		n--;
	size_t from = n;

	while (from && path[from - 1] != '/')
		from--;
	char *label = alloc_string(path + from, n - from);

	for (size_t i = 0; i < s->machines.count; i++)
		if (!strcmp(s->machines.word[i], label)) {
			free(label);
			return alloc_string(path, n);
		}
	return label;
}

static void rename_as(char **name, const char *label)
{
	char *longer = alloc_format("%s/%s", label, *name);

	free(*name);
	*name = longer;
}

/* Everything of `part`, under the label of its machine, goes to the end of s. */
static void take_part(struct stored *s, struct stored *part, const char *label)
{
	for (size_t i = 0; i < part->ndocuments; i++) {
		struct stored_document *d = &part->documents[i];

		rename_as(&d->name, label);
		d->machine = s->machines.count;
		d->bare = d->name + strlen(label) + 1;
		s->documents = alloc_grow(s->documents, s->ndocuments, sizeof(*s->documents));
		s->documents[s->ndocuments++] = *d;
	}
	for (size_t i = 0; i < part->npairings; i++) {
		rename_as(&part->pairings[i].name, label);
		s->pairings = alloc_grow(s->pairings, s->npairings, sizeof(*s->pairings));
		s->pairings[s->npairings++] = part->pairings[i];
	}
	for (size_t i = 0; i < part->nnotes; i++) {
		rename_as(&part->notes[i].name, label);
		s->notes = alloc_grow(s->notes, s->nnotes, sizeof(*s->notes));
		s->notes[s->nnotes++] = part->notes[i];
	}
	for (size_t i = 0; i < part->npictures; i++) {
		rename_as(&part->pictures[i].name, label);
		s->pictures = alloc_grow(s->pictures, s->npictures, sizeof(*s->pictures));
		s->pictures[s->npictures++] = part->pictures[i];
	}
	free(part->documents);
	free(part->pairings);
	free(part->notes);
	free(part->pictures);
}

static void add_folder(struct stored *s, const char *path, struct errors *e)
{
	struct stored part;
	char *label = label_of(s, path);

	words_add(&s->machines, label, strlen(label));
	if (stored_read(&part, path, e))
		error_warn(e, "nothing in '%s' can be shown", path);
	take_part(s, &part, label);
	free(label);
}

static int add_file(struct stored *s, const char *path, struct errors *e)
{
	const char *from = path + strspn(path, "./");
	size_t n = strlen(from);
	struct stored_document d = {
		.name = alloc_string(from, n > 5 && !strcmp(from + n - 5, ".json") ? n - 5 : n)};

	d.bare = d.name;
	if (document_read_times(&d.document, path, e)) {
		document_free(&d.document);
		free(d.name);
		return -1;
	}
	findings_fill(&d.document);
	s->documents = alloc_grow(s->documents, s->ndocuments, sizeof(*s->documents));
	s->documents[s->ndocuments++] = d;
	return 0;
}

/* The length of the end that the names of both have in common, whole folders and files only. */
static size_t common_end(const char *a, const char *b)
{
	const size_t n = strlen(a), m = strlen(b);
	size_t end = 0, whole = 0;

	while (end < n && end < m && a[n - 1 - end] == b[m - 1 - end]) {
		end++;
		if (end < n && end < m && a[n - 1 - end] == '/' && b[m - 1 - end] == '/')
			whole = end;
	}
	return whole;
}

static size_t number_of_label(struct stored *s, const char *label, size_t length)
{
	for (size_t i = 0; i < s->machines.count; i++)
		if (strlen(s->machines.word[i]) == length &&
			!strncmp(s->machines.word[i], label, length))
			return i + 1;
	words_add(&s->machines, label, length);
	return s->machines.count;
}

/* The argument file without its suffix; owned by s. */
static const char *argument_file(struct stored *s, const struct stored_document *d)
{
	const char *path = d->document.arguments.path;
	size_t n = path ? strlen(path) : 0;

	if (!n)
		return d->name;
	n -= n > 5 && !strcmp(path + n - 5, ".args") ? 5 : 0;
	words_add(&s->experiments, path, n);
	return s->experiments.word[s->experiments.count - 1];
}

/* Files of one experiment are compared as machines are: "a/x" and "b/x" are x of a and of b; names
 * that end in nothing alike are labels as they are. */
static void label_files(struct stored *s)
{
	for (size_t i = 0; i < s->ndocuments; i++) {
		struct stored_document *first = &s->documents[i];
		size_t end = strlen(first->name), others = 0;

		for (size_t k = i + 1; k < s->ndocuments && !first->machine; k++)
			if (document_same_file(&first->document, &s->documents[k].document)) {
				size_t own = common_end(first->name, s->documents[k].name);

				end = own < end ? own : end;
				others++;
			}
		const char *experiment = others && !end ? argument_file(s, first) : NULL;

		for (size_t k = i; others && k < s->ndocuments; k++) {
			struct stored_document *d = &s->documents[k];
			const size_t n = strlen(d->name);

			if (!document_same_file(&first->document, &d->document))
				continue;
			d->machine = number_of_label(s, d->name, end ? n - end - 1 : n);
			d->bare = end ? d->name + n - end : experiment;
			s->of_files = true;
		}
	}
}

static int is_twice(const char *path, const char *earlier, struct errors *e)
{
	const bool alike = !strcmp(path, earlier);

	error_add(e, STATUS_USAGE, NOWHERE, "'%s' is there twice%s%s%s", path,
		alike ? "" : ", also as '", alike ? "" : earlier, alike ? "" : "'");
	return error_hint(e, "name each folder and file once");
}

/* A file by two paths, or also in a folder, would be compared with itself. */
static int refuse_twice(const struct stored *s, struct errors *e)
{
	struct stat *files = alloc_zeroed(s->ndocuments + 1, sizeof(*files));
	int failed = 0;

	for (size_t i = 0; i < s->ndocuments && !failed; i++) {
		const char *path = s->documents[i].document.path;

		if (stat(path, &files[i]))
			continue;
		for (size_t k = 0; k < i && !failed; k++)
			if (files[k].st_ino == files[i].st_ino &&
				files[k].st_dev == files[i].st_dev)
				failed = is_twice(path, s->documents[k].document.path, e);
	}
	free(files);
	return failed;
}

int stored_read_many(struct stored *s, char *const *paths, size_t n, struct errors *e)
{
	int failed = 0;

	*s = (struct stored){.folder = ""};
	for (size_t i = 0; i < n; i++)
		if (stored_is_folder(paths[i]))
			add_folder(s, paths[i], e);
		else
			failed |= add_file(s, paths[i], e);
	if (!failed)
		failed = refuse_twice(s, e);
	if (!failed && !s->machines.count)
		label_files(s);
	return failed || !(s->ndocuments + s->npairings) ? -1 : 0;
}
