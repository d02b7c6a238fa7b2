/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds and reads the results below a folder. */
#include "affinity-report/store/stored.h"

#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/denied.h"
#include "document/programs.h"
#include "findings/findings.h"

/* The driver writes pictures seconds before its JSON: an older picture is from an earlier run. */
#define PICTURE_SECONDS 60

static char *copy_path(const char *text)
{
	return alloc_string(text, strlen(text));
}

static char *path_in(const char *folder, const char *name, const char *ending)
{
	return alloc_format("%s/%s%s", folder, name, ending);
}

static bool ends_in(const char *text, const char *ending)
{
	size_t n = strlen(text), m = strlen(ending);

	return n > m && !strcmp(text + n - m, ending);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The files of the folder with this ending, as paths relative to the folder, sorted. */
static struct words list_files(const char *folder, const char *ending)
{
	char *start = copy_path(folder);
	char *roots[] = {start, NULL};
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	struct words files = {0};
	FTSENT *at;

	while (tree && (at = fts_read(tree))) {
		const char *name = at->fts_path + strlen(folder) + 1;

		if (at->fts_level == 1 && at->fts_info == FTS_D && !strcmp(name, "quick"))
			fts_set(tree, at, FTS_SKIP);
		/* that one is the screen of affinity first, whose results lie in first/ */
		if (at->fts_info == FTS_F && ends_in(name, ending) &&
			strcmp(name, "first.json") != 0)
			words_add(&files, name, strlen(name));
	}
	if (tree)
		fts_close(tree);
	if (files.count)
		qsort(files.word, files.count, sizeof(*files.word), by_text);
	free(start);
	return files;
}

static size_t count_files(const char *folder, const char *ending)
{
	struct words files = list_files(folder, ending);
	size_t n = files.count;

	words_free(&files);
	return n;
}

bool stored_exist(const char *folder)
{
	return count_files(folder, ".json") > 0;
}

size_t stored_skipped(const char *folder)
{
	return count_files(folder, ".skipped");
}

int stored_denied(const char *folder, struct errors *e)
{
	char *start = copy_path(folder);
	char *roots[] = {start, NULL};
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *at;
	int failed = 0;

	while (tree && (at = fts_read(tree)))
		if (at->fts_info == FTS_D && denied_folder(at->fts_path, e)) {
			failed = -1;
			fts_set(tree, at, FTS_SKIP);
		}
	if (tree)
		fts_close(tree);
	free(start);
	return failed;
}

/* Adds a note; a later note replaces an earlier one of the same name, at the same place. */
static void add_note(struct stored *s, const char *name, const char *state, const char *why)
{
	struct stored_note *n = NULL;

	for (size_t i = 0; i < s->nnotes; i++)
		if (!strcmp(s->notes[i].name, name))
			n = &s->notes[i];
	if (n) {
		free(n->name);
		free(n->state);
		free(n->why);
	} else {
		s->notes = alloc_grow(s->notes, s->nnotes, sizeof(*s->notes));
		n = &s->notes[s->nnotes++];
	}
	*n = (struct stored_note){copy_path(name), copy_path(state), copy_path(why)};
}

/* A document of affinity-map --pairs. */
static bool add_pairings(struct stored *s, const char *path, char *name)
{
	struct stored_pairings p = {.name = name};
	struct errors why = {0};
	int failed = pairings_read(&p.pairings, path, &why);

	errors_free(&why);
	if (failed) {
		pairings_free(&p.pairings);
		return false;
	}
	s->pairings = alloc_grow(s->pairings, s->npairings, sizeof(*s->pairings));
	s->pairings[s->npairings++] = p;
	return true;
}

/* A file that its folder shows, and that is no result that can be shown; figures: it is whole, but
 * not of times. */
static void leave_out(struct stored *s, const char *name, const char *path, bool figures,
	const struct message *why, struct errors *e)
{
	error_warn(e, "%s; it is left out", why->text);
	error_hint(e, "%s", why->hint);
	add_note(s, name, "failed",
		figures              ? "its figures are not times"
		: access(path, R_OK) ? "its result file may not be read"
				     : "its result file is damaged, or of another version");
}

static void leave_out_folders(const char *folder, struct errors *e)
{
	struct errors denied = {0};

	stored_denied(folder, &denied);
	for (size_t i = 0; i < denied.count; i++) {
		error_warn(e, "%s; what is in it is left out", denied.list[i].text);
		if (denied.list[i].hint)
			error_hint(e, "%s", denied.list[i].hint);
	}
	errors_free(&denied);
}

static void read_documents(struct stored *s, struct errors *e)
{
	struct words files = list_files(s->folder, ".json");

	for (size_t i = 0; i < files.count; i++) {
		char *path = path_in(s->folder, files.word[i], "");
		char *name = alloc_string(files.word[i], strlen(files.word[i]) - 5);
		struct stored_document d = {.name = name, .bare = name};
		struct errors why = {0};
		int failed = document_read_times(&d.document, path, &why);

		if ((failed || d.document.nprograms) && add_pairings(s, path, name)) {
			document_free(&d.document);
		} else if (failed) {
			leave_out(s, name, path, d.document.figure, &why.list[0], e);
			document_free(&d.document);
			free(name);
		} else {
			s->documents =
				alloc_grow(s->documents, s->ndocuments, sizeof(*s->documents));
			findings_fill(&d.document);
			s->documents[s->ndocuments++] = d;
			for (size_t k = 0; k < why.count; k++)
				error_copy(e, &why.list[k]);
		}
		errors_free(&why);
		free(path);
	}
	words_free(&files);
}

/* Reads the notes "STATE: REASON" that ejec.sh writes for files that it could not measure. */
static void read_notes(struct stored *s)
{
	struct words files = list_files(s->folder, ".skipped");

	for (size_t i = 0; i < files.count; i++) {
		char *path = path_in(s->folder, files.word[i], "");
		char *name = alloc_string(files.word[i], strlen(files.word[i]) - 8);
		char *line = NULL;
		size_t size = 0;
		FILE *in = fopen(path, "r");

		if (in && getline(&line, &size, in) > 0) {
			char *colon, *why;

			line[strcspn(line, "\n")] = '\0';
			colon = strstr(line, ": ");
			why = colon ? colon + 2 : line;
			if (colon)
				*colon = '\0';
			add_note(s, name, line, why);
		} else {
			add_note(s, name, "", "");
		}
		if (in)
			fclose(in);
		free(line);
		free(name);
		free(path);
	}
	words_free(&files);
}

static char *base64(const unsigned char *data, size_t size)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char *text = alloc_zeroed(size / 3 + 2, 4), *to = text;

	for (size_t i = 0; i < size; i += 3) {
		size_t left = size - i;
		unsigned bits = (unsigned)data[i] << 16 |
				(left > 1 ? (unsigned)data[i + 1] << 8 : 0) |
				(left > 2 ? data[i + 2] : 0);

		*to++ = digits[bits >> 18];
		*to++ = digits[bits >> 12 & 63];
		*to++ = left > 1 ? digits[bits >> 6 & 63] : '=';
		*to++ = left > 2 ? digits[bits & 63] : '=';
	}
	return text;
}

