/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replaces the functions that execute programs, so that a library learns of them before they
 * happen: it counts them, and prepares programs that will not load it (a static one, a setuid one,
 * one without LD_PRELOAD).
 *
 * A child of vfork() also calls these functions: it shares its parent's memory.
 */
#include <alloca.h>
#include <errno.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "exec.h"

/* The functions that the ones below replace. They are looked up before main(), because dlsym()
 * takes a lock, which a child of fork() may never get. */
typedef int exec_function(const char *, char *const *);
typedef int exec_env_function(const char *, char *const *, char *const *);
typedef int fexecve_function(int, char *const *, char *const *);
typedef int execveat_function(int, const char *, char *const *, char *const *, int);
typedef int spawn_function(pid_t *, const char *, const posix_spawn_file_actions_t *,
	const posix_spawnattr_t *, char *const *, char *const *);
typedef int system_function(const char *);
typedef FILE *popen_function(const char *, const char *);

static exec_function *real_execv, *real_execvp;
static exec_env_function *real_execve, *real_execvpe;
static fexecve_function *real_fexecve;
static execveat_function *real_execveat; /* NULL before glibc 2.34 */
static spawn_function *real_posix_spawn, *real_posix_spawnp;
static system_function *real_system;
static popen_function *real_popen;

void find_exec(void)
{
	if (real_popen)
		return;
	real_execv = next("execv");
	real_execvp = next("execvp");
	real_execve = next("execve");
	real_execvpe = next("execvpe");
	real_fexecve = next("fexecve");
	real_execveat = next("execveat");
	real_posix_spawn = next("posix_spawn");
	real_posix_spawnp = next("posix_spawnp");
	real_system = next("system");
	real_popen = next("popen");
}

static void begin_exec(bool replaces)
{
	find_exec();
	exec_begins(replaces);
}

static void end_exec(bool failed)
{
	int error = errno;

	exec_ends(failed);
	errno = error;
}

EXPORT int execve(const char *path, char *const argv[], char *const env[])
{
	begin_exec(true);
	int result = real_execve(path, argv, env);
	end_exec(true);
	return result;
}

EXPORT int execvpe(const char *file, char *const argv[], char *const env[])
{
	begin_exec(true);
	int result = real_execvpe(file, argv, env);
	end_exec(true);
	return result;
}

EXPORT int execv(const char *path, char *const argv[])
{
	begin_exec(true);
	int result = real_execv(path, argv);
	end_exec(true);
	return result;
}

EXPORT int execvp(const char *file, char *const argv[])
{
	begin_exec(true);
	int result = real_execvp(file, argv);
	end_exec(true);
	return result;
}

EXPORT int fexecve(int fd, char *const argv[], char *const env[])
{
	begin_exec(true);
	int result = real_fexecve(fd, argv, env);
	end_exec(true);
	return result;
}

EXPORT int execveat(int fd, const char *path, char *const argv[], char *const env[], int flags)
{
	begin_exec(true);
	int result = real_execveat ? real_execveat(fd, path, argv, env, flags)
				   : (int)syscall(SYS_execveat, fd, path, argv, env, flags);
	end_exec(true);
	return result;
}

/* Collects the arguments up to NULL into an array on the caller's stack: execl() may be called
 * after vfork(), where memory must not be allocated. after: a statement that reads what follows the
 * NULL. */
#define COLLECT(argv, first, after)                    \
	va_list words;                                 \
	size_t n = 1;                                  \
	va_start(words, first);                        \
	while (va_arg(words, char *))                  \
		n++;                                   \
	va_end(words);                                 \
	char **argv = alloca((n + 1) * sizeof(*argv)); \
	va_start(words, first);                        \
	argv[0] = (char *)first;                       \
	for (size_t i = 1; i <= n; i++)                \
		argv[i] = va_arg(words, char *);       \
	after;                                         \
	va_end(words)

EXPORT int execl(const char *path, const char *arg, ...)
{
	COLLECT(argv, arg, );
	return execv(path, argv);
}

EXPORT int execlp(const char *file, const char *arg, ...)
{
	COLLECT(argv, arg, );
	return execvp(file, argv);
}

EXPORT int execle(const char *path, const char *arg, ...)
{
	char *const *env;

	COLLECT(argv, arg, env = va_arg(words, char *const *));
	return execve(path, argv, env);
}

EXPORT int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
	const posix_spawnattr_t *attr, char *const argv[], char *const env[])
{
	begin_exec(false);
	int error = real_posix_spawn(pid, path, actions, attr, argv, env);
	end_exec(error != 0);
	return error;
}

EXPORT int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
	const posix_spawnattr_t *attr, char *const argv[], char *const env[])
{
	begin_exec(false);
	int error = real_posix_spawnp(pid, file, actions, attr, argv, env);
	end_exec(error != 0);
	return error;
}

/* The C library's own system() and popen() call its internal posix_spawn(), not the one above. */
EXPORT int system(const char *command)
{
	begin_exec(false);
	int status = real_system(command);
	end_exec(status == -1);
	return status;
}

EXPORT FILE *popen(const char *command, const char *type)
{
	begin_exec(false);
	FILE *stream = real_popen(command, type);
	end_exec(!stream);
	return stream;
}
