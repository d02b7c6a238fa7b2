/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The captions of blocks. */
#ifndef CAPTIONS_H
#define CAPTIONS_H

#include "document/document.h"
#include "affinity-report/store/chapters.h"

/* What a caption shows: the run, and the table if the block has one. */
struct subject {
	const struct document *document;
	const struct document_run *run;
	const struct document_table *table;
	const char
		*unit; /* in which the block's figures are shown; NULL: in that of the document */
};

/* A caption with {NAME} replaced; to be freed. */
char *caption_of(const struct block *b, const struct subject *s);

/* A table's title in words, with the unit in which its figures are shown: "time (us per access)";
 * unit NULL: that of the table. To be freed. */
char *caption_title(const struct document *d, const struct document_table *t, const char *unit);
/* The same of its quantity alone, for an axis. */
char *caption_quantity(const struct document *d, const struct document_table *t, const char *unit);
/* The axis along which rows are drawn, to be freed. */
char *caption_rows(const struct document_table *t);

#endif
