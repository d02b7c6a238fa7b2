/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the control groups of a process, from the leaf up, and reads their memory limits. */
#include "memory/cgroup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

/* What is left of a limit for page tables, stacks and the driver's own tables: page tables are
 * 1/512 of what they map. */
#define RESERVE_SHARE 128

/* The files of a group. A process above memory.high is not killed, but slowed down until it hurts.
 */
struct version {
	const char *limits[2];
	const char *used;
	const char *file_pages[2]; /* keys of memory.stat, of the group and all below it */
};

static const struct version unified_files = {
	{"memory.max", "memory.high"}, "memory.current", {"active_file", "inactive_file"}};
static const struct version legacy_files = {{"memory.limit_in_bytes", "memory.limit_in_bytes"},
	"memory.usage_in_bytes", {"total_active_file", "total_inactive_file"}};

uint64_t cgroup_count(const char *folder, const char *file, uint64_t fallback)
{
	char line[64], *path = alloc_format("%s/%s", folder, file);
	uint64_t count = fallback;

	if (!text_first_line(path, line, sizeof(line)))
		text_count(line, &count);
	free(path);
	return count;
}

uint64_t cgroup_stat(const char *folder, const char *file, const char *key)
{
	char line[256], *path = alloc_format("%s/%s", folder, file);
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
		uint64_t one = cgroup_count(folder, v->limits[i], UINT64_MAX);
		limit = one < limit ? one : limit;
	}
	if (limit == UINT64_MAX)
		return UINT64_MAX;
	used = cgroup_count(folder, v->used, 0);
	for (int i = 0; i < 2; i++)
		files += cgroup_stat(folder, "memory.stat", v->file_pages[i]);
	used -= files < used ? files : used;
	limit -= limit / RESERVE_SHARE;
	return limit > used ? limit - used : 0;
}

static void least_left(void *arg, const char *folder, bool unified)
{
	uint64_t *left = arg,
		 here = left_of_group(folder, unified ? &unified_files : &legacy_files);

	*left = here < *left ? here : *left;
}

uint64_t cgroup_memory_left(const char *proc)
{
	uint64_t left = UINT64_MAX;

	cgroup_walk(proc, "memory", least_left, &left);
	return left;
}

/* A limit of huge pages. The kernel counts those in use, and those promised to mappings before. */
struct pool_files {
	const char *limit, *used;
};

static const struct pool_files pool_unified[] = {{"max", "current"}, {"rsvd.max", "rsvd.current"}};
static const struct pool_files pool_legacy[] = {
	{"limit_in_bytes", "usage_in_bytes"}, {"rsvd.limit_in_bytes", "rsvd.usage_in_bytes"}};

struct pool_left {
	char size[24]; /* in names of files: "2MB" */
	uint64_t bytes;
	char *file;
};

static void least_of_pool(void *arg, const char *folder, bool unified)
{
	const struct pool_files *files = unified ? pool_unified : pool_legacy;
	struct pool_left *left = arg;

	for (int i = 0; i < 2; i++) {
		char limit[64], used[64];

		snprintf(limit, sizeof(limit), "hugetlb.%s.%s", left->size, files[i].limit);
		snprintf(used, sizeof(used), "hugetlb.%s.%s", left->size, files[i].used);
		const uint64_t most = cgroup_count(folder, limit, UINT64_MAX);
		const uint64_t gone = cgroup_count(folder, used, 0);
		const uint64_t here = most == UINT64_MAX ? most : most > gone ? most - gone : 0;

		if (here >= left->bytes)
			continue;
		left->bytes = here;
		free(left->file);
		left->file = alloc_format("%s/%s", folder, limit);
	}
}

/* The size as mem_fmt() of the kernel's mm/hugetlb_cgroup.c writes it. */
static void name_size(size_t bytes, char *text, size_t n)
{
	const char unit = bytes >> 30 ? 'G' : bytes >> 20 ? 'M' : 'K';

	snprintf(text, n, "%zu%cB", bytes >> (unit == 'G' ? 30 : unit == 'M' ? 20 : 10), unit);
}

/* A hierarchy of version 2 may be mounted so that pages of pools count as memory, too. */
static bool memory_counts_pools(const char *proc)
{
	char *file = alloc_format("%s/mountinfo", proc), *line = NULL;
	bool found = false;
	size_t room = 0;
	FILE *f = fopen(file, "r");

	while (f && !found && getline(&line, &room, f) > 0)
		found = strstr(line, " - cgroup2 ") && strstr(line, "memory_hugetlb_accounting");
	free(line);
	free(file);
	if (f)
		fclose(f);
	return found;
}

uint64_t cgroup_pool_left(const char *proc, size_t page_bytes, char **file)
{
	const uint64_t memory = memory_counts_pools(proc) ? cgroup_memory_left(proc) : UINT64_MAX;
	struct pool_left left = {.bytes = UINT64_MAX};

	name_size(page_bytes, left.size, sizeof(left.size));
	cgroup_walk(proc, "hugetlb", least_of_pool, &left);
	if (memory < left.bytes) {
		free(left.file);
		left = (struct pool_left){.bytes = memory, .file = alloc_format("memory.max")};
	}
	*file = left.file;
	return left.bytes;
}

/* What to look for on the way through the hierarchies. */
struct walk {
	const char *proc, *controller;
	cgroup_visit *visit;
	void *arg;
};

static void walk_up(const struct walk *w, const char *mount, const char *below, bool unified)
{
	char *folder = alloc_format("%s%s", mount, below), *slash;

	do {
		w->visit(w->arg, folder, unified);
		slash = strrchr(folder, '/');
		if (slash)
			*slash = '\0';
	} while (slash && strlen(folder) >= strlen(mount));
	free(folder);
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
static bool is_hierarchy(
	char *line, const char *controller, bool unified, char **root, char **mount)
{
	char *save, *type, *dash = strstr(line, " - ");

	if (!dash)
		return false;
	*dash = '\0';
	type = strtok_r(dash + 3, " ", &save);
	strtok_r(NULL, " ", &save);
	char *options = strtok_r(NULL, " ", &save);
	if (!type || strcmp(type, unified ? "cgroup2" : "cgroup") ||
		(!unified && (!options || !lists(options, controller))))
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

static void walk_hierarchy(const struct walk *w, const char *path, bool unified)
{
	char *file = alloc_format("%s/mountinfo", w->proc), *line = NULL, *root, *mount;
	bool found = false;
	size_t room = 0;
	FILE *f = fopen(file, "r");

	while (f && !found && getline(&line, &room, f) > 0) {
		line[strcspn(line, "\n")] = '\0';
		found = is_hierarchy(line, w->controller, unified, &root, &mount);
		if (found)
			walk_up(w, mount, below_root(path, root), unified);
	}
	free(line);
	free(file);
	if (f)
		fclose(f);
}

/* Lines "ID:CONTROLLERS:PATH"; version 2 has ID 0 and no controllers. */
void cgroup_walk(const char *proc, const char *controller, cgroup_visit *visit, void *arg)
{
	const struct walk walk = {proc, controller, visit, arg};
	char *file = alloc_format("%s/cgroup", proc), *line = NULL;
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
		if (!*controllers || lists(controllers, controller))
			walk_hierarchy(&walk, path, !*controllers);
	}
	free(line);
	free(file);
	if (f)
		fclose(f);
}
