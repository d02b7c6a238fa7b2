/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The function map: every kernel that an argument file can name. A new kernel needs a struct in a
 * file of kernels/ and a line here. Ids of the same struct follow each other: the first is its
 * name, the rest are aliases. A group, what kernels are for, goes up to the next one. --list prints
 * a family on one line.
 */
#include "kernel.h"
#include "units/simd.h"
#include "units/upper.h"

/* clang-format off */
#define KERNELS(KERNEL, GROUP) \
	GROUP(bandwidth, "bandwidth: whole vectors in order, GB/s") \
	KERNEL(load, load_kernel) \
	KERNEL(store, store_kernel) \
	KERNEL(store_nt, store_nt_kernel) \
	KERNEL(copy, copy_kernel) \
	KERNEL(copy_nt, copy_nt_kernel) \
	KERNEL(scale, scale_kernel) \
	KERNEL(add, add_kernel) \
	KERNEL(triad, triad_kernel) \
	KERNEL(update, update_kernel) \
	KERNEL(sum, sum_kernel) \
	KERNEL(fill, fill_kernel) \
	KERNEL(fill_zero, fill_zero_kernel) \
	KERNEL(copy_string, copy_string_kernel) \
	KERNEL(memset, memset_kernel) \
	KERNEL(memcpy, memcpy_kernel) \
	KERNEL(memmove, memmove_kernel) \
	KERNEL(memcmp, memcmp_kernel) \
	KERNEL(memchr, memchr_kernel) \
	GROUP(latency, "latency and accesses without order, ns") \
	KERNEL(chase, chase_kernel) \
	KERNEL(chase_tiers, chase_tiers_kernel) \
	KERNEL(traffic, traffic_kernel) \
	KERNEL(gups, gups_kernel) \
	KERNEL(gups_tiers, gups_tiers_kernel) \
	KERNEL(gather, gather_kernel) \
	KERNEL(scatter, scatter_kernel) \
	KERNEL(refresh, refresh_kernel) \
	KERNEL(hashjoin, hashjoin_kernel) \
	KERNEL(hotcold, hotcold_kernel) \
	GROUP(inference, "language models: weights that are read once a token") \
	KERNEL(gemv, gemv_kernel) \
	KERNEL(moe, moe_kernel) \
	KERNEL(kvread, kvread_kernel) \
	GROUP(strides, "single accesses a stride apart, ns each: the loops of the thesis; for GB/s take load or store") \
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
	GROUP(lines, "lines that several cores use") \
	KERNEL(pingpong, pingpong_kernel) \
	KERNEL(false_sharing, false_sharing_kernel) \
	KERNEL(atomic_add, atomic_add_kernel) \
	KERNEL(atomic_cas, atomic_cas_kernel) \
	KERNEL(barrier, barrier_kernel) \
	KERNEL(reduce, reduce_kernel) \
	GROUP(system, "what the system does for threads: wake-ups, locks, queues, page faults, calls on memory") \
	KERNEL(wake, wake_kernel) \
	KERNEL(lock, lock_kernel) \
	KERNEL(queue, queue_kernel) \
	KERNEL(fault, fault_kernel) \
	KERNEL(map, map_kernel) \
	KERNEL(unmap, unmap_kernel) \
	KERNEL(protect, protect_kernel) \
	KERNEL(dontneed, dontneed_kernel) \
	KERNEL(free, free_kernel) \
	KERNEL(fork, fork_kernel) \
	KERNEL(bystander, bystander_kernel) \
	GROUP(units, "execution units of a core") \
	KERNEL(branch, branch_kernel) \
	KERNEL(ctl_complex, ctl_complex_kernel) \
	KERNEL(ctl_conditional, ctl_conditional_kernel) \
	KERNEL(ctl_random, ctl_random_kernel) \
	KERNEL(ctl_small_bbl, ctl_small_bbl_kernel) \
	KERNEL(ctl_switch, ctl_switch_kernel) \
	KERNEL(dep_chain1, dep_chain1_kernel) \
	KERNEL(scalar_iadd, dep_chain1_kernel) /* SMT-Bench's second id for it */ \
	KERNEL(dep_chain2, dep_chain2_kernel) \
	KERNEL(dep_chain3, dep_chain3_kernel) \
	KERNEL(dep_chain4, dep_chain4_kernel) \
	KERNEL(dep_chain5, dep_chain5_kernel) \
	KERNEL(dep_chain6, dep_chain6_kernel) \
	KERNEL(fp_add, fp_add_kernel) \
	KERNEL(fp_mul, fp_mul_kernel) \
	KERNEL(fp_div, fp_div_kernel) \
	KERNEL(fp_fma, fp_fma_kernel) \
	KERNEL(int_add, int_add_kernel) \
	KERNEL(int_mul, int_mul_kernel) \
	KERNEL(int_div, int_div_kernel) \
	KERNEL(load_dep, load_dep_kernel) \
	KERNEL(load_ind, load_ind_kernel) \
	KERNEL(load_rand, load_rand_kernel) \
	KERNEL(store_ind, store_ind_kernel) \
	KERNEL(store_rand, store_rand_kernel) \
	GROUP(vectors, "execution units of a core: vectors") \
	SIMD_KERNELS(KERNEL) \
	UPPER_IDS(KERNEL) \
	GROUP(occupants, "what occupies a hardware thread beside another") \
	KERNEL(idle, idle_kernel) \
	KERNEL(idle_sleep, idle_sleep_kernel) \
	GROUP(programs, "programs whose pages are moved") \
	KERNEL(product, product_kernel) \
	KERNEL(matrix_add, matrix_add_kernel) \
	KERNEL(lu, lu_kernel) \
	KERNEL(cholesky, cholesky_kernel) \
	KERNEL(strsearch, strsearch_kernel) \
	KERNEL(bucketsort, bucketsort_kernel) \
	KERNEL(knn, knn_kernel) \
	KERNEL(fig3, fig3_kernel) \
	GROUP(moves, "costs of moving pages") \
	KERNEL(migrate, migrate_kernel) \
	KERNEL(migrate_use, migrate_use_kernel) \
	GROUP(other, "other") \
	KERNEL(null, null_kernel)
