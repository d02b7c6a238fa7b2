/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The load beside the samples of a run: threads that move lines from before a sample until after
 * it, however long it is. They stand in no sample; what they reach is counted in lines, between two
 * ends of rounds.
 */
#ifndef RIVALS_H
#define RIVALS_H

#include <signal.h>

#include "measure/workers.h"
#include "plan/background.h"

struct rivals;

/* Maps, touches and verifies the vectors of the next placement, and starts the threads, which wait.
 * *l is NULL before the first one, and stays so where no line has a rate. 0, or -1 with a message.
 */
int rivals_place(struct rivals **l, const struct backgrounds *b, struct mem_rights *rights,
	const volatile sig_atomic_t *stop, struct errors *e);

/* Ends the threads, queries their pages again, and gives the vectors back. */
int rivals_release(struct rivals *l, struct errors *e);
void rivals_free(struct rivals *l);

/* From now on the threads move lines, or all wait. Of NULL each of these does nothing. */
void rivals_run(struct rivals *l, bool on);

/* Of a sample between both: bytes in a second of each line of the file into rates[]; a line without
 * load has 0. It returns when each thread has ended a round. true: one was not on its CPU. */
void rivals_begin(struct rivals *l);
bool rivals_end(struct rivals *l, double rates[BACKGROUNDS_MOST]);

/* Turns the dials by trials of the operation, whose samples are not kept. 0, or -1 with a message.
 */
int rivals_dial(
	struct rivals *l, struct workers *c, const volatile sig_atomic_t *stop, struct errors *e);

/* Where the vectors of a line were found: a placement from 0. NULL: the line has none. */
const struct prepared *rivals_prepared(const struct rivals *l, size_t line);

#endif
