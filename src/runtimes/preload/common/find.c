/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory that the command shares with the library: trusted only if it is whole and our user's.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "exec.h"

/* Past the end of a file there is SIGBUS; the number of a process that ended may be another one's
 * now, and so may what its descriptor names. */
static bool is_whole(int file, size_t size)
{
	struct stat st;

	return !fstat(file, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	       (uint64_t)st.st_size >= size;
}

/* By system calls: the library may replace mmap(). */
void *find_share(const char *variable, size_t size, uint32_t magic)
{
	const char *path = secure_getenv(variable);
	int file = path ? open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC) : -1;
	uint32_t *found = MAP_FAILED;

	if (file < 0)
		return NULL;
	if (is_whole(file, size))
		found = (uint32_t *)syscall(
			SYS_mmap, NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	close(file);
	if (found == MAP_FAILED)
		return NULL;
	if (*found == magic)
		return found;
	syscall(SYS_munmap, found, size);
	return NULL;
}
