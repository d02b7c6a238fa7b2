/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks at executable files. */
#include "system/program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"

/* Linux follows this many scripts whose interpreter is again a script. */
#define MAX_SCRIPTS 5

static const char *why_not(const char *path)
{
	struct stat s;

	if (stat(path, &s))
		return strerror(errno);
	if (S_ISDIR(s.st_mode))
		return "it is a folder";
	return access(path, X_OK) ? "it may not be executed" : NULL;
}

char *program_find(const char *name, char *why, size_t n)
{
	const char *path = getenv("PATH"), *found = NULL;

	if (strchr(name, '/')) {
		found = why_not(name);
		if (!found)
			return alloc_string(name, strlen(name));
		snprintf(why, n, "%s", found);
		return NULL;
	}
	snprintf(why, n, "no folder of PATH has it");
	for (path = path ? path : "/usr/bin:/bin"; *name && *path; path += *path == ':') {
		size_t length = strcspn(path, ":");
		char *file = alloc_format(
			"%.*s/%s", length ? (int)length : 1, length ? path : ".", name);

		found = why_not(file);
		if (!found)
			return file;
		if (!access(file, F_OK))
			snprintf(why, n, "'%s': %s", file, found);
		free(file);
		path += length;
	}
	return NULL;
}

static int hint_path(const char *name, struct errors *e)
{
	return error_hint(e, strchr(name, '/')
				     ? "is the path right, and is it a program?"
				     : "a program that is in no folder of PATH needs its path, "
				       "such as ./program");
}

int program_missing(const char *name, const char *why, struct errors *e)
{
	error_add(e, STATUS_USAGE, NOWHERE, "there is no program '%s': %s", name, why);
	return hint_path(name, e);
}

char *program_command(const char *name, struct errors *e)
{
	char why[512], *path = program_find(name, why, sizeof(why));

	if (path)
		return path;
	error_add(e, STATUS_USAGE, NOWHERE, "cannot start '%s': %s", name, why);
	hint_path(name, e);
	return NULL;
}

/* The dynamic linker preloads nothing into a program that gives its user more rights (ld.so, secure
 * execution). */
static const char *gains_rights(const char *path)
{
	char unused[64];
	struct stat s;

	if (stat(path, &s))
		return NULL;
	if ((s.st_mode & S_ISUID && s.st_uid != getuid()) ||
		(s.st_mode & S_ISGID && s.st_gid != getgid()))
		return "setuid or setgid";
	if (getuid() && getxattr(path, "security.capability", unused, sizeof(unused)) > 0)
		return "given capabilities by its file";
	return NULL;
}

static const char *check_elf(int fd, const ElfW(Ehdr) * head, char *why, size_t n)
{
	ElfW(Ehdr) self;
	int own = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	bool same = own < 0 || read(own, &self, sizeof(self)) != sizeof(self) ||
		    (self.e_ident[EI_CLASS] == head->e_ident[EI_CLASS] &&
			    self.e_machine == head->e_machine);

	if (own >= 0)
		close(own);
	if (!same) {
		snprintf(why, n, "made for another kind of processor or word size");
		return why;
	}
	for (int i = 0; i < head->e_phnum; i++) {
		ElfW(Phdr) part;
		char linker[256] = "";
		off_t at = (off_t)(head->e_phoff + (size_t)i * head->e_phentsize);

		if (pread(fd, &part, sizeof(part), at) != sizeof(part))
			break;
		if (part.p_type != PT_INTERP)
			continue;
		size_t length = part.p_filesz < sizeof(linker) ? part.p_filesz : sizeof(linker) - 1;
		if (pread(fd, linker, length, (off_t)part.p_offset) < 0 || !strstr(linker, "musl"))
			return NULL;
		snprintf(why, n, "linked with another C library (%s)", linker);
		return why;
	}
	snprintf(why, n, "statically linked");
	return why;
}

static const char *check_file(const char *path, int scripts, char *why, size_t n);

/* "#! /usr/bin/env name": env runs first; it finds name itself and runs it. */
static const char *check_script(char *line, int scripts, char *why, size_t n)
{
	char *save, *interpreter = strtok_r(line + 2, " \t\n", &save);
	char unused[256];

	if (!interpreter || scripts >= MAX_SCRIPTS)
		return NULL;
	char *argument = strtok_r(NULL, " \t\n", &save), *base = strrchr(interpreter, '/');
	if (!argument || !base || strcmp(base, "/env") || argument[0] == '-')
		return check_file(interpreter, scripts + 1, why, n);
	char *found = program_find(argument, unused, sizeof(unused));
	const char *deaf = found ? check_file(found, scripts + 1, why, n) : NULL;
	free(found);
	return deaf;
}

static const char *check_file(const char *path, int scripts, char *why, size_t n)
{
	union {
		ElfW(Ehdr) elf;
		char line[256];
	} head = {.line = ""};
	const char *rights = gains_rights(path), *deaf = NULL;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : pread(fd, &head, sizeof(head) - 1, 0);

	if (rights) {
		snprintf(why, n, "%s", rights);
		deaf = why;
	} else if (got >= (ssize_t)sizeof(head.elf) && !memcmp(head.elf.e_ident, ELFMAG, SELFMAG)) {
		deaf = check_elf(fd, &head.elf, why, n);
	} else if (got > 2 && head.line[0] == '#' && head.line[1] == '!') {
		head.line[strcspn(head.line, "\n")] = '\0';
		deaf = check_script(head.line, scripts, why, n);
	}
	if (fd >= 0)
		close(fd);
	return deaf;
}

const char *program_deaf(const char *path, char *why, size_t n)
{
	return check_file(path, 0, why, n);
}

char *program_beside(const char *name)
{
	char self[4096];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash = length > 0 ? memrchr(self, '/', (size_t)length) : NULL;
	char *path = slash ? alloc_format("%.*s/%s", (int)(slash - self), self, name) : NULL;

	if (!path || !access(path, X_OK))
		return path;
	free(path);
	return NULL;
}

static pid_t spawn(char *const argv[], const int ends[2])
{
	posix_spawn_file_actions_t actions;
	pid_t process;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (posix_spawn(&process, argv[0], &actions, NULL, argv, environ))
		process = -1;
	posix_spawn_file_actions_destroy(&actions);
	return process;
}

char *program_output(char *const argv[])
{
	struct buffer text;
	FILE *all = buffer_open(&text);
	int ends[2], status = 1;
	pid_t process = pipe2(ends, O_CLOEXEC) ? -1 : spawn(argv, ends);
	char part[4096];

	if (process > 0) {
		close(ends[1]);
		for (ssize_t n; (n = read(ends[0], part, sizeof(part))) > 0;)
			fwrite(part, 1, (size_t)n, all);
		close(ends[0]);
		waitpid(process, &status, 0);
	}
	buffer_close(&text, all);
	if (status)
		*text.data = '\0';
	return text.data;
}
