/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs gnuplot as a separate process that cannot hang and ends with this one. */
#include "report/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "system/program.h"

/* A picture of ten thousand points takes a second; an emulated processor is twenty times slower. */
#define LONGEST_DRAWING_NS 20000000000u

/* The longest delay until a signal is noticed that came between the check of *stop and poll(). */
#define LOOK_MS 100

char *gnuplot_find(void)
{
	char unused[64];

	return program_find("gnuplot", unused, sizeof(unused));
}

/* An anonymous file, so that no file stays behind; -1 if out of memory. */
static int script_file(const char *script, size_t length)
{
	int fd = memfd_create("gnuplot", MFD_CLOEXEC);

	if (fd < 0)
		return -1;
	if (write(fd, script, length) == (ssize_t)length && lseek(fd, 0, SEEK_SET) == 0)
		return fd;
	close(fd);
	return -1;
}

/* In the new process: executes gnuplot. -d makes gnuplot ignore ~/.gnuplot and the system's
 * settings. */
static _Noreturn void become(const char *program, int script, int out)
{
	char *const words[] = {"gnuplot", "-d", "-", NULL};
	int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

	/* if this process was started without 0, 1 or 2, a file may have that number and would be
	 * closed */
	script = fcntl(script, F_DUPFD_CLOEXEC, 3);
	out = fcntl(out, F_DUPFD_CLOEXEC, 3);
	nowhere = fcntl(nowhere, F_DUPFD_CLOEXEC, 3);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	if (dup2(script, STDIN_FILENO) == STDIN_FILENO &&
		dup2(out, STDOUT_FILENO) == STDOUT_FILENO &&
		dup2(nowhere, STDERR_FILENO) == STDERR_FILENO)
		execv(program, words);
	_exit(127);
}

/* Reads until the other end is closed. */
static enum gnuplot_end read_all(
	int fd, uint64_t end_ns, const volatile sig_atomic_t *stop, FILE *drawn)
{
	struct pollfd ready = {.fd = fd, .events = POLLIN};
	char buffer[4096];

	while (clock_ns() < end_ns) {
		if (*stop)
			return GNUPLOT_STOPPED;
		if (poll(&ready, 1, LOOK_MS) <= 0)
			continue;
		ssize_t got = read(fd, buffer, sizeof(buffer));
		if (got == 0)
			return GNUPLOT_DREW;
		if (got < 0 && errno != EINTR)
			return GNUPLOT_FAILED;
		if (got > 0)
			fwrite(buffer, 1, (size_t)got, drawn);
	}
	return GNUPLOT_SLOW;
}

/* Waits for the process: it may hang even after it closed its output. */
static enum gnuplot_end wait_for(pid_t child, uint64_t end_ns, enum gnuplot_end end)
{
	int status = 0;
	pid_t gone = 0;

	while (end == GNUPLOT_DREW && !gone) {
		gone = waitpid(child, &status, WNOHANG);
		if (!gone && clock_ns() > end_ns)
			end = GNUPLOT_SLOW;
		else if (!gone)
			poll(NULL, 0, 1);
	}
	if (!gone) {
		kill(child, SIGKILL);
		while (waitpid(child, &status, 0) < 0 && errno == EINTR)
			;
	}
	return end == GNUPLOT_DREW && status ? GNUPLOT_FAILED : end;
}

static enum gnuplot_end run_gnuplot(
	const char *program, int script, const volatile sig_atomic_t *stop, FILE *drawn)
{
	uint64_t end_ns = clock_ns() + LONGEST_DRAWING_NS;
	int pipe_ends[2];

	if (pipe2(pipe_ends, O_CLOEXEC))
		return GNUPLOT_FAILED;
	pid_t child = fork();
	if (child == 0)
		become(program, script, pipe_ends[1]);
	close(pipe_ends[1]);
	enum gnuplot_end end = GNUPLOT_FAILED;
	if (child > 0)
		end = wait_for(child, end_ns, read_all(pipe_ends[0], end_ns, stop, drawn));
	close(pipe_ends[0]);
	return end;
}

enum gnuplot_end gnuplot_draw(const char *program, const char *script, size_t length,
	const volatile sig_atomic_t *stop, char **drawn, size_t *size)
{
	int file = script_file(script, length);
	enum gnuplot_end end = GNUPLOT_FAILED;
	struct buffer text;
	FILE *memory = buffer_open(&text);

	if (file >= 0) {
		end = run_gnuplot(program, file, stop, memory);
		close(file);
	}
	buffer_close(&text, memory);
	if (end == GNUPLOT_DREW && !text.size)
		end = GNUPLOT_FAILED;
	if (end != GNUPLOT_DREW)
		free(text.data);
	*drawn = text.data;
	*size = text.size;
	return end;
}