static char *read_base64(const char *path)
{
	FILE *in = fopen(path, "rb");
	unsigned char *data = NULL;
	size_t size = 0, got;
	char *text;

	if (!in)
		return NULL;
	do {
		data = realloc(data, size + 65536);
		if (!data)
			alloc_exhausted();
		got = fread(data + size, 1, 65536, in);
		size += got;
	} while (got);
	fclose(in);
	text = base64(data, size);
	free(data);
	return text;
}

/* Is the picture NAME of the result NAME.json or, as one of several, BASE-N of BASE.json, and was
 * it made by the same run? */
static bool belongs(const struct stored *s, const char *name)
{
	char *picture = path_in(s->folder, name, ".svg");
	char *json = path_in(s->folder, name, ".json");
	struct stat drawn, measured;
	bool there = !stat(json, &measured);

	if (!there && strrchr(json, '-') > strrchr(json, '/')) {
		strcpy(strrchr(json, '-'), ".json");
		there = !stat(json, &measured);
	}
	there = there && !stat(picture, &drawn) &&
		measured.st_mtime - drawn.st_mtime < PICTURE_SECONDS;
	free(picture);
	free(json);
	return there;
}

static void read_pictures(struct stored *s)
{
	struct words files = list_files(s->folder, ".svg");

	for (size_t i = 0; i < files.count; i++) {
		char *path = path_in(s->folder, files.word[i], "");
		char *name = alloc_string(files.word[i], strlen(files.word[i]) - 4);
		char *content =
			!strcmp(name, "topology") || belongs(s, name) ? read_base64(path) : NULL;

		if (content) {
			s->pictures = alloc_grow(s->pictures, s->npictures, sizeof(*s->pictures));
			s->pictures[s->npictures++] = (struct stored_picture){name, content};
		} else {
			free(name);
		}
		free(path);
	}
	words_free(&files);
}

bool stored_is_folder(const char *path)
{
	struct stat s;

	return !stat(path, &s) && S_ISDIR(s.st_mode);
}

int stored_read(struct stored *s, const char *folder, struct errors *e)
{
	*s = (struct stored){.folder = folder};
	leave_out_folders(folder, e);
	read_documents(s, e);
	read_notes(s);
	read_pictures(s);
	return s->ndocuments + s->npairings ? 0 : -1;
}

void stored_free(struct stored *s)
{
	for (size_t i = 0; i < s->ndocuments; i++) {
		document_free(&s->documents[i].document);
		free(s->documents[i].name);
	}
	for (size_t i = 0; i < s->npairings; i++) {
		pairings_free(&s->pairings[i].pairings);
		free(s->pairings[i].name);
	}
	free(s->pairings);
	for (size_t i = 0; i < s->nnotes; i++) {
		free(s->notes[i].name);
		free(s->notes[i].state);
		free(s->notes[i].why);
	}
	for (size_t i = 0; i < s->npictures; i++) {
		free(s->pictures[i].name);
		free(s->pictures[i].base64);
	}
	words_free(&s->machines);
	words_free(&s->experiments);
	free(s->documents);
	free(s->notes);
	free(s->pictures);
	*s = (struct stored){0};
}

const struct document *stored_document(const struct stored *s, const char *name)
{
	for (size_t i = 0; i < s->ndocuments; i++)
		if (!strcmp(s->documents[i].name, name))
			return &s->documents[i].document;
	return NULL;
}

const struct stored_note *stored_note(const struct stored *s, const char *name)
{
	for (size_t i = 0; i < s->nnotes; i++)
		if (!strcmp(s->notes[i].name, name))
			return &s->notes[i];
	return NULL;
}

const char *stored_picture(const struct stored *s, const char *name)
{
	for (size_t i = 0; i < s->npictures; i++)
		if (!strcmp(s->pictures[i].name, name))
			return s->pictures[i].base64;
	return NULL;
}
