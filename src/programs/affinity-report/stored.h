/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A folder of results: documents, pictures, and notes of what could not be measured. */
#ifndef STORED_H
#define STORED_H

#include "base/text.h"
#include "document/document.h"

struct stored_document {
	char *name; /* "pruebas_solape/lr": the path in the folder without .json */
	struct document document;
};

struct stored_note {
	char *name;
	char *state, *why; /* "skipped", "failed" */
};

struct stored_picture {
	char *name;   /* without .svg */
	char *base64; /* its content */
};

struct stored {
	const char *folder;
	struct stored_document *documents; /* by path, as C sorts */
	size_t ndocuments;
	struct stored_note *notes;
	size_t nnotes;
	struct stored_picture *pictures;
	size_t npictures;
};

/* Are there files of results? */
bool stored_exist(const char *folder);

/* Reads all; a file that is no whole result is named in e as a warning, and noted. What --quick
 * left below the folder is not part of it. 0, or -1 when there is no document. stored_free() in any
 * case. */
int stored_read(struct stored *s, const char *folder, struct errors *e);
void stored_free(struct stored *s);

/* NULL: there is none. */
const struct document *stored_document(const struct stored *s, const char *name);
const struct stored_note *stored_note(const struct stored *s, const char *name);
const char *stored_picture(const struct stored *s, const char *name);

#endif
