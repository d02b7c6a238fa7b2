/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits for programs, and passes signals and the terminal on to them. */
#include "affinity-map/jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"

/* A program has this time to save its files after SIGTERM. A stopped program must be continued
 * within the same time. */
#define GRACE_NS 2000000000u

static void signal_group(const struct launch *p, int number)
{
	if (p->process > 0)
		kill(-p->process, number);
}

static bool any_job_runs(const struct launch *p)
{
	return p->process > 0 && p->status < 0;
}

/* A stopped program receives SIGTERM only when it is continued. */
void jobs_signal(struct jobs *j, int number)
{
	for (int i = 0; i < j->n; i++)
		if (any_job_runs(&j->programs[i])) {
			j->programs[i].ended = true;
			signal_group(&j->programs[i], number);
			signal_group(&j->programs[i], SIGCONT);
		}
}

/* A shell with job control that runs this process in the foreground has put it into the terminal's
 * foreground group. The program's group becomes the foreground group instead; SIGTTOU is blocked,
 * so the call does not stop this process. */
static bool give_terminal(struct jobs *j, const struct launch *p)
{
	if (j->terminal < 0)
		j->terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	if (j->terminal < 0 || j->front || tcgetpgrp(j->terminal) != getpgrp() ||
		tcsetpgrp(j->terminal, p->process))
		return false;
	j->front = p->process;
	return true;
}

static void take_terminal(struct jobs *j)
{
	if (j->front && tcgetpgrp(j->terminal) == j->front)
		tcsetpgrp(j->terminal, getpgrp());
	j->front = 0;
}

static bool wants_terminal(const struct jobs *j, int i)
{
	return j->stop[i] == SIGTTIN || j->stop[i] == SIGTTOU;
}

static void continue_program(struct jobs *j, int i)
{
	j->stopped_ns[i] = 0;
	j->resumed[i] = true;
	signal_group(&j->programs[i], SIGCONT);
}

/* Programs that need the terminal get it one after another. */
static void share_terminal(struct jobs *j)
{
	for (int i = 0; i < j->n; i++)
		if (any_job_runs(&j->programs[i]) && j->stopped_ns[i] && wants_terminal(j, i) &&
			give_terminal(j, &j->programs[i]))
			continue_program(j, i);
}

/* Ctrl-Z: stops the programs, then this process, as SIGTSTP would have done. If no shell could
 * continue this process (an orphaned group), the kernel does not stop it. */
static void suspend(struct jobs *j)
{
	pid_t front = j->front;
	sigset_t stop;

	for (int i = 0; i < j->n; i++)
		if (any_job_runs(&j->programs[i]))
			signal_group(&j->programs[i], SIGSTOP);
	take_terminal(j);
	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	raise(SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &stop, NULL);
	sigprocmask(SIG_BLOCK, &stop, NULL);
	for (int i = 0; i < j->n; i++) {
		struct launch *p = &j->programs[i];

		if (!any_job_runs(p))
			continue;
		p->paused = true;
		if (p->process == front)
			give_terminal(j, p);
		continue_program(j, i);
	}
}

static void note_stop(struct jobs *j, int i, int number)
{
	j->stop[i] = number;
	if (!j->stopped_ns[i])
		j->stopped_ns[i] = clock_ns();
	if (number == SIGTSTP && j->front == j->programs[i].process)
		suspend(j);
}

/* wait() does not report the stop itself if the program was continued before this process
 * looked. */
static void note_continue(struct jobs *j, int i)
{
	if (j->stopped_ns[i] || !j->resumed[i])
		j->programs[i].stopped = true;
	j->stopped_ns[i] = 0;
	j->resumed[i] = false;
}

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

/* Orphans of the group that have ended are children of this process (leftovers.h); they do not
 * count as processes left behind. */
static void note_end(
	struct jobs *j, int i, int status, const struct rusage *usage, uint64_t begin_ns)
{
	struct launch *p = &j->programs[i];

