/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The system calls that the runtime makes. Tests put a machine of their own here. */
#ifndef SPM_SYSTEM_H
#define SPM_SYSTEM_H

#include <stddef.h>

#include "spm/machine.h"

enum spm_binding {
	SPM_BIND_CHECK, /* MPOL_BIND with MPOL_MF_STRICT: EIO if a page is elsewhere */
	SPM_BIND_MOVE,  /* MPOL_BIND with MPOL_MF_MOVE */
	SPM_BIND_NOT    /* MPOL_DEFAULT */
};

/* Each returns as the system call does: -1 and errno when it fails. */
struct spm_system {
	/* The node of the CPU on which the calling thread runs; cannot fail. */
	int (*node)(void);
	/* mbind() of whole pages; node: of SPM_BIND_CHECK and SPM_BIND_MOVE. */
	int (*bind)(void *base, size_t bytes, enum spm_binding binding, int node);
	/* move_pages() of this process with MPOL_MF_MOVE; nodes NULL: asks where pages are, also
	 * those that NUMA balancing hides. */
	long (*move)(size_t n, void **pages, const int *nodes, int *status);
	/* The CPUs of the calling thread. */
	int (*get_cpus)(struct spm_cpus *cpus);
	int (*set_cpus)(const struct spm_cpus *cpus);
};

extern const struct spm_system spm_linux;

#endif
