/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The machine: nodes, cores, hardware threads, caches, distances, and which of them this process
 * may use. The only user of hwloc; plain ints outward. Nodes and CPUs are named by their operating
 * system numbers, which may have holes; cores by hwloc's logical index, from 0 without holes.
 *
 * HWLOC_SYNTHETIC and HWLOC_XMLFILE replace the machine, for planning only: this_system is false
 * then (HWLOC_THISSYSTEM=1 says that they describe this machine all the same).
 */
#ifndef TOPO_H
#define TOPO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Caches have levels 1 to 4; [0] is none. */
#define TOPO_LEVELS 5

struct topo_cpu {
	int cpu;       /* OS number */
	int core;      /* logical index of its core */
	int thread;    /* which hardware thread of the core, from 0 */
	int node;      /* its home: the node that Linux lists it under; -1: none */
	int package;   /* logical index, -1: none */
	int kind;      /* of its core: index into kinds; -1: alike, or not known */
	bool allowed;  /* online, and in this process's affinity and cpuset */
	bool nameable; /* online and in the cpuset, but not in the affinity (isolcpus, taskset):
			  used where a file names it */
	int caches[TOPO_LEVELS]; /* [level]: number of the cache above it, from 0; -1: none */
};

/* The kind of memory that no vector is put into unless the file names it. */
#define TOPO_GPU "GPU"

struct topo_node {
	int node;       /* OS number */
	uint64_t bytes; /* of memory; 0: a node without memory */
	int cpus;       /* CPUs whose home it is, allowed or not; 0: a memory-only node */
	int allowed_cpus;
	bool allowed; /* memory may be taken from it (cpuset.mems) */
	char *memory; /* its kind: HBM DRAM NVM CXL GPU, or as hwloc says; slow; NULL: not known */
	bool guessed; /* `memory` is a guess from the bandwidths, hwloc says nothing */
	uint64_t cache;         /* bytes of the memory-side cache before it; 0: none is known */
	unsigned kernel_weight; /* of the kernel's own weighted interleave; 0: it has none */
};

struct topo_one_cache {
	uint64_t bytes; /* 0: unknown */
	int shared_by;  /* hardware threads under it */
	int cores;      /* that may be used, under it */
};

/* A level. Its caches may differ in size: cores of unlike kinds have unlike ones. */
struct topo_cache {
	int level;         /* 1: L1 data */
	uint64_t bytes;    /* of the largest such cache */
	unsigned line;     /* bytes */
	bool line_assumed; /* the machine gives none */
	int count;
	int shared_by;               /* hardware threads under the largest one */
	struct topo_one_cache *each; /* [count], by the numbers of struct topo_cpu */
};

/* The line of nearly all processors, where the machine gives none. */
#define TOPO_LINE 64

/* Who says how large the caches are, the first that knows it; but a user's word is above all. */
enum topo_caches_from {
	CACHES_UNKNOWN,
	CACHES_SHOWN,     /* the kernel, or the description in place of this machine */
	CACHES_PROCESSOR, /* cpuid */
	CACHES_USER,      /* the key caches */
	CACHES_MEASURED   /* the steps of a staircase of latencies */
};

/* A kind of cores, where a machine has several. */
struct topo_kind {
	char *name;      /* performance, middle, efficiency; 0, 1 .. if their order is unknown */
	char *type;      /* the maker's word, as hwloc reports it: IntelCore; NULL: none */
	int efficiency;  /* hwloc's rank: the quickest has the highest; -1: unknown */
	double max_hz;   /* highest clock rate, 0: unknown */
	double capacity; /* the kernel's measure, of its quickest core; 0: unknown */
	int cores, cpus; /* how many, allowed or not */
};

/* Places of one sort, which have no CPU in common. */
struct topo_level {
	char *name;           /* as files name it: "L3" */
	const char *synonyms; /* further words for it, divided by blanks */
	int *of;     /* [ncpus], parallel to cpus: the number of the place that has it, a node's and
			a CPU's the system's, others from 0; -1: none has */
	int cache;   /* level of data caches that it is; 0: none */
	int count;   /* of places */
	int missing; /* CPUs in none of them ... */
	int hidden;  /* ... and those that may be in one that the machine does not show */
	int same_as; /* index of a level before, which has the same places; -1: none */
	bool aside;  /* in no order with the others: its places cross those of another level */
};