	p->wall_s = (double)(clock_ns() - begin_ns) * 1e-9;
	p->user_s = seconds(usage->ru_utime);
	p->system_s = seconds(usage->ru_stime);
	p->resident_bytes = (uint64_t)usage->ru_maxrss * 1024;
	p->written_bytes = (uint64_t)usage->ru_oublock * 512;
	p->status = status;
	/* nor that it was continued, if it ended before this process looked */
	p->stopped |= j->stopped_ns[i] && WIFEXITED(status);
	j->stopped_ns[i] = 0;
	j->running--;
	while (waitpid(-p->process, NULL, WNOHANG) > 0)
		;
	p->left = kill(-p->process, SIGKILL) == 0;
	if (j->front == p->process)
		take_terminal(j);
}

/* Returns whether the program died by a signal that this process did not send. */
static bool look_at(struct jobs *j, int i, uint64_t begin_ns)
{
	struct launch *p = &j->programs[i];
	struct rusage usage;
	int status;

	while (any_job_runs(p) && wait4(p->process, &status, WNOHANG | WUNTRACED | WCONTINUED,
					  &usage) == p->process) {
		if (WIFSTOPPED(status))
			note_stop(j, i, WSTOPSIG(status));
		else if (WIFCONTINUED(status))
			note_continue(j, i);
		else
			note_end(j, i, status, &usage, begin_ns);
	}
	return p->status >= 0 && WIFSIGNALED(p->status) && !p->ended;
}

/* The time at which the first stopped program is given up; 0: none is stopped. A program that waits
 * until another one gives the terminal back has no deadline. */
static uint64_t stop_deadline(const struct jobs *j)
{
	uint64_t first = 0;

	for (int i = 0; i < j->n; i++) {
		uint64_t until = j->stopped_ns[i] + GRACE_NS;

		if (j->stopped_ns[i] && !(j->front && wants_terminal(j, i)) &&
			(!first || until < first))
			first = until;
	}
	return first;
}

/* Returns whether a stopped program has exceeded its time. */
static bool give_up_stopped(struct jobs *j)
{
	uint64_t deadline_ns = stop_deadline(j);

	if (!deadline_ns || clock_ns() < deadline_ns)
		return false;
	for (int i = 0; i < j->n; i++)
		if (j->stopped_ns[i]) {
			j->programs[i].stuck = j->stop[i];
			j->stopped_ns[i] = 0;
		}
	return true;
}

static uint64_t limit_of(const struct launch *p, uint64_t begin_ns)
{
	return any_job_runs(p) && p->limit_ns && !p->late ? begin_ns + p->limit_ns : 0;
}

/* When the first program reaches its limit or is given up because it is stopped; 0: never. */
static uint64_t next_deadline(const struct jobs *j, uint64_t begin_ns)
{
	uint64_t first = stop_deadline(j);

	for (int i = 0; i < j->n; i++) {
		const uint64_t limit = limit_of(&j->programs[i], begin_ns);

		if (limit && (!first || limit < first))
			first = limit;
	}
	return first;
}

/* Returns whether a program has reached its limit. */
static bool give_up_late(struct jobs *j, uint64_t begin_ns)
{
	bool any = false;

	for (int i = 0; i < j->n; i++) {
		struct launch *p = &j->programs[i];
		const uint64_t limit = limit_of(p, begin_ns);

		if (!limit || clock_ns() < limit)
			continue;
		p->late = true;
		any = true;
	}
	return any;
}

/* Returns 0 when the deadline has passed; deadline_ns 0: there is no deadline. */
static int next_signal(const struct jobs *j, uint64_t deadline_ns)
{
	uint64_t now = clock_ns(), left = deadline_ns > now ? deadline_ns - now : 0;
	const struct timespec wait = {(time_t)(left / 1000000000u), (long)(left % 1000000000u)};
	int number;

	do
		number = deadline_ns ? sigtimedwait(&j->waited, NULL, &wait)
				     : sigwaitinfo(&j->waited, NULL);
	while (number < 0 && errno == EINTR);
	return number < 0 ? 0 : number;
}

/* SIGCONT shows that this process was stopped, perhaps by SIGSTOP. Programs may have ended during
 * the stop, and the time of their end is then unknown. */
static void note_pause(struct jobs *j)
{
	for (int i = 0; i < j->n; i++)
		j->programs[i].paused = true;
}

