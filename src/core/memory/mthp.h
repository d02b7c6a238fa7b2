/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transparent huge pages of one chosen size (multi-size THP), proven while they are touched. */
#ifndef MTHP_H
#define MTHP_H

#include <stddef.h>

/*
 * Brings [from, to), of a mapping that mem_map() made for such pages of `size` bytes, into memory.
 * from is a multiple of 2 * size. Different threads may do it for different parts of the mapping.
 *
 * The kernel maps the largest pages that are switched on and meet no page that is there already.
 * So first one small page comes into the first half of each pair of blocks: no larger page fits the
 * second half then. Its small page goes when the second half is there, and no larger page fits the
 * first half either. Other sizes may be switched on or off: they do not change the result.
 *
 * One write makes one page present. Where it makes all base pages of a block present
 * (/proc/self/pagemap), and none of the other half, the block is one page of that size: no right is
 * needed to see it. Returns the bytes of the blocks of which this is true.
 */
size_t mthp_touch(void *from, void *to, size_t size);

#endif
