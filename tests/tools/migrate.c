/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program that moves pages by libaffinity-spm, step by step, so that others can look at it.
 *
 *     migrate PAGES[h] STEP...
 *
 * maps PAGES base pages, h: as transparent huge pages, and writes them on CPU 0. Steps:
 *
 *     call CPU FIRST END     spm_call() for these pages, by the thread of that CPU
 *     bytes CPU FIRST END    spm_call() for these bytes
 *     release CPU FIRST END  spm_release() of these pages, by the thread of that CPU
 *     race CPU CPU TURNS     spm_call() for all pages, so often, by new threads of both CPUs at
 * once lock COUNT             spm_lock() by so many new threads, which stay
 *
 *     share FIRST END        another process maps these pages, too
 *     hold FIRST END         the kernel holds these pages: they are in a pipe
 *     drop                   it holds them no longer
 *     protect FIRST END      these pages lose their permissions
 *     permit FIRST END       and have them again
 *     empty FIRST END        these pages are not in memory, as if never written
 *     read FIRST END         the first byte of each of them is read
 *     unmap FIRST END        nothing is mapped there any more
 *     crowd                  this process may have no more mappings than it has: vm.max_map_count
 *     ease                   vm.max_map_count is the kernel's own again
 *
 *     show                   runs `page_nodes PID ADDRESS PAGES`
 *     run COMMAND            runs it, with PID in its environment
 *
 * Each CPU has one thread, which is bound to it. The configuration is the environment's. Prints the
 * answer of each call, and the counts at the end.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "spm.h"

enum { MAX_CPUS = 256, HUGE_PAGE = 2 << 20 };

static struct spm *s;
static char *array;
static size_t page, pages;
static char *gone; /* [pages]: without the content that was written */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

/* What a thread is to do; it sets cpu to -1 when it has done it. */
static struct job {
	int cpu, release;
	ptrdiff_t first, last;
} job = {.cpu = -1};

static int exists[MAX_CPUS];

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void call(ptrdiff_t first, ptrdiff_t last)
{
	static const char *const names[] = {
		"too small", "too little reuse", "done", "pinned", "refused", "invalid"};

	enum spm_answer answer = spm_call(s, array, first, last, INT64_MAX, 1);

	printf("%s%s%s\n", names[answer], answer == SPM_REFUSED ? " " : "",
		answer == SPM_REFUSED ? strerrorname_np(errno) : "");
}

static void bind_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity");
}

static void *work(void *cpu)
{
	int me = *(int *)cpu;

	free(cpu);
	bind_to(me);
	pthread_mutex_lock(&mutex);
	while (s) {
		while (job.cpu != me)
			pthread_cond_wait(&changed, &mutex);
		if (job.release && spm_release(s, array, job.first, job.last))
			die("spm_release");
		if (!job.release)
			call(job.first, job.last);
		job.cpu = -1;
		pthread_cond_broadcast(&changed);
	}
	return NULL;
}

static void start(void *(*function)(void *), void *arg)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, function, arg))
		die("pthread_create");
}

static void on(int cpu, int release, ptrdiff_t first, ptrdiff_t end)
{
	int *number = malloc(sizeof(*number));

	*number = cpu;
	if (!exists[cpu]++)
		start(work, number);
	pthread_mutex_lock(&mutex);
	job = (struct job){cpu, release, first, end - 1};
	pthread_cond_broadcast(&changed);
	while (job.cpu >= 0)
		pthread_cond_wait(&changed, &mutex);
	pthread_mutex_unlock(&mutex);
}

static pthread_barrier_t locked;

static void *lock(void *arg)
{
	if (spm_lock(s))
		die("spm_lock");
	pthread_barrier_wait(&locked);
	pause();
	return arg;
}

static void lock_threads(unsigned n)
{
	pthread_barrier_init(&locked, NULL, n + 1);
	for (unsigned i = 0; i < n; i++)
		start(lock, NULL);
	pthread_barrier_wait(&locked);
}

static struct {
	pthread_barrier_t start;
	int cpus[2], turns;
} races;

static void *race(void *number)
{
	bind_to(races.cpus[(intptr_t)number]);
	pthread_barrier_wait(&races.start);
	for (int i = 0; i < races.turns; i++)
		spm_call(s, array, 0, (ptrdiff_t)(pages * page) - 1, INT64_MAX, 1);
	return NULL;
}

static void race_both(char **word)
{
	pthread_t threads[2];

	pthread_barrier_init(&races.start, NULL, 2);
	races.turns = atoi(word[2]);
	for (intptr_t i = 0; i < 2; i++) {
		races.cpus[i] = atoi(word[i]);
		if (pthread_create(&threads[i], NULL, race, (void *)i))
			die("pthread_create");
	}
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

/* ---- what keeps pages from moving */

/* The pages are in both processes now; those that are written get copies here. */
static void share(char *from, char *to)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	while (!pid && !prctl(PR_SET_PDEATHSIG, SIGKILL))
		pause();
	for (char *at = array; at < array + pages * page; at += page)
		if (at < from || at >= to)
			*(volatile char *)at = 1;
}

static int ends[2] = {-1, -1};

