/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file system that has no modes and cannot report what is on its disk (FAT, some of FUSE and
 * SMB). */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

int fchmod(int fd, mode_t mode)
{
	(void)fd;
	(void)mode;
	errno = EPERM;
	return -1;
}

int fsync(int fd)
{
	(void)fd;
	errno = EINVAL;
	return -1;
}
