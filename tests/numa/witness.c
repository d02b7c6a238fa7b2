/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Observes from outside where a program's threads run and where its memory is.
 *
 *     witness FILE KIB,KIB,... COMMAND...
 *
 * runs COMMAND, watches it through /proc and writes FILE; its exit status is COMMAND's. It relies
 * on one property of affinity: a thread in clock_nanosleep() waits for its turn in a sample, and
 * while one thread waits there all threads of the sample are where they should be. COMMAND is
 * stopped during each look, so the duration of a look does not matter. Other times (first touch,
 * the last look at the pages) do not count. FILE has a block for each situation that was seen:
 *
 *     situation 3                          how often it was seen
 *     thread 0 waits cpu 0 moves 0 allowed 0
 *     thread 1 other cpu 4 moves 0 allowed 4
 *     memory 268 bind:0 N0=67 page 4 thp 0
 *
 * Threads are in the order of their creation, which is the order of their numbers in OpenMP; a
 * thread that never waits may remain from first touch. moves is the scheduler's own count between
 * two consecutive looks in the same situation. memory is a private mapping of one of the given
 * sizes: KiB, policy, pages by node, KiB of a page, KiB in transparent huge pages.
 */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_THREADS    256
#define MAX_SITUATIONS 256
#define TEXT           8192

struct thread {
	int waits, cpu;
	long moves;
	char allowed[128];
};

/* The result of one look. */
struct view {
	int nthreads;
	struct thread threads[MAX_THREADS];
	char memory[TEXT];
};

static struct situation {
	int seen;
	long moves[MAX_THREADS]; /* since it was first seen; */
	long last[MAX_THREADS];  /* the scheduler's counts when it was last seen */
	struct view view;
} * situations[MAX_SITUATIONS];

static int nsituations, latest = -1;
static const char *sizes;
static const struct timespec poll_pause = {0, 4000000};

static int read_file(int pid, int tid, const char *name, char *text, size_t size)
{
	char path[128];

	if (tid)
		snprintf(path, sizeof(path), "/proc/%d/task/%d/%s", pid, tid, name);
	else
		snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	FILE *f = fopen(path, "r");
	size_t got = f ? fread(text, 1, size - 1, f) : 0;

	if (f)
		fclose(f);
	text[got] = '\0';
	return got ? 0 : -1;
}

/* The number after the name and the characters that are neither digit nor minus; -1 if the name is
 * missing. */
static long number_after(const char *text, const char *name)
{
	const char *found = strstr(text, name);

	if (!found)
		return -1;
	found += strlen(name);
	return strtol(found + strcspn(found, "-0123456789"), NULL, 10);
}

/* ---- threads */

