/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libFuzzer target: any bytes as an argument file, on one machine. */
#include <stdlib.h>

#include "pipeline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A machine with all kinds of parts: caches, hardware threads, memory-only nodes. */
#define MACHINE "pack:2 [numa(memory=8GB)] [numa(memory=32GB)] l3:1(size=16MiB) core:2 pu:2"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct topo topo;

	if (!topo.handle && pipeline_machine(&topo, MACHINE))
		abort();
	pipeline(data, size, &topo);
	return 0;
}