struct topo {
	struct topo_cpu *cpus; /* ordered by core, then hardware thread */
	int ncpus;
	int *cpu_index; /* [OS number of a CPU]: into cpus, -1: there is none; topo_cpu() looks it
			   up */
	int ncpu_index;
	int ncores;
	int npackages;
	struct topo_kind *kinds; /* the quickest first; NULL: all cores are alike, or hwloc
				    does not know their kinds */
	int nkinds;              /* 0, or at least 2 */
	struct topo_node *nodes; /* ordered by number */
	int nnodes;
	struct topo_level *levels; /* the outermost first, those aside last */
	int nlevels;
	struct topo_cache caches[TOPO_LEVELS]; /* [level], [0] is none; bytes 0: no such cache */
	enum topo_caches_from caches_from;
	bool caches_hidden;  /* some CPUs show no cache of a level that others show, and the
				processor does not say that they have none */
	char *caches_note;   /* of CACHES_MEASURED: how well they are known; else NULL */
	uint64_t *distances; /* nnodes x nnodes by index into nodes, 0: unknown; NULL: the machine
				gives none */
	/* Memory attributes, like distances: MiB/s, ns, of the CPUs of a node to the memory of
	 * another. */
	uint64_t *bandwidths, *latencies;
	bool measured; /* they are measurements of affinity that were exported, not the firmware's
			*/
	/* Measured: nanoseconds of an access of CPUs of the first node to memory of the second, as
	 * distances are ordered; NAN: not measured. NULL: nothing was measured. */
	double *access;
	char *access_source; /* the file that the figures are of, or NULL */
	/* The same for bytes per second that the CPUs of a node read from memory of another. */
	double *rates;
	char *rates_source;
	bool this_system;
	char *source;               /* "this machine", or which variable replaced it */
	struct topo_handle *handle; /* hwloc's; only topo.c looks inside */
};

/* Overwrites t. 0, or -1 with a message; call topo_free() after both. */
int topo_load(struct topo *t, struct errors *e);
void topo_free(struct topo *t);

/* NULL when there is none of that number. */
const struct topo_cpu *topo_cpu(const struct topo *t, int cpu);
const struct topo_node *topo_node(const struct topo *t, int node);

/* Relative distance from the firmware (10: local). Without firmware values it is 10 for the node
 * itself and 20 for others. */
uint64_t topo_distance(const struct topo *t, int from, int to);

/* Takes over a measured access between nodes, by OS numbers; `source` is the file that says so. */
void topo_take_access(struct topo *t, const char *source, int from, int to, double ns);

/* The same for a measured read bandwidth, bytes/s. */
void topo_take_rate(struct topo *t, const char *source, int from, int to, double bytes_per_s);

/* The lowest rate at which the nodes of readers[n], by OS numbers, read the memory of a node,
 * because the others wait for the slowest; NAN: one is not known, or there are none. */
double topo_lowest_rate(const struct topo *t, const bool *readers, int n, int memory);

/* Frees what these took; topo_free() does. */
void topo_free_measured(struct topo *t);

/* The lowest node that can hold threads and vectors, -1: there is none. */
int topo_first(const struct topo *t);

/* The node farthest from (nearest to) `node` that can hold both threads and vectors, the lowest
 * number where several are equally far; -1 when there is no other. Far is by the mean of the
 * measured accesses of both directions if they are known for all nodes to choose from, else by
 * distance: so from a node without CPUs. */
int topo_far(const struct topo *t, int node);
int topo_near(const struct topo *t, int node);

/* tiers.c: may a node's memory be taken where the file does not name it? Not that of a GPU. */
bool topo_is_target(const struct topo_node *n);

/* tiers.c: can the node hold vectors, and is its memory of this kind? */
bool topo_has_memory(const struct topo_node *n, const char *kind);

/* tiers.c: for messages: "DRAM, HBM", the kinds of nodes that can hold vectors; in buffer.
 * Empty: none is known. */
const char *topo_memories(const struct topo *t, char *buffer, size_t n);

/* tiers.c: the node whose memory has the highest (least: lowest) value of t->bandwidths or
 * t->latencies for the CPUs of the node `from`, of those that can hold vectors; the lowest number
 * of equal ones. -1: no value is known. */
int topo_best(const struct topo *t, const uint64_t *matrix, bool least, int from);

/* The last level that has a cache; 0: no cache is known. */
int topo_last_level(const struct topo *t);

/* Bytes of the largest cache of the last level; 0: no cache is known. */
uint64_t topo_last_cache(const struct topo *t);

