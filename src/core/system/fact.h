/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts of the machine, of the system and of the program: values that are typed where they are
 * read, and one text of each for people ("caches: L1 48 KiB x 2, L2 1 MiB x 2"), which no code
 * reads. document/facts.h writes the values as JSON and reads them. A fact that is not in the table
 * of fact_text.c is a text.
 */
#ifndef FACT_H
#define FACT_H

#include <stdbool.h>
#include <stddef.h>

#define FACT_UNKNOWN "unknown" /* the system does not report it */

/* A fact has rows of cells. */
enum fact_value {
	FACT_TEXT,    /* a cell */
	FACT_NUMBER,  /* a cell */
	FACT_FLAG,    /* a cell, 0 or 1 */
	FACT_BY_CPUS, /* a list of CPUs, and their text or number; no list: all of them */
	FACT_RECORD,  /* a row of fields */
	FACT_RECORDS, /* rows of fields */
	FACT_TEXTS,   /* rows of a text */
	FACT_MATRIX,  /* as many rows of numbers as each has */
	FACT_PAIRS    /* rows of a name and a text */
};

struct fact_form {
	const char *name, *key; /* for people, and in JSON, with its unit; NULL: the same */
	enum fact_value kind;
	const char *shape;   /* how the fields of a row are written, see struct fact_field */
	const char *between; /* two rows, or name and text of a pair */
	const char *none;    /* the text where there is no row or, of a record, nothing but 0 */
	double scale;        /* of a number: JSON has so many for one of the text; 0: the same */
};

/*
 * A field in a shape such as "{count} x {bytes} {*type}, {n} CPU(s)":
 *
 *   {name}        a number; {name.2} with 2 decimals, {name:6} with at most 6 digits
 *   {bytes}       a size (also {page_bytes}); {~bytes} rounded to 3 digits
 *   {*name}       a text
 *   {name?words}  a flag: the words if it holds
 *   (s)           "s" if the number before is not 1
 *   |             what is before it is left out, with its field, where the row before has the same
 */
struct fact_field {
	char name[32];
	bool text, flag, size, rounded;
	int decimals, digits;
	const char *words, *end; /* words end at the brace; end: behind it */
};

struct fact_cell {
	char *text;    /* owned; NULL: a number */
	double number; /* NAN: not known */
};

struct fact {
	const char *name; /* lower_case; not owned */
	char *value;      /* for people; owned */
	const struct fact_form *form;
	bool known;
	struct fact_cell *cells; /* [rows * width] */
	size_t count, rows, width;
};

struct environment {
	struct fact *facts;
	size_t count;
};

/* Begins a fact that is not known. */
struct fact fact_begin(const char *name);
/* The next cell of its rows. Not known: NULL, "" or FACT_UNKNOWN, and NAN. INFINITY: no row. */
void fact_add_text(struct fact *f, const char *text);
void fact_add_number(struct fact *f, double number);
/* It is known, also if no cell is added. */
void fact_add_none(struct fact *f);
/* What was added is not of its form: it is this text instead. */
void fact_replace(struct fact *f, const char *text);
void fact_free(struct fact *f);

/* fact_text.c: the form of a fact, that of a text where no other is known. */
const struct fact_form *fact_form(const char *name);
/* The text of all rows, to be freed. */
char *fact_print(const struct fact *f);
/* Moves to the end of the next field of a shape. False: there is none. */
bool fact_next_field(const char **shape, struct fact_field *field);
/* The name that people read of a fact, by that in JSON. */
const char *fact_name(const char *key);

/* A cell of a row by its field ("n" of a NUMBER; of FACT_BY_CPUS also "cpus"). NULL, NAN: there is
 * no such text or number. */
const char *fact_text(const struct fact *f, size_t row, const char *field);
double fact_number(const struct fact *f, size_t row, const char *field);

/* The fact, and its value; NULL: there is none. */
const struct fact *environment_fact(const struct environment *env, const char *name);
const char *environment_get(const struct environment *env, const char *name);
/* Its first number; NAN: there is none. */
double environment_number(const struct environment *env, const char *name);

/* Takes over the fact. */
void environment_take(struct environment *env, struct fact *f);
/* Each adds a fact. Not known: NULL or "", and NAN; INFINITY: no row. The text of a number is what
 * a file of the system has. */
void environment_add(struct environment *env, const char *name, const char *text);
/* NULL or "": no row. */
void environment_add_or_none(struct environment *env, const char *name, const char *text);
void environment_add_number(struct environment *env, const char *name, double number);

void environment_free(struct environment *env);

#endif