static void hold(char *from, char *to)
{
	struct iovec all = {from, (size_t)(to - from)};

	if (pipe(ends) || fcntl(ends[1], F_SETPIPE_SZ, 1 << 20) < 0)
		die("pipe");
	if (vmsplice(ends[1], &all, 1, SPLICE_F_NONBLOCK) != to - from)
		die("vmsplice");
}

static void drop(void)
{
	close(ends[0]);
	close(ends[1]);
}

static void forget(char *from, char *to)
{
	memset(gone + (size_t)(from - array) / page, 1, (size_t)(to - from) / page);
}

static void empty(char *from, char *to)
{
	forget(from, to);
	if (madvise(from, (size_t)(to - from), MADV_DONTNEED))
		die("madvise");
}

static void read_each(char *from, char *to)
{
	for (; from < to; from += page)
		*(volatile char *)from;
}

static void protect(char *from, char *to)
{
	if (mprotect(from, (size_t)(to - from), PROT_NONE))
		die("mprotect");
}

static void permit(char *from, char *to)
{
	if (mprotect(from, (size_t)(to - from), PROT_READ | PROT_WRITE))
		die("mprotect");
}

static void unmap(char *from, char *to)
{
	forget(from, to);
	if (munmap(from, (size_t)(to - from)))
		die("munmap");
}

/* Maps nothing, as it must not. */
static void set_most_mappings(int n)
{
	int file = open("/proc/sys/vm/max_map_count", O_WRONLY);

	if (file < 0 || dprintf(file, "%d\n", n) < 0)
		die("/proc/sys/vm/max_map_count");
	close(file);
}

static int count_mappings(void)
{
	int file = open("/proc/self/maps", O_RDONLY), n = 0;
	char text[4096];
	ssize_t got;

	while ((got = read(file, text, sizeof(text))) > 0)
		for (ssize_t i = 0; i < got; i++)
			n += text[i] == '\n';
	close(file);
	return n - 1; /* the last one is the kernel's own */
}

static const struct obstacle {
	const char *name;
	void (*make)(char *from, char *to);
} obstacles[] = {{"share", share}, {"hold", hold}, {"protect", protect}, {"permit", permit},
	{"empty", empty}, {"read", read_each}, {"unmap", unmap}};

static const struct obstacle *find_obstacle(const char *name)
{
	for (size_t i = 0; i < sizeof(obstacles) / sizeof(*obstacles); i++)
		if (!strcmp(obstacles[i].name, name))
			return &obstacles[i];
	return NULL;
}

/* system() does not copy this process as fork() does, so that its pages stay its own. */
static void run(const char *command)
{
	fflush(stdout);
	if (system(command))
		die(command);
}

static void show(void)
{
	char command[128];

	snprintf(command, sizeof(command), "page_nodes %d %p %zu", (int)getpid(), (void *)array,
		pages);
	run(command);
}

static char **step(char **word)
{
	const char *name = *word++;
	ptrdiff_t unit = strcmp(name, "bytes") ? (ptrdiff_t)page : 1;
	const struct obstacle *o = find_obstacle(name);

	if (!strcmp(name, "show")) {
		show();
	} else if (!strcmp(name, "drop")) {
		drop();
	} else if (!strcmp(name, "crowd")) {
		set_most_mappings(count_mappings());
	} else if (!strcmp(name, "ease")) {
		set_most_mappings(65530);
	} else if (o && word[0] && word[1]) {
		o->make(array + atol(word[0]) * unit, array + atol(word[1]) * unit);
		word += 2;
	} else if (!strcmp(name, "race") && word[0] && word[1] && word[2]) {
		race_both(word);
		word += 3;
	} else if (!strcmp(name, "lock") && word[0]) {
		lock_threads((unsigned)atoi(*word++));
	} else if (!strcmp(name, "run") && word[0]) {
		run(*word++);
	} else if (word[0] && word[1] && word[2]) {
		on(atoi(word[0]), !strcmp(name, "release"), atol(word[1]) * unit,
			atol(word[2]) * unit);
		word += 3;
	} else {
		exit(2);
	}
	return word;
}

static void map(int huge)
{
	size_t bytes = pages * page;
	char *p = mmap(NULL, bytes + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		-1, 0);

	if (p == MAP_FAILED)
		die("mmap");
	array = (char *)(((size_t)p + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
	if (madvise(array, bytes, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE))
		die("madvise");
	bind_to(0);
	memset(array, 1, bytes);
	gone = calloc(pages, 1);
	if (!gone)
		die("calloc");
}

int main(int argc, char **argv)
{
	char message[1024], pid[16];

	if (argc < 2)
		return 2;
	s = spm_init(NULL, message, sizeof(message));
	if (!s) {
		fprintf(stderr, "%s\n", message);
		return 1;
	}
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	setenv("PID", pid, 1);
	page = (size_t)sysconf(_SC_PAGESIZE);
	pages = (size_t)atol(argv[1]);
	map(strchr(argv[1], 'h') != NULL);
	for (char **word = argv + 2; *word;)
		word = step(word);
	spm_print(s, stdout);
	for (size_t i = 0; i < pages * page; i++)
		if (!gone[i / page] && array[i] != 1)
			return 1;
	return 0;
}
