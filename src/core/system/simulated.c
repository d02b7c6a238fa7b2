/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks for the marks of a simulated machine. */
#include "system/simulated.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

/* The leaves from here on belong to the hypervisor; the first one contains its name. QEMU's TCG
 * writes its name there for every processor that it emulates; KVM has a different name. */
#define HYPERVISOR_LEAF 0x40000000
#define HYPERVISOR_FLAG (1u << 31) /* of ECX of leaf 1 */

static bool is_emulated(void)
{
	unsigned int eax, name[3], ecx;

	if (!__get_cpuid(1, &eax, &name[0], &ecx, &name[1]) || !(ecx & HYPERVISOR_FLAG))
		return false;
	__cpuid(HYPERVISOR_LEAF, eax, name[0], name[1], name[2]);
	return !memcmp(name, "TCGTCGTCGTCG", sizeof(name));
}
#else
static bool is_emulated(void)
{
	return false;
}
#endif

const char *simulated_by(char *text, size_t size)
{
	const char *given = getenv("AFFINITY_SIMULATED");

	if (given && *given)
		snprintf(text, size, "%s", given);
	else if (is_emulated())
		snprintf(text, size, "QEMU's software emulation (TCG)");
	else
		return NULL;
	return text;
}