static bool was_paused(void)
{
	const struct timespec now = {0, 0};
	sigset_t cont;

	sigemptyset(&cont);
	sigaddset(&cont, SIGCONT);
	return sigtimedwait(&cont, NULL, &now) == SIGCONT;
}

/* The state of ending the programs. */
struct ending {
	uint64_t deadline_ns; /* until then SIGTERM may work; 0: nothing was sent */
	int interrupted;
};

static void end_programs(struct jobs *j, struct ending *e, int number)
{
	jobs_signal(j, number);
	e->deadline_ns = clock_ns() + GRACE_NS;
}

static void act_on(struct jobs *j, struct ending *e, int number)
{
	if (number == SIGCHLD)
		return;
	if (number == SIGCONT) {
		note_pause(j);
	} else if (number == SIGTSTP) {
		suspend(j);
	} else if (number) {
		e->interrupted = number;
		end_programs(j, e, e->deadline_ns ? SIGKILL : SIGTERM);
	} else if (e->deadline_ns) {
		end_programs(j, e, SIGKILL);
	}
}

/* A signal that came with the end of the last program: unblocked it would end this process, and
 * what was measured would be lost. 0: there is none. */
static int take_pending(const struct jobs *j)
{
	const struct timespec now = {0, 0};
	sigset_t ends = j->waited;

	sigdelset(&ends, SIGCHLD);
	sigdelset(&ends, SIGCONT);
	sigdelset(&ends, SIGTSTP);
	const int number = sigtimedwait(&ends, NULL, &now);

	return number > 0 ? number : 0;
}

/* Programs may have ended before their signal is handled, so their state is checked first. */
int jobs_wait(struct jobs *j, uint64_t begin_ns)
{
	struct ending ending = {0, 0};

	for (;;) {
		bool died = false;

		for (int i = 0; i < j->n; i++)
			died |= look_at(j, i, begin_ns);
		if (!j->running)
			break;
		share_terminal(j);
		died |= give_up_stopped(j);
		died |= give_up_late(j, begin_ns);
		if (died && !ending.deadline_ns)
			end_programs(j, &ending, SIGTERM);
		act_on(j, &ending,
			next_signal(j, ending.deadline_ns ? ending.deadline_ns
							  : next_deadline(j, begin_ns)));
	}
	if (was_paused())
		note_pause(j);
	return ending.interrupted ? ending.interrupted : take_pending(j);
}

/* A shell makes a job ignore a signal by ignoring it before it starts the job: nohup, and & in a
 * script. */
static bool is_ignored(int number)
{
	struct sigaction now;

	return !sigaction(number, NULL, &now) && now.sa_handler == SIG_IGN;
}

void jobs_init(struct jobs *j, sigset_t *before)
{
	static const int numbers[] = {SIGCHLD, SIGCONT, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};
	sigset_t blocked;

	j->running = 0;
	j->terminal = -1;
	j->front = 0;
	j->stopped_ns = alloc_zeroed((size_t)j->n, sizeof(*j->stopped_ns));
	j->stop = alloc_zeroed((size_t)j->n, sizeof(*j->stop));
	j->resumed = alloc_zeroed((size_t)j->n, sizeof(*j->resumed));
	for (int i = 0; i < j->n; i++) {
		struct launch *p = &j->programs[i];

		p->process = 0;
		p->status = -1;
		p->error = p->stuck = p->strays = 0;
		p->ended = p->late = p->left = p->paused = p->stopped = false;
	}
	signal(SIGCHLD, SIG_DFL); /* if SIGCHLD stayed ignored, wait() would report no child */
	sigemptyset(&j->waited);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (!is_ignored(numbers[i]))
			sigaddset(&j->waited, numbers[i]);
	blocked = j->waited;
	sigaddset(&blocked, SIGTTOU);
	sigprocmask(SIG_BLOCK, &blocked, before);
}

void jobs_free(struct jobs *j)
{
	if (j->terminal >= 0)
		close(j->terminal);
	free(j->stopped_ns);
	free(j->stop);
	free(j->resumed);
}