static int by_number(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static int list_threads(int pid, int *tids)
{
	char path[64];
	int n = 0;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	DIR *d = opendir(path);

	for (struct dirent *entry; d && (entry = readdir(d)) && n < MAX_THREADS;)
		if (atoi(entry->d_name) > 0)
			tids[n++] = atoi(entry->d_name);
	if (d)
		closedir(d);
	qsort(tids, (size_t)n, sizeof(*tids), by_number);
	return n;
}

/* "115 0x0 0x1 ... 0xSP 0xPC" in a system call, "-1 0xSP 0xPC" elsewhere. When 64-bit Arm stops a
 * thread that sleeps, it takes the thread out of the call and puts it before the instruction that
 * calls. */
static int is_waiting(int pid, int tid)
{
	static unsigned long behind_call;
	char text[256], *last;

	if (read_file(pid, tid, "syscall", text, sizeof(text)) || !(last = strrchr(text, ' ')))
		return 0;
	long call = strtol(text, NULL, 10);
	unsigned long pc = strtoul(last, NULL, 16);

	if (call == SYS_clock_nanosleep)
		behind_call = pc;
	return call == SYS_clock_nanosleep || (call == -1 && pc + 4 == behind_call);
}

static int count_waiting(int pid)
{
	int tids[MAX_THREADS], n = list_threads(pid, tids), waiting = 0;

	for (int i = 0; i < n; i++)
		waiting += is_waiting(pid, tids[i]);
	return waiting;
}

/* The state letter is the third field; the second field, a name, ends with the last parenthesis. */
static char state_of(int pid, int tid)
{
	char stat[1024], *name_end;

	if (read_file(pid, tid, "stat", stat, sizeof(stat)) || !(name_end = strrchr(stat, ')')))
		return 'X';
	return name_end[2];
}

static int is_stopped(int pid)
{
	int tids[MAX_THREADS], n = list_threads(pid, tids);

	for (int i = 0; i < n; i++)
		if (!strchr("TZX", state_of(pid, tids[i])))
			return 0;
	return 1;
}

static void look_at_thread(struct thread *t, int pid, int tid)
{
	char stat[1024], status[4096], sched[8192];

	if (read_file(pid, tid, "stat", stat, sizeof(stat)) ||
		read_file(pid, tid, "status", status, sizeof(status)) ||
		read_file(pid, tid, "sched", sched, sizeof(sched)))
		return;
	char *field = strrchr(stat, ')'); /* ends the second field; the CPU is the 39th */
	char *allowed = strstr(status, "Cpus_allowed_list:\t");

	for (int i = 2; field && i < 39; i++)
		field = strchr(field + 1, ' ');
	if (!field || !allowed)
		exit(125);
	t->waits = is_waiting(pid, tid);
	t->cpu = atoi(field);
	sscanf(allowed, "Cpus_allowed_list:\t%127s", t->allowed);
	t->moves = number_after(sched, "nr_migrations");
}

/* ---- memory */

static int is_wanted(long kib)
{
	char list[1024], word[32];

	snprintf(list, sizeof(list), ",%s,", sizes);
	snprintf(word, sizeof(word), ",%ld,", kib);
	return strstr(list, word) != NULL;
}

/* The line of a mapping in maps or smaps, which begins "7f00-7f10 "; NULL if there is none. */
static const char *line_of(const char *text, const char *start)
{
	size_t n = strlen(start);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, start, n) && line[n] == '-')
			return line;
	}
	return NULL;
}

static long kib_of(const char *maps, const char *start)
{
	const char *line = line_of(maps, start);
	unsigned long from, to;

	return line && sscanf(line, "%lx-%lx", &from, &to) == 2 ? (long)(to - from) / 1024 : -1;
}

/* Reading smaps takes long, and a mapping smaller than a huge page does not need it. */
static long huge_kib(int pid, const char *start, long kib)
{
	static char smaps[1 << 20];

	if (kib < 2048 || read_file(pid, 0, "smaps", smaps, sizeof(smaps)))
		return 0;
	const char *line = line_of(smaps, start);

	return line ? number_after(line, "\nAnonHugePages:") : -1;
}

/* "7f..000 bind:0 anon=67 dirty=67 N0=67 kernelpagesize_kB=4" */
static void look_at_mapping(char *memory, char *line, const char *maps, int pid)
{
	char nodes[256] = "", text[512];
	long page = number_after(line, "kernelpagesize_kB=");
	char *start = strtok(line, " "), *policy = strtok(NULL, " "), *word;
	long kib = kib_of(maps, start);

	while ((word = strtok(NULL, " "))) {
		if (!strncmp(word, "file=/", 6) && strncmp(word, "file=/anon_hugepage", 19))
			return;
		if (*word == 'N' && strlen(nodes) + strlen(word) + 2 < sizeof(nodes)) {
			strcat(nodes, *nodes ? "," : "");
			strcat(nodes, word);
		}
	}
	if (!*nodes || !is_wanted(kib))
		return;
	snprintf(text, sizeof(text), "memory %ld %s %s page %ld thp %ld\n", kib, policy, nodes,
		page, huge_kib(pid, start, kib));
	if (strlen(memory) + strlen(text) < TEXT)
		strcat(memory, text);
}

