/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The system call by which threads of this process sleep at a word, and wake each other. */
#ifndef FUTEX_H
#define FUTEX_H

#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* bits: of FUTEX_WAIT_BITSET and FUTEX_WAKE_BITSET, else 0. */
static inline long futex(uint32_t *word, int what, uint32_t value, uint32_t bits)
{
	return syscall(SYS_futex, word, what | FUTEX_PRIVATE_FLAG, value, NULL, NULL, bits);
}

#endif
