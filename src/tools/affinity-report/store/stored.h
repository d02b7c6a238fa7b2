/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A folder of results: documents, pictures, and notes on what could not be measured. */
#ifndef STORED_H
#define STORED_H

#include "base/text.h"
#include "document/document.h"
#include "document/pairings.h"

struct stored_document {
	char *name; /* "pruebas_solape/lr": the path in the folder without .json; of several folders
		       with the label of its machine before it */
	struct document document;
	size_t machine;   /* the number of its label, from 1; 0: it has none */
	const char *bare; /* the experiment: the name behind the label */
};

struct stored_pairings {
	char *name;
	struct pairings pairings;
};

struct stored_note {
	char *name;
	char *state, *why; /* "skipped", "failed" */
};

struct stored_picture {
	char *name;   /* without .svg */
	char *base64; /* content of the file */
};

struct stored {
	const char *folder;
	struct words machines;    /* labels of several folders; none if there is one folder */
	bool of_files;            /* these are labels of files of the same experiment instead */
	struct words experiments; /* names of those of files, where the names of the files differ */
	struct stored_document *documents; /* sorted by path, in the order of strcmp() */
	size_t ndocuments;
	struct stored_pairings *pairings; /* in the same order */
	size_t npairings;
	struct stored_note *notes;
	size_t nnotes;
	struct stored_picture *pictures;
	size_t npictures;
};

/* Does the folder contain files of results? */
bool stored_exist(const char *folder);
/* -1 with a message (STATUS_USAGE) for each folder below it, or itself, that may not be read. */
int stored_denied(const char *folder, struct errors *e);
/* How many files say why something was not measured? */
size_t stored_skipped(const char *folder);

/* Reads all files. A file that is not a complete result is named in e as a warning, and noted, and
 * so is a folder that may not be read.
 * Results of --quick below the folder are not included. 0, or -1 if there is nothing to show. Call
 * stored_free() in both cases. */
int stored_read(struct stored *s, const char *folder, struct errors *e);
/* The same of several folders, each of a machine, and of single documents. A file that is no
 * complete result fails with messages. */
int stored_read_many(struct stored *s, char *const *paths, size_t n, struct errors *e);
bool stored_is_folder(const char *path);
void stored_free(struct stored *s);

/* NULL: there is no such document. */
const struct document *stored_document(const struct stored *s, const char *name);
const struct stored_note *stored_note(const struct stored *s, const char *name);
const char *stored_picture(const struct stored *s, const char *name);

#endif
