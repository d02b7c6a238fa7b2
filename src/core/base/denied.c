/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks for each folder on the way to a path whether it may be entered. */
#include "base/denied.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

/* As the user who counts when files are opened. */
static bool is_refused(const char *path, int mode)
{
	return faccessat(AT_FDCWD, path, mode, AT_EACCESS) && errno == EACCES;
}

/* The first folder on the way to the path that may not be entered, to be freed; NULL: none. */
static char *closed_folder(const char *path)
{
	if (*path != '/' && is_refused(".", X_OK))
		return alloc_string(".", 1);
	for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		char *folder = alloc_string(path, (size_t)(slash - path));

		if (*folder && is_refused(folder, X_OK))
			return folder;
		free(folder);
	}
	return NULL;
}

static bool is_folder(const char *path)
{
	struct stat s;

	return !stat(path, &s) && S_ISDIR(s.st_mode);
}

int denied_hint(const char *path, int error, struct errors *e)
{
	if (error != EACCES)
		return -1;
	char *folder = closed_folder(path);

	if (folder)
		error_hint(e, "its owner can let you into the folder '%s': chmod a+x '%s'", folder,
			folder);
	else if (is_folder(path))
		error_hint(e, "its owner can let you read this folder: chmod a+rx '%s'", path);
	else if (is_refused(path, R_OK))
		error_hint(e, "its owner can let you read it: chmod a+r '%s'", path);
	free(folder);
	return -1;
}

int denied_folder(const char *folder, struct errors *e)
{
	if (!is_refused(folder, R_OK) && !is_refused(folder, X_OK))
		return 0;
	error_add(e, STATUS_USAGE, (struct place){folder, 0}, "the folder cannot be read: %s",
		strerror(EACCES));
	return denied_hint(folder, EACCES, e);
}
