/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks PAPI whether anything can be counted. */
#include "counters.h"

#include <stdio.h>

#ifdef HAVE_PAPI
#include <papi.h>

/* Counts cycles of a short loop. Returns NULL when they count, else what failed. */
static const char *try_cycles(void)
{
	int set = PAPI_NULL, error;
	long long cycles = 0;

	if ((error = PAPI_create_eventset(&set)) != PAPI_OK)
		return PAPI_strerror(error);
	if ((error = PAPI_add_event(set, PAPI_TOT_CYC)) == PAPI_OK &&
		(error = PAPI_start(set)) == PAPI_OK) {
		for (volatile int i = 0; i < 1000; i++)
			;
		error = PAPI_stop(set, &cycles);
	}
	PAPI_cleanup_eventset(set);
	PAPI_destroy_eventset(&set);
	if (error != PAPI_OK)
		return PAPI_strerror(error);
	return cycles > 0 ? NULL : "the cycle counter does not count";
}

const char *counters_state(char *buffer, size_t n)
{
	int version = PAPI_library_init(PAPI_VER_CURRENT);

	if (version < 0 || version != PAPI_VER_CURRENT) {
		snprintf(buffer, n, "none: PAPI does not start");
		return buffer;
	}
	const char *why = try_cycles();
	snprintf(buffer, n, "PAPI %d.%d.%d, %s%s", PAPI_VERSION_MAJOR(version),
		PAPI_VERSION_MINOR(version), PAPI_VERSION_REVISION(version),
		why ? "no cycle counter: " : "cycles count", why ? why : "");
	PAPI_shutdown();
	return buffer;
}

#else

const char *counters_state(char *buffer, size_t n)
{
	snprintf(buffer, n, "none: built without PAPI");
	return buffer;
}

#endif
