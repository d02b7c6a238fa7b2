/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jumps out of a kernel that accessed memory it does not have. */
#include "measure/fault.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>

/* A signal's frame holds all registers: 3 KiB with AVX-512, 11 KiB with AMX. */
#define STACK_BYTES ((size_t)64 << 10)

/* The signal handler has no other way to find its thread's struct fault. */
static _Thread_local struct fault *armed;

/* A kernel that overflowed its stack leaves no stack for the handler. */
static _Thread_local _Alignas(64) char stack[STACK_BYTES];
static _Thread_local stack_t stack_before; /* a sanitizer frees its own when the thread ends */

static const int numbers[] = {SIGSEGV, SIGBUS};
static struct sigaction before[2];

static void handle(int number, siginfo_t *info, void *context)
{
	(void)context;
	if (armed) {
		armed->number = number;
		armed->address = info->si_addr;
		siglongjmp(armed->at, 1);
	}
	/* not ours: the former handler gets the signal when the access is repeated on return */
	for (int i = 0; i < 2; i++)
		if (numbers[i] == number)
			sigaction(number, &before[i], NULL);
}

/* The signal stays unblocked while it is handled, because the jump does not restore the mask:
 * restoring it would cost a system call each time. */
static void install(void)
{
	struct sigaction action = {
		.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};

	for (int i = 0; i < 2; i++)
		sigaction(numbers[i], &action, &before[i]);
}

void fault_arm(struct fault *f)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, install);
	sigaltstack(&(const stack_t){.ss_sp = stack, .ss_size = sizeof(stack)}, &stack_before);
	f->number = 0;
	f->address = NULL;
	armed = f;
}

void fault_disarm(void)
{
	armed = NULL;
	sigaltstack(&stack_before, NULL);
}

/* Bytes behind a vector's last byte (positive), before its first byte (negative), or 0: inside. */
static int64_t beyond(const struct vector *v, const void *address)
{
	const uintptr_t at = (uintptr_t)address, first = (uintptr_t)v->base;
	const uintptr_t end = first + v->elements * v->element_size;

	return at < first ? -(int64_t)(first - at) : at < end ? 0 : (int64_t)(at - end) + 1;
}

/* An access farther away has nothing to do with a vector. */
#define NEAR ((int64_t)1 << 30)

static int nearest(const struct fault *f, const struct worker *w)
{
	int64_t least = NEAR;
	int found = -1;

	for (int k = 0; k < w->nvectors; k++) {
		const int64_t far = beyond(&w->vectors[k], f->address);

		if ((far < 0 ? -far : far) < least) {
			least = far < 0 ? -far : far;
			found = k;
		}
	}
	return found;
}

const char *fault_text(
	const struct fault *f, const struct worker *w, const int *ids, char *text, size_t n)
{
	const char *name = f->number == SIGBUS ? "SIGBUS" : "SIGSEGV";
	const int k = nearest(f, w);

	if (k < 0) {
		snprintf(text, n, "%s at address %#" PRIxPTR ", in none of its vectors", name,
			(uintptr_t)f->address);
		return text;
	}
	const struct vector *v = &w->vectors[k];
	const int64_t far = beyond(v, f->address);
	const char *where = far < 0   ? "before the beginning of"
			    : far > 0 ? "after the end of"
				      : "into";
	const int64_t bytes = far < 0   ? -far
			      : far > 0 ? far
					: (const char *)f->address - (const char *)v->base;

	snprintf(text, n, "%s %" PRId64 " byte%s %s vector %d, which has %zu bytes", name, bytes,
		bytes == 1 ? "" : "s", where, ids[k], v->elements * v->element_size);
	return text;
}
