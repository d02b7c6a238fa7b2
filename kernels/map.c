/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The function map: every kernel that an argument file can name. A new kernel is a struct in a file
 * of kernels/ and a line here. Ids of the same struct follow each other: the first is its name, the
 * rest are aliases.
 */
#include "kernel.h"

/* clang-format off */
#define KERNELS(KERNEL) \
	KERNEL(read, read_kernel) \
	KERNEL(read_s, read_kernel) /* the thesis's ids for use with `sleep` */ \
	KERNEL(write, write_kernel) \
	KERNEL(write_s, write_kernel) \
	KERNEL(read_write, read_write_kernel) \
	KERNEL(read_write_s, read_write_kernel) \
	KERNEL(write_read, write_read_kernel) \
	KERNEL(write_read_s, write_read_kernel) \
	KERNEL(read_write_read, read_write_read_kernel) \
	KERNEL(read_write_read_s, read_write_read_kernel) \
	KERNEL(write_read_write, write_read_write_kernel) \
	KERNEL(write_read_write_s, write_read_write_kernel) \
	KERNEL(read_O0, read_O0_kernel) \
	KERNEL(write_O0, write_O0_kernel) \
	KERNEL(read_write_O0, read_write_O0_kernel) \
	KERNEL(write_read_O0, write_read_O0_kernel) \
	KERNEL(read_write_read_O0, read_write_read_O0_kernel) \
	KERNEL(write_read_write_O0, write_read_write_O0_kernel) \
	KERNEL(pingpong, pingpong_kernel) \
	KERNEL(false_sharing, false_sharing_kernel) \
	KERNEL(atomic_add, atomic_add_kernel) \
	KERNEL(atomic_cas, atomic_cas_kernel) \
	KERNEL(null, null_kernel)
/* clang-format on */

#define DECLARE(id, symbol) extern const struct kernel symbol;
#define ENTRY(id, symbol)   {#id, &symbol},

KERNELS(DECLARE)

const struct kernel_id kernel_map[] = {KERNELS(ENTRY){NULL, NULL}};
