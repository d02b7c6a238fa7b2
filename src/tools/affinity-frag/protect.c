/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oom_score_adj, and the limit of open files. */
#include "affinity-frag/protect.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/text.h"

#define OOM_FILE "/proc/self/oom_score_adj"

/* Of the process. */
static struct {
	char score[16];
	struct rlimit files;
	bool limited;
} before;

static void write_score(const char *score)
{
	int fd = open(OOM_FILE, O_WRONLY | O_CLOEXEC);

	/* a container may forbid it; the margin still protects */
	if (fd >= 0 && write(fd, score, strlen(score)) < 0)
		before.score[0] = '\0';
	if (fd >= 0)
		close(fd);
}

void protect_others(void)
{
	struct rlimit files;

	if (text_first_line(OOM_FILE, before.score, sizeof(before.score)))
		before.score[0] = '\0';
	write_score("1000");
	before.limited = !getrlimit(RLIMIT_NOFILE, &before.files);
	files = before.files;
	files.rlim_cur = files.rlim_max;
	if (before.limited)
		setrlimit(RLIMIT_NOFILE, &files);
}

void protect_restore_score(void)
{
	if (before.score[0])
		write_score(before.score);
}

void protect_restore(void)
{
	protect_restore_score();
	if (before.limited)
		setrlimit(RLIMIT_NOFILE, &before.files);
}
