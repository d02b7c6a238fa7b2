/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads with a buffer on the stack: an allocator may not allocate. */
#include "rhp/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "hugepages/lines.h"

#define THP "/sys/kernel/mm/transparent_hugepage"

/* Collects characters up to a newline; what is too long is cut. */
struct line {
	char text[1024];
	size_t length;
};

static int feed(
	struct line *l, const char *data, size_t n, int (*line)(void *, const char *), void *arg)
{
	int result = 0;

	for (size_t i = 0; i < n && !result; i++) {
		if (data[i] != '\n') {
			if (l->length < sizeof(l->text) - 1)
				l->text[l->length++] = data[i];
			continue;
		}
		l->text[l->length] = '\0';
		l->length = 0;
		result = line(arg, l->text);
	}
	return result;
}

int rhp_lines(const char *path, int (*line)(void *, const char *), void *arg)
{
	int file = open(path, O_RDONLY | O_CLOEXEC), result = 0;
	char data[2048];
	struct line l = {.length = 0};
	ssize_t n = 0;

	if (file < 0)
		return -1;
	while (!result && (n = read(file, data, sizeof(data))) > 0)
		result = feed(&l, data, (size_t)n, line, arg);
	if (!result && l.length)
		result = feed(&l, "\n", 1, line, arg);
	int error = errno;
	close(file);
	errno = error;
	return n < 0 ? -1 : result;
}

static int file_lines(
	const struct rhp_machine *m, const char *path, int (*line)(void *, const char *), void *arg)
{
	char full[512];

	snprintf(full, sizeof(full), "%s%s", m->root, path);
	return rhp_lines(full, line, arg);
}

static int take_limit(void *arg, const char *text)
{
	struct rhp_machine *m = arg;

	if (m->nlimits < RHP_ZONES && !zone_head(text, &m->limits[m->nlimits]))
		m->nlimits++;
	else if (m->nlimits)
		zone_line(text, &m->limits[m->nlimits - 1]);
	return 0;
}

static int take_number(void *arg, const char *text)
{
	return sscanf(text, "%zu", (size_t *)arg) == 1;
}

void rhp_machine_read(struct rhp_machine *m, const char *root)
{
	m->root = root;
	m->base = (size_t)sysconf(_SC_PAGESIZE);
	m->huge = 0;
	m->nlimits = 0;
	if (file_lines(m, THP "/hpage_pmd_size", take_number, &m->huge) < 0 || m->huge < m->base)
		m->huge = 0;
	file_lines(m, "/proc/zoneinfo", take_limit, m);
}

/* ---- free blocks */

struct free_blocks {
	const struct rhp_machine *m;
	uint64_t *bytes;
	int lines;
};

static const struct zone_limits *find_limits(
	const struct rhp_machine *m, const struct buddy_zone *zone)
{
	for (size_t i = 0; i < m->nlimits; i++)
		if (m->limits[i].node == zone->node && !strcmp(m->limits[i].name, zone->name))
			return &m->limits[i];
	return NULL;
}

static int take_blocks(void *arg, const char *text)
{
	struct free_blocks *f = arg;
	struct buddy_zone zone;

	if (buddy_line(text, &zone))
		return EBADMSG;
	f->bytes[zone.node] += f->m->base * rhp_usable(&zone, find_limits(f->m, &zone),
						    buddy_order(f->m->huge, f->m->base));
	f->lines++;
	return 0;
}

int rhp_machine_free(const struct rhp_machine *m, uint64_t *free_bytes)
{
	struct free_blocks f = {m, free_bytes, 0};

	memset(free_bytes, 0, RHP_NODES * sizeof(*free_bytes));
	int result = file_lines(m, "/proc/buddyinfo", take_blocks, &f);
	if (result < 0)
		return errno;
	return result || f.lines ? result : EBADMSG;
}

/* ---- distances */

struct distances {
	int *of;
	int online[RHP_NODES];
	int n;
};

/* "0-3,8": the nodes to which the numbers of `distance` belong. */
static int take_online(void *arg, const char *text)
{
	struct distances *d = arg;
	int from, to, used;

	while (sscanf(text, "%d%n", &from, &used) == 1) {
		text += used;
		to = from;
		if (sscanf(text, "-%d%n", &to, &used) == 1)
			text += used;
		for (; from >= 0 && from <= to && from < RHP_NODES && d->n < RHP_NODES; from++)
			d->online[d->n++] = from;
		text += *text == ',';
	}
	return 1;
}

static int take_distances(void *arg, const char *text)
{
	struct distances *d = arg;
	int distance, used, i = 0;

	for (; i < d->n && sscanf(text, "%d%n", &distance, &used) == 1; i++) {
		d->of[d->online[i]] = distance;
		text += used;
	}
	return i == d->n ? 1 : 2;
}

int rhp_machine_distances(const struct rhp_machine *m, int node, int *distances)
{
	struct distances d = {.of = distances};
	char path[64];

	for (int i = 0; i < RHP_NODES; i++)
		distances[i] = i == node ? 10 : 20;
	snprintf(path, sizeof(path), "/sys/devices/system/node/node%d/distance", node);
	if (file_lines(m, "/sys/devices/system/node/online", take_online, &d) < 0)
		return errno;
	int result = file_lines(m, path, take_distances, &d);
	if (result < 0)
		return errno;
	return result == 1 ? 0 : EBADMSG;
}

/* ---- the setting of huge pages */

struct setting {
	bool never, inherits;
};

static int take_setting(void *arg, const char *text)
{
	struct setting *s = arg;

	s->never = strstr(text, "[never]");
	s->inherits = strstr(text, "[inherit]");
	return 1;
}

/* A kernel with a setting for each size (Linux 6.8) asks that of the huge page; usually it inherits
 * the common one. */
int rhp_machine_thp(const struct rhp_machine *m)
{
	struct setting common = {0}, own = {.inherits = true};
	char path[128];

	if (!m->huge)
		return 0;
	file_lines(m, THP "/enabled", take_setting, &common);
	snprintf(path, sizeof(path), THP "/hugepages-%zukB/enabled", m->huge / 1024);
	file_lines(m, path, take_setting, &own);
	return own.inherits ? !common.never : !own.never;
}