/* Bytes of the largest cache of a level; with `shared` of the largest share that a usable core has
 * of one when all of them work. 0: none is known. */
double topo_cache_of_machine(const struct topo *t, int level, bool shared);

/* The same of all levels, added up. */
double topo_caches(const struct topo *t, bool shared);

/* The cache of a level above a CPU; NULL: none of a known size. */
const struct topo_one_cache *topo_cache_above(
	const struct topo *t, const struct topo_cpu *cpu, int level);

/* Can there be a cache of a level above a CPU that the machine does not show there, since it shows
 * some above others? It counts as large as the largest of them. */
bool topo_cache_hidden(const struct topo *t, const struct topo_cpu *cpu, int level);

/* Bytes of the cache of a level above a CPU, also where it is hidden; 0: none. */
uint64_t topo_cache_bytes(const struct topo *t, const struct topo_cpu *cpu, int level);

/* Are caches of the level of several sizes? */
bool topo_cache_sizes_differ(const struct topo *t, int level);

/* "the kernel", "the processor (cpuid)": who says how large the caches are, for reports. */
const char *topo_caches_from(const struct topo *t);

/* level_names.c: the level of that name or synonym, in whatever case; -1: this machine shows none.
 */
int topo_level(const struct topo *t, const char *word);

/* level_names.c: does the level say more of which CPUs are near each other than those before it,
 * the cores and the CPUs? */
bool topo_level_groups(const struct topo *t, int level);

/* level_names.c: does it group them above the cores? */
bool topo_level_above_cores(const struct topo *t, int level);

/* level_names.c: "L3 2", the last-level cache of a CPU, in buffer; NULL: none is known, or no node
 * has several. */
const char *topo_last_cache_above(
	const struct topo *t, const struct topo_cpu *cpu, char *buffer, size_t n);

/* level_names.c: for messages: "L3 = node", with all levels that have the same places, but LLC,
 * which is one of the others; in buffer. */
const char *topo_level_names(const struct topo *t, int level, char *buffer, size_t n);

/* levels.c: our name of the level that some machines have; NULL: the word is for none. */
const char *topo_level_meant(const char *word);

/* levels.c: can places of the inner level, by our names, be in those of the outer one on some
 * machine? */
bool topo_level_may_be_inside(const char *inner, const char *outer);

/* level_names.c: for messages: "package 0-1, node = L3 0-3, core 0-31", those of the order; in
 * buffer.
 */
const char *topo_level_list(const struct topo *t, char *buffer, size_t n);

/* level_names.c: for messages: "0-3,8", the numbers of its places; in buffer. */
const char *topo_level_numbers(
	const struct topo *t, const struct topo_level *l, char *buffer, size_t n);

/* Binds the calling thread to one CPU; cpu -1: to all CPUs that the thread which called topo_load()
 * could use at that time. 0, or -1 and errno: ENOSYS when t is not this machine, EINVAL when it has
 * no such CPU. */
int topo_bind(const struct topo *t, int cpu);

/* kinds.c: the kind of this name, or of this type if no other has it; -1: there is none. */
int topo_kind(const struct topo *t, const char *name);

/* kinds.c: the name of a kind, by its index; NULL for -1. */
const char *topo_kind_name(const struct topo *t, int kind);

/* kinds.c: for messages: "performance (IntelCore), efficiency (IntelAtom)"; in buffer. */
const char *topo_kinds(const struct topo *t, char *buffer, size_t n);

/* For messages: "0-3,8" of the nodes or CPUs that may be used; in buffer. */
const char *topo_usable_cpus(const struct topo *t, char *buffer, size_t n);
const char *topo_usable_thread_nodes(const struct topo *t, char *buffer, size_t n);
const char *topo_usable_memory_nodes(const struct topo *t, char *buffer, size_t n);

/* The same of CPUs that only a file which names them may use; NULL: there are none. */
const char *topo_nameable_cpus(const struct topo *t, char *buffer, size_t n);

/* Is a CPU that is not in the topology there, and switched off? */
bool topo_offline(const struct topo *t, int cpu);

/* "node 3" of a CPU's home; "no node" of -1. In buffer. */
const char *topo_home(int node, char *buffer, size_t n);

/* "hwloc 2.9.0": the library that was loaded, which need not be the one of the build. Not for
 * several threads at the same time. */
const char *topo_library(void);

#endif
