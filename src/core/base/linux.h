/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linux's own limits: no machine has more. */
#ifndef LINUX_H
#define LINUX_H

#define LINUX_CPUS  8192 /* CONFIG_NR_CPUS is at most that */
#define LINUX_NODES 1024 /* CONFIG_NODES_SHIFT is at most 10 */

/* Size, in unsigned long, of a mask of CPUs that holds all of them. */
#define LINUX_MASK_WORDS (LINUX_CPUS / (8 * sizeof(unsigned long)))

#endif