/* clang-format on */

#define NOTHING(first, rest)
#define DECLARE(id, symbol) extern const struct kernel symbol;
#define ENTRY(id, symbol)   {#id, &symbol},
/* The number of a kernel in the map; that of a group is its first kernel's. */
#define NUMBER(id, symbol)  KERNEL_##id,
#define BEGIN(group, title) GROUP_##group, BEFORE_##group = GROUP_##group - 1,
#define TITLE(group, title) {GROUP_##group, title},

KERNELS(DECLARE, NOTHING)

const struct kernel_id kernel_map[] = {KERNELS(ENTRY, NOTHING){NULL, NULL}};

enum { KERNELS(NUMBER, BEGIN) };

const struct kernel_group kernel_groups[] = {KERNELS(NOTHING, TITLE){0, NULL}};

const struct kernel_family kernel_families[] = {
	{"mem*", "the C library's memcpy(), memmove(), memset(), memcmp(), memchr()"},
	{"*_O0", "the same six, compiled with -O0 as in the thesis"},
	{"ctl_*", "jumps: nested, at random, as loops and switches"},
	{"dep_chain*", "adds of ints in 1 to 6 chains, each waiting for its last"},
	{"simd_sparse_*", "adds with a vector instruction in 100: its cost to the clock rate"},
	{"simd_iadd16_*", "adds of vectors in registers 16 and up"},
	{"simd_*", "vectors of 128, 256, 512 bits and of SVE: add, mul, fma, permute ...; _lat: "
		   "each waits for the last, _tput: independent"},
	{NULL, NULL},
};
