/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The forms of facts, for facts.c only: each reads a text and writes it again. */
#ifndef FACTS_FORMS_H
#define FACTS_FORMS_H

#include <jansson.h>

#define FORM_UNKNOWN "unknown" /* what the system does not tell: null in JSON */

struct form {
	const char *fact;
	const char *none; /* text where there is nothing; NULL: there is no such text */
	const char *key;  /* in JSON, with the unit of a number; NULL: as the fact */
	json_t *(*read)(const struct form *f, const char *text);   /* NULL: of another form */
	char *(*write)(const struct form *f, const json_t *value); /* the same; to be freed */
	const char *shape, *separator;
	double scale; /* of a number: in JSON over that in the text */
};

#define FORM(name)                                                   \
	json_t *form_##name(const struct form *f, const char *text); \
	char *form_##name##_text(const struct form *f, const json_t *value)

FORM(plain);     /* a text, or null where there is nothing */
FORM(number);    /* the field of its shape; null: nothing */
FORM(by_cpus);   /* a number of its shape, or a text (shape NULL); where CPUs are unlike, a list of
		    objects with "cpus" and that value, which `separator` names */
FORM(flag);      /* shape: yes, separator: no */
FORM(object);    /* of its shape */
FORM(list);      /* of objects, empty: nothing */
FORM(load);      /* the first fields of /proc/loadavg */
FORM(caches);    /* level, bytes and count of each size */
FORM(line);      /* bytes, and whether they are assumed */
FORM(kinds);     /* a list of texts, empty: nothing */
FORM(distances); /* a list of rows */
FORM(variables); /* of the OpenMP runtime, by name */
FORM(throttled); /* seconds and periods */
FORM(versions);  /* of libraries, by name */

#undef FORM
#endif
