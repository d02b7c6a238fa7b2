/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs that run together: their CPUs under each mapping, and their runs. */
#ifndef MAP_JOB_H
#define MAP_JOB_H

#include "affinity-map/options.h"
#include "affinity-map/report.h"

struct job {
	const struct map_options *options;
	const struct topo *topo;
	const char *library;  /* NULL until something runs */
	struct map_app *apps; /* [napps], not owned */
	int napps;
	struct map_layout *layouts; /* [result.nlayouts], owned */
	const struct map_counted *counted;
	struct map_result result;
	int status; /* exit status of a program that failed; affinity-map exits with it; or 0 */
};

/* Maps the programs by every mapping of the options; the other fields must be set before. 0, or -1
 * with messages. Call job_free() in both cases. */
int job_plan(struct job *j, struct errors *e);

/* Maps them by MAPPING_INSTRUCTION again, when their mixes are known. 0, or -1 with messages. */
int job_plan_again(struct job *j, struct errors *e);

/* Without mixes, instruction is the same as compact. If the user asks for both, comparing the two
 * would only show noise: leaves out instruction, with a warning. */
void job_drop_copy(struct job *j, struct errors *e);

/* Before the first run, when the number of mappings is final. */
void job_begin(struct job *j);

/* Runs the programs once under a mapping; again if this process was stopped meanwhile. 0, or -1
 * with messages; j->status is then the exit status of a program that failed. */
int job_run(struct job *j, int layout, struct errors *e);

/* Runs programs once. *paused: affinity-map was stopped (Ctrl-Z, SIGSTOP) in the run, so that the
 * times are not those of the programs. 0, or -1 with messages. */
typedef int job_attempt(void *arg, bool *paused, struct errors *e);

/* Repeats such a run, with a warning that names it by `what`. 0, or -1 with messages: the run
 * failed, or was stopped time and again. */
int job_attempts(job_attempt *attempt, void *arg, const char *what, struct errors *e);

/* Warns of programs that began different numbers of threads under two mappings. */
void job_compare_threads(const struct job *j, struct errors *e);

void job_free(struct job *j);

/* Tells on a terminal which run of n begins, from 0, and how long the others take by those that are
 * done; a line for each, as those of the programs come between them. */
void job_tell(const char *what, size_t i, size_t n, uint64_t begin_ns);

#endif
