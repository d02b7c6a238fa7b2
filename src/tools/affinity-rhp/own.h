/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes for runs of a command on one node. */
#ifndef OWN_H
#define OWN_H

#include <stdbool.h>

#include "base/error.h"
#include "base/linux.h"

/* A node and the CPUs of it that this process may use. */
struct own_node {
	int id;
	unsigned long cpus[LINUX_MASK_WORDS];
};

struct own_nodes {
	bool with_memory[LINUX_NODES]; /* that this process may use */
	struct own_node own;           /* where the command runs */
	struct own_node roomy; /* of the nodes with CPUs the one with the most free huge blocks */
};

/* id -1: the node on which this process runs. 0, or -1 with a message: there is nothing to choose
 * between, or the node cannot be one's own. */
int own_find(struct own_nodes *n, int id, struct errors *e);

/* weights[RHP_NODES]. 0, or -1 with a message: a node with a weight has no memory that this process
 * may use, so that others would get its part. */
int own_check_weights(const unsigned char *weights, struct errors *e);

#endif
