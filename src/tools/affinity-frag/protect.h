/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where memory ends in spite of the margin, this process dies and no other. */
#ifndef PROTECT_H
#define PROTECT_H

/* The kernel's first choice to kill is this process; it may open as many files as it can. */
void protect_others(void);

/* For a child: both as they were. The first alone: */
void protect_restore(void);
void protect_restore_score(void);

#endif
