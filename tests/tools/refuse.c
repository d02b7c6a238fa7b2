/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * usage: refuse CALL=ERROR... -- COMMAND...
 *
 * Runs COMMAND in a sandbox in which system calls fail, as in containers: a seccomp filter.
 * CALL: see `calls`; ERROR: EPERM, ENOSYS, EINVAL, EAGAIN, or OK for a call that does nothing and
 * reports success. Exit status 77: this kernel or this sandbox has no such filters.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST 16

struct word {
	const char *name;
	int number;
};

static const struct word calls[] = {{"sched_setaffinity", SYS_sched_setaffinity},
	{"sched_getaffinity", SYS_sched_getaffinity}, {"mbind", SYS_mbind},
	{"get_mempolicy", SYS_get_mempolicy}, {"set_mempolicy", SYS_set_mempolicy},
	{"move_pages", SYS_move_pages}, {"migrate_pages", SYS_migrate_pages},
	{"madvise", SYS_madvise}, {"mremap", SYS_mremap}, {"userfaultfd", SYS_userfaultfd},
	{"pipe2", SYS_pipe2}, {"clone", SYS_clone}, {NULL, 0}};

static const struct word errors[] = {{"OK", 0}, {"EPERM", EPERM}, {"ENOSYS", ENOSYS},
	{"EINVAL", EINVAL}, {"EAGAIN", EAGAIN}, {NULL, 0}};

static int look_up(const struct word *list, const char *text, size_t length)
{
	for (; list->name; list++)
		if (strlen(list->name) == length && !strncmp(list->name, text, length))
			return list->number;
	return -1;
}

int main(int argc, char **argv)
{
	struct sock_filter code[2 * MOST + 2] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, nr))};
	struct sock_fprog program = {1, code};
	int i = 1;

	for (; i < argc && i <= MOST && strcmp(argv[i], "--") != 0; i++) {
		const char *is = strchr(argv[i], '=');
		int call = is ? look_up(calls, argv[i], (size_t)(is - argv[i])) : -1;
		int error = is ? look_up(errors, is + 1, strlen(is + 1)) : -1;

		if (call < 0 || error < 0) {
			fprintf(stderr, "refuse: '%s' is no CALL=ERROR\n", argv[i]);
			return 2;
		}
		code[program.len++] = (struct sock_filter)BPF_JUMP(
			BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, 1);
		code[program.len++] = (struct sock_filter)BPF_STMT(
			BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error);
	}
	code[program.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	if (i + 1 >= argc) {
		fprintf(stderr, "usage: refuse CALL=ERROR... -- COMMAND...\n");
		return 2;
	}
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
		perror("refuse: seccomp");
		return 77;
	}
	execvp(argv[i + 1], &argv[i + 1]);
	perror(argv[i + 1]);
	return 127;
}
