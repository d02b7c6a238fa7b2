/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the control groups of a process and reads their memory limits, from the leaf up. */
#include "memory/cgroup.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

/* What is left of a limit for page tables, stacks and the driver's own tables: page tables are
 * 1/512 of what they map. */
#define RESERVE_SHARE 128

/* The files of a group. Above memory.high nobody is killed, but slowed down until it hurts. */
struct version {
	const char *limits[2];
	const char *used;
	const char *file_pages[2]; /* keys of memory.stat, of the group and all below it */
};

static const struct version unified = {
	{"memory.max", "memory.high"}, "memory.current", {"active_file", "inactive_file"}};
static const struct version legacy = {{"memory.limit_in_bytes", "memory.limit_in_bytes"},
	"memory.usage_in_bytes", {"total_active_file", "total_inactive_file"}};

/* fallback: there is no such file, or it says "max". */
static uint64_t read_count(const char *folder, const char *file, uint64_t fallback)
{
	char line[64], *path = alloc_format("%s/%s", folder, file);
	uint64_t count = fallback;

	if (!text_first_line(path, line, sizeof(line)))
		text_count(line, &count);
	free(path);
	return count;
}

static uint64_t read_stat(const char *folder, const char *key)
{
	char line[256], *path = alloc_format("%s/memory.stat", folder);
	unsigned long long value = 0;
	size_t length = strlen(key);
	FILE *f = fopen(path, "r");

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, key, length) && line[length] == ' ') {
			sscanf(line + length, "%llu", &value);
			break;
		}
	if (f)
		fclose(f);
	free(path);
	return value;
}

static uint64_t left_of_group(const char *folder, const struct version *v)
{
	uint64_t limit = UINT64_MAX, used, files = 0;

	for (int i = 0; i < 2; i++) {
		uint64_t one = read_count(folder, v->limits[i], UINT64_MAX);
		limit = one < limit ? one : limit;
	}
	if (limit == UINT64_MAX)
		return UINT64_MAX;
	used = read_count(folder, v->used, 0);
	for (int i = 0; i < 2; i++)
		files += read_stat(folder, v->file_pages[i]);
	used -= files < used ? files : used;
	limit -= limit / RESERVE_SHARE;
	return limit > used ? limit - used : 0;
}

/* From the group to the mount point, which is as far up as this process can see. */
static uint64_t left_on_the_way_up(const char *mount, const char *below, const struct version *v)
{
	char *folder = alloc_format("%s%s", mount, below), *slash;
	uint64_t left = UINT64_MAX;

	do {
		uint64_t here = left_of_group(folder, v);

		left = here < left ? here : left;
		slash = strrchr(folder, '/');
		if (slash)
			*slash = '\0';
	} while (slash && strlen(folder) >= strlen(mount));
	free(folder);
	return left;
}

/* Is word one of a list with commas? */
static bool lists(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
		if (!strncmp(at, word, length) && (!at[length] || at[length] == ','))
			return true;
	return false;
}

/* Blanks and backslashes in a path of mountinfo are written as \040, in place. */
static void unescape(char *path)
{
	char *to = path;

	for (const char *from = path; *from; to++) {
		unsigned code;

		if (*from == '\\' && sscanf(from + 1, "%3o", &code) == 1) {
			*to = (char)code;
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
}

/* A container sees a part of the hierarchy: its mount shows `root`, and what is above is hidden. */
static const char *below_root(const char *path, const char *root)
{
	size_t length = strcmp(root, "/") ? strlen(root) : 0;

	if (strncmp(path, root, length) || (path[length] && path[length] != '/') ||
		!strncmp(path, "/..", 3) || !strcmp(path + length, "/"))
		return "";
	return path + length;
}

/* "ID PARENT MAJOR:MINOR ROOT MOUNT OPTIONS [TAG]... - TYPE SOURCE OPTIONS" */
static bool is_hierarchy(char *line, const struct version *v, char **root, char **mount)
{
	char *save, *type, *dash = strstr(line, " - ");

	if (!dash)
		return false;
	*dash = '\0';
	type = strtok_r(dash + 3, " ", &save);
	strtok_r(NULL, " ", &save);
	char *options = strtok_r(NULL, " ", &save);
	if (!type || strcmp(type, v == &unified ? "cgroup2" : "cgroup") ||
		(v == &legacy && (!options || !lists(options, "memory"))))
		return false;
	strtok_r(line, " ", &save);
	strtok_r(NULL, " ", &save);
	strtok_r(NULL, " ", &save);
	*root = strtok_r(NULL, " ", &save);
	*mount = strtok_r(NULL, " ", &save);
	if (!*root || !*mount)
		return false;
	unescape(*root);
	unescape(*mount);
	return true;
}

static uint64_t left_of_hierarchy(const char *proc, const char *path, const struct version *v)
{
	char *file = alloc_format("%s/mountinfo", proc), *line = NULL, *root, *mount;
	uint64_t left = UINT64_MAX;
	size_t room = 0;
	FILE *f = fopen(file, "r");

	while (f && getline(&line, &room, f) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (!is_hierarchy(line, v, &root, &mount))
			continue;
		left = left_on_the_way_up(mount, below_root(path, root), v);
		break;
	}
	free(line);
	free(file);
	if (f)
		fclose(f);
	return left;
}

/* Lines "ID:CONTROLLERS:PATH"; version 2 has ID 0 and no controllers. */
uint64_t cgroup_memory_left(const char *proc)
{
	char *file = alloc_format("%s/cgroup", proc), *line = NULL;
	uint64_t left = UINT64_MAX;
	size_t room = 0;
	FILE *f = fopen(file, "r");

	while (f && getline(&line, &room, f) > 0) {
		char *controllers = strchr(line, ':');
		char *path = controllers ? strchr(controllers + 1, ':') : NULL;

		if (!path)
			continue;
		*path++ = '\0';
		path[strcspn(path, "\n")] = '\0';
		controllers++;
		if (*controllers && !lists(controllers, "memory"))
			continue;
		uint64_t here = left_of_hierarchy(proc, path, *controllers ? &legacy : &unified);
		left = here < left ? here : left;
	}
	free(line);
	free(file);
	if (f)
		fclose(f);
	return left;
}
