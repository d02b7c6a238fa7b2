/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks the kernel for nodes, CPUs, huge pages and policies. */
#include "affinity-rhp/own.h"

#include <linux/mempolicy.h>
#include <sched.h>
#include <string.h>

#include "memory/capacity.h"
#include "rhp/machine.h"
#include "rhp/system.h"
#include "topology/system.h"

#define WORD_BITS (8 * sizeof(unsigned long))

/* CPUs of the node that this process may use. Returns how many. */
static int cpus_of(const int *home, int id, unsigned long *cpus)
{
	unsigned long mine[LINUX_MASK_WORDS] = {0};
	int n = 0;

	if (sched_getaffinity(0, sizeof(mine), (cpu_set_t *)(void *)mine))
		return 0;
	memset(cpus, 0, sizeof(mine));
	for (size_t i = 0; i < LINUX_CPUS; i++)
		if (home[i] == id && mine[i / WORD_BITS] >> i % WORD_BITS & 1) {
			cpus[i / WORD_BITS] |= 1UL << i % WORD_BITS;
			n++;
		}
	return n;
}

/* Those that this process may use. */
static void nodes_with_memory(bool with_memory[LINUX_NODES])
{
	bool allowed[LINUX_NODES];

	capacity_nodes(with_memory);
	if (capacity_allowed(allowed))
		for (int i = 0; i < LINUX_NODES; i++)
			with_memory[i] &= allowed[i];
}

int own_check_weights(const unsigned char *weights, struct errors *e)
{
	bool with_memory[LINUX_NODES];

	nodes_with_memory(with_memory);
	for (int i = 0; i < RHP_NODES; i++)
		if (weights[i] && !with_memory[i]) {
			error_add(e, STATUS_FAILED, NOWHERE,
				"--weights: node %d has no memory for this process", i);
			return error_hint(e, "affinity --topology shows the nodes");
		}
	return 0;
}

static int find_memory(struct own_nodes *n, struct errors *e)
{
	int count = 0;

	nodes_with_memory(n->with_memory);
	for (int i = 0; i < LINUX_NODES; i++)
		count += n->with_memory[i];
	if (count > 1)
		return 0;
	error_add(e, STATUS_FAILED, NOWHERE,
		"--profile: only one node has memory for this process: nothing can be moved back");
	return error_hint(e, "without --profile the command runs with its large blocks in huge "
			     "pages; affinity --topology shows the nodes");
}

/* The library chooses nodes only where nobody else has. */
static int check_kernel(const struct rhp_machine *m, struct errors *e)
{
	unsigned long nodes[RHP_MASK_WORDS] = {0};
	int policy = MPOL_DEFAULT;

	if (!rhp_machine_thp(m)) {
		error_add(e, STATUS_FAILED, NOWHERE,
			"--profile: transparent huge pages are off: nothing is far");
		return error_hint(
			e, "echo madvise >/sys/kernel/mm/transparent_hugepage/enabled allows them");
	}
	if (rhp_linux.policy(&policy, nodes) || policy == MPOL_DEFAULT)
		return 0;
	error_add(e, STATUS_FAILED, NOWHERE,
		"--profile: this process has a memory policy of its own, which no node is chosen "
		"against");
	return error_hint(e, "leave out numactl; --node N says where the command runs");
}

static int find_own(struct own_nodes *n, const int *home, int id, struct errors *e)
{
	int here = sched_getcpu();

	n->own.id = id >= 0 ? id : here >= 0 && here < LINUX_CPUS ? home[here] : -1;
	const char *lacks = n->own.id < 0 || n->own.id >= LINUX_NODES || !n->with_memory[n->own.id]
				    ? "memory"
			    : cpus_of(home, n->own.id, n->own.cpus) ? NULL
								    : "CPUs";
	if (!lacks)
		return 0;
	error_add(e, STATUS_FAILED, NOWHERE, "--profile: node %d has no %s for this process",
		n->own.id, lacks);
	return error_hint(e, "--node N says on which node the command runs; affinity --topology "
			     "shows what may be used");
}

static void find_roomy(struct own_nodes *n, const struct rhp_machine *m, const int *home)
{
	static uint64_t free_bytes[RHP_NODES];
	struct own_node node;

	n->roomy = n->own;
	if (rhp_machine_free(m, free_bytes))
		return;
	for (node.id = 0; node.id < LINUX_NODES; node.id++)
		if (n->with_memory[node.id] && free_bytes[node.id] > free_bytes[n->roomy.id] &&
			cpus_of(home, node.id, node.cpus))
			n->roomy = node;
}

int own_find(struct own_nodes *n, int id, struct errors *e)
{
	static struct rhp_machine machine;
	static int home[LINUX_CPUS];

	memset(home, -1, sizeof(home));
	if (find_memory(n, e))
		return -1;
	topo_system_homes(home, LINUX_CPUS);
	rhp_machine_read(&machine, "");
	if (check_kernel(&machine, e) || find_own(n, home, id, e))
		return -1;
	find_roomy(n, &machine, home);
	return 0;
}
