/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fields of a format: a row for each, which says its name in JSON, its type, where it stands in
 * a struct and what it is. One writer and one reader work by these rows, and the schema is made of
 * them (tests/tools/schema.c). A new field is a row and a member of the struct.
 */
#ifndef FIELDS_H
#define FIELDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "document/stream.h"

enum field_type {
	FIELD_TEXT,   /* const char * */
	FIELD_NUMBER, /* double; null: NAN */
	FIELD_COUNT,  /* double that is a whole number; null: NAN */
	FIELD_WHOLE,  /* int64_t */
	FIELD_INT,    /* int */
	FIELD_INDEX,  /* size_t */
	FIELD_FLAG,   /* bool */
	FIELD_RECORD, /* a struct in place, whose fields are `of` */
	FIELD_LIST, /* a pointer to `count` structs; each is an object, or a value (fields.bare) */
	FIELD_MAP,  /* the same as an object: the first field of each struct is its name */
	FIELD_OTHER /* has functions of its own */
};

enum {
	MUST = 1,   /* always written; a document without it is read, with what absent fields are */
	NULLED = 2, /* null: NULL, and of whole numbers -1 */
	SURE = 4,   /* of a number: never null */
	LEFT_OUT = 8, /* absent where there is none: NULL, NAN, false, 0 or (NULLED) -1 */
	EMPTY = 16,   /* of a text: none is "" in place of NULL */
	FROM_0 = 32,  /* of a number: at least 0 */
	FROM_1 = 64,  /* at least 1 */
	NEEDED = 129, /* MUST, and a document without it is refused */
	POINTED = 256 /* of a record: a pointer to it stands there; NULL: it is not there */
};

struct fields;
struct fields_reading;

struct field {
	const char *name;
	enum field_type type;
	unsigned flags;
	size_t at;    /* where it stands in the struct */
	size_t count; /* of lists and maps: where their number stands, a size_t */
	size_t there; /* of a record that may be null or left out, or of a flag: where a bool says
			 whether it is there, plus 1; 0: it always is, or it does not matter */
	const struct fields *of;
	const char *const *choices; /* all texts that it can be, NULL at the end; NULL: any */
	double otherwise;           /* what a number or flag is where it is absent; of numbers 0:
				       NAN */
	/* of a list whose pointer is NULL: makes one of its structs */
	void (*item)(const void *owner, size_t i, void *item);
	json_t *(*make)(const void *at);
	void (*take)(struct fields_reading *r, void *at, json_t *value);
	const char *words;
};

struct fields {
	const char *name;
	size_t size; /* of the struct */
	const struct field *list;
	size_t n;
	bool bare; /* one field without name: the value itself; of a map the second field */
	/* An object that has the member `by`, a text of the same struct, has these fields alone. */
	const struct fields *instead;
	const char *by;
	/* After reading: makes what follows from the fields. 0, or -1 with what is wrong. */
	int (*finish)(struct fields_reading *r, void *item);
	const char *words;
};

/* Rows: the compiler checks that the member has the type. OF is the struct. */
#define FIELD_AT(type, member) (offsetof(OF, member) + 0 * sizeof(&((OF *)0)->member == (type *)0))
#define PLAIN(type_, c_type, name_, member, flags_, words_)                                    \
	{                                                                                      \
		.name = name_, .type = type_, .flags = flags_, .at = FIELD_AT(c_type, member), \
		.words = words_                                                                \
	}
#define TEXT(...)   PLAIN(FIELD_TEXT, const char *, __VA_ARGS__)
#define NUMBER(...) PLAIN(FIELD_NUMBER, double, __VA_ARGS__)
#define COUNT(...)  PLAIN(FIELD_COUNT, double, __VA_ARGS__)
#define WHOLE(...)  PLAIN(FIELD_WHOLE, int64_t, __VA_ARGS__)
#define INT(...)    PLAIN(FIELD_INT, int, __VA_ARGS__)
#define INDEX(...)  PLAIN(FIELD_INDEX, size_t, __VA_ARGS__)
#define FLAG(...)   PLAIN(FIELD_FLAG, bool, __VA_ARGS__)
#define CHOICE(name_, member, flags_, choices_, words_)                                    \
	{                                                                                  \
		.name = name_, .type = FIELD_TEXT, .flags = flags_,                        \
		.at = FIELD_AT(const char *, member), .choices = choices_, .words = words_ \
	}
#define NESTED(name_, at_, there_, fields_, flags_, words_)                                       \
	{                                                                                         \
		.name = name_, .type = FIELD_RECORD, .flags = flags_, .at = at_, .there = there_, \
		.of = &(fields_), .words = words_                                                 \
	}
#define RECORD(name_, member, ...) NESTED(name_, offsetof(OF, member), 0, __VA_ARGS__)
/* there_: a bool of the struct. Without LEFT_OUT a record that is not there is null. */
#define MAYBE(name_, member, there_, ...) \
	NESTED(name_, offsetof(OF, member), FIELD_AT(bool, there_) + 1, __VA_ARGS__)
/* Its fields are members of the struct around it. */
#define PART(name_, there_, ...) NESTED(name_, 0, FIELD_AT(bool, there_) + 1, __VA_ARGS__)
#define SEVERAL(type_, name_, member, count_, fields_, flags_, words_)                     \
	{                                                                                  \
		.name = name_, .type = type_, .flags = flags_, .at = offsetof(OF, member), \
		.count = FIELD_AT(size_t, count_), .of = &(fields_), .words = words_       \
	}
#define LIST(...) SEVERAL(FIELD_LIST, __VA_ARGS__)
#define MAP(...)  SEVERAL(FIELD_MAP, __VA_ARGS__)
/* Items of a list that are values: the type of the list's elements, OF. */
#define FIELDS(name_, rows_, ...)                                 \
	{                                                         \
		.name = name_, .size = sizeof(OF), .list = rows_, \
		.n = sizeof(rows_) / sizeof(*rows_), __VA_ARGS__  \
	}

/* A struct as JSON. */
json_t *fields_json(const struct fields *of, const void *from);
/* Writes it piece by piece: the items of lists that have an `item`, and what is around them. */
void fields_write(struct stream *s, const char *key, const struct fields *of, const void *from);

/* Gives numbers the digits that they have in JSON, so that what is printed of a struct is the same
 * of one that was read. Items that are made one by one keep theirs. */
void fields_round(const struct fields *of, void *to);

/* What a struct is before anything of it is read: NAN, NULL, 0 and what absent fields are. */
void fields_none(const struct fields *of, void *to);

/* Reading: what the fields need, and where it is. */
struct fields_reading {
	struct document *document; /* owns the lists */
	const char *path;          /* of the file */
	struct errors *errors;
	size_t unknown;                 /* fields that no row has */
	char *first_unknown;            /* where the first one is; NULL: there is none */
	const struct fields_step *step; /* where the reader is */
};

/* Fills in a struct. 0, or -1 with a message that names the path of what is missing or of another
 * type, STATUS_USAGE. */
int fields_read(struct fields_reading *r, const struct fields *of, json_t *o, void *to);
/* Refuses what is being read, for finish(): "runs[3]: WHAT". Returns -1. */
int fields_refuse(struct fields_reading *r, const char *what, ...)
	__attribute__((format(printf, 2, 3)));

#endif
