/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scheduler that gives the CPU to others: with DELAYS=NS each reading of a thread's schedstat
 * finds that another had its CPU for NS more than really, and that it worked for NS less; a thread
 * that is not the process's first one has twice as much. The clock of its CPU time shows the same.
 * With SWITCHES=N of N voluntary switches one is counted. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static __thread long long more, latest;

/* The clock is behind by what the last reading of schedstat found. */
int clock_gettime(clockid_t clock, struct timespec *t)
{
	static int (*real)(clockid_t, struct timespec *);

	if (!real)
		real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
	int failed = real(clock, t);

	if (failed || clock != CLOCK_THREAD_CPUTIME_ID)
		return failed;
	/* later than it is, so that no reading is below 0 */
	long long ns = (long long)(t->tv_sec + 100) * 1000000000 + t->tv_nsec - more;

	ns = ns > latest ? ns : latest; /* no clock goes back */
	latest = ns;
	t->tv_sec = (time_t)(ns / 1000000000);
	t->tv_nsec = (long)(ns % 1000000000);
	return 0;
}

int getrusage(__rusage_who_t who, struct rusage *use)
{
	int (*real)(__rusage_who_t, struct rusage *) =
		(int (*)(__rusage_who_t, struct rusage *))dlsym(RTLD_NEXT, "getrusage");
	const int failed = real(who, use);

	if (!failed && getenv("SWITCHES"))
		use->ru_nvcsw /= atoi(getenv("SWITCHES"));
	return failed;
}

static int is_schedstat(int fd)
{
	const char *end = "/schedstat";
	char link[64], path[256];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	if (n < (ssize_t)strlen(end))
		return 0;
	path[n] = '\0';
	return !strcmp(path + n - strlen(end), end);
}

ssize_t pread(int fd, void *buffer, size_t size, off_t offset)
{
	ssize_t (*real)(int, void *, size_t, off_t) =
		(ssize_t(*)(int, void *, size_t, off_t))dlsym(RTLD_NEXT, "pread");
	ssize_t got = real(fd, buffer, size, offset);
	long long worked, waited, turns;
	char text[128];

	if (got <= 0 || (size_t)got >= sizeof(text) || !getenv("DELAYS") || !is_schedstat(fd))
		return got;
	memcpy(text, buffer, (size_t)got);
	text[got] = '\0';
	if (sscanf(text, "%lld %lld %lld", &worked, &waited, &turns) != 3)
		return got;
	more += atoll(getenv("DELAYS")) * (gettid() == getpid() ? 1 : 2);
	return snprintf(buffer, size, "%lld %lld %lld\n", worked - more, waited + more, turns);
}