static void look_at_memory(char *memory, int pid)
{
	static char maps[1 << 18], numa_maps[1 << 18];
	char *rest = numa_maps, *line;

	if (read_file(pid, 0, "maps", maps, sizeof(maps)) ||
		read_file(pid, 0, "numa_maps", numa_maps, sizeof(numa_maps)))
		return;
	while ((line = strsep(&rest, "\n")))
		if (*line)
			look_at_mapping(memory, line, maps, pid);
}

/* ---- situations */

static int same(const struct view *a, const struct view *b)
{
	if (a->nthreads != b->nthreads || strcmp(a->memory, b->memory))
		return 0;
	for (int i = 0; i < a->nthreads; i++) {
		const struct thread *t = &a->threads[i], *u = &b->threads[i];

		if (t->waits != u->waits || t->cpu != u->cpu || strcmp(t->allowed, u->allowed))
			return 0;
	}
	return 1;
}

static struct situation *situation_of(const struct view *v, int *number)
{
	for (*number = 0; *number < nsituations; ++*number)
		if (same(&situations[*number]->view, v))
			return situations[*number];
	if (nsituations == MAX_SITUATIONS)
		exit(125);
	struct situation *s = situations[nsituations++] = calloc(1, sizeof(*s));

	if (!s)
		exit(125);
	s->view = *v;
	return s;
}

/* Between two situations threads are bound to other CPUs and therefore move; these moves are not
 * counted. */
static void add_up(const struct view *v)
{
	int number;
	struct situation *s = situation_of(v, &number);

	s->seen++;
	for (int i = 0; i < v->nthreads; i++) {
		if (number == latest)
			s->moves[i] += v->threads[i].moves - s->last[i];
		s->last[i] = v->threads[i].moves;
	}
	latest = number;
}

static void look(int pid)
{
	static struct view v;
	int tids[MAX_THREADS], waiting = 0;

	memset(&v, 0, sizeof(v));
	v.nthreads = list_threads(pid, tids);
	for (int i = 0; i < v.nthreads; i++) {
		look_at_thread(&v.threads[i], pid, tids[i]);
		waiting += v.threads[i].waits;
	}
	if (!waiting)
		return;
	look_at_memory(v.memory, pid);
	add_up(&v);
}

/* Does not look as soon as the first thread waits: others may still be on their way. */
static void watch(int pid)
{
	static int before;
	int waiting = count_waiting(pid);

	if (waiting && waiting == before) {
		kill(pid, SIGSTOP);
		for (int tries = 0; tries < 1000 && !is_stopped(pid); tries++)
			nanosleep(&poll_pause, NULL);
		look(pid);
		kill(pid, SIGCONT);
		waiting = 0;
	}
	before = waiting;
}

static int write_down(const char *path)
{
	FILE *f = fopen(path, "w");

	if (!f)
		return -1;
	for (int i = 0; i < nsituations; i++) {
		const struct view *v = &situations[i]->view;

		fprintf(f, "situation %d\n", situations[i]->seen);
		for (int k = 0; k < v->nthreads; k++) {
			const struct thread *t = &v->threads[k];

			fprintf(f, "thread %d %s cpu %d moves %ld allowed %s\n", k,
				t->waits ? "waits" : "other", t->cpu, situations[i]->moves[k],
				t->allowed);
		}
		fprintf(f, "%s", v->memory);
	}
	return fclose(f);
}

int main(int argc, char **argv)
{
	int status;

	if (argc < 4)
		return 125;
	sizes = argv[2];
	pid_t pid = fork();

	if (!pid) {
		execvp(argv[3], argv + 3);
		_exit(127);
	}
	while (waitpid(pid, &status, WNOHANG) == 0) {
		watch(pid);
		nanosleep(&poll_pause, NULL);
	}
	if (write_down(argv[1]))
		return 125;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
