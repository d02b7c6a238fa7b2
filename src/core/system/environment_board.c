/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The facts of the board: its firmware and its memory modules, where users may read them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "system/environment.h"

#define EDAC "/sys/devices/system/edac/mc/mc"
/* More than boards have: of controllers, and of modules of one. */
#define CONTROLLERS 64
#define MODULES     64

/* "American Megatrends Inc. 2.3 (01/15/2024)" */
static void add_firmware(struct environment *env)
{
	static const char *const files[] = {"vendor", "version", "date"};
	char path[64], parts[3][256], text[1024];

	for (size_t i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "/sys/class/dmi/id/bios_%s", files[i]);
		if (text_first_line(path, parts[i], sizeof(parts[i])))
			parts[i][0] = '\0';
	}
	snprintf(text, sizeof(text), *parts[2] ? "%s %s (%s)" : "%s %s", parts[0], parts[1],
		parts[2]);
	environment_add(env, "firmware", *parts[1] ? text_trim(text) : NULL);
}

/* Modules of one size and type. */
struct modules {
	size_t count;
	double bytes;
	char type[64];
};

struct board {
	struct modules *list;
	size_t count;
};

static void take_module(struct board *b, double bytes, const char *type)
{
	size_t i = 0;

	while (i < b->count && (b->list[i].bytes != bytes || strcmp(b->list[i].type, type) != 0))
		i++;
	if (i == b->count) {
		b->list = alloc_grow(b->list, b->count, sizeof(*b->list));
		b->list[b->count++] = (struct modules){.bytes = bytes};
		strcpy(b->list[i].type, type);
	}
	b->list[i].count++;
}

/* Linux's EDAC numbers the places of a controller; an empty one has no folder, or size 0. */
static void read_module(struct board *b, int controller, int module)
{
	char path[128], line[64], type[64];

	snprintf(path, sizeof(path), EDAC "%d/dimm%d/size", controller, module);
	const unsigned long long mib =
		text_first_line(path, line, sizeof(line)) ? 0 : strtoull(line, NULL, 10);

	if (!mib)
		return;
	snprintf(path, sizeof(path), EDAC "%d/dimm%d/dimm_mem_type", controller, module);
	if (text_first_line(path, type, sizeof(type)))
		snprintf(type, sizeof(type), "of an unknown type");
	take_module(b, (double)(mib << 20), type);
}

static void add_modules(struct environment *env)
{
	struct fact f = fact_begin("memory_modules");
	struct board b = {0};
	char path[64], line[64];

	for (int c = 0; c < CONTROLLERS; c++) {
		snprintf(path, sizeof(path), EDAC "%d/mc_name", c);
		for (int m = 0; m < MODULES && !text_first_line(path, line, sizeof(line)); m++)
			read_module(&b, c, m);
	}
	for (size_t i = 0; i < b.count; i++) {
		fact_add_number(&f, (double)b.list[i].count);
		fact_add_number(&f, b.list[i].bytes);
		fact_add_text(&f, b.list[i].type);
	}
	free(b.list);
	environment_take(env, &f);
}

void environment_board(struct environment *env)
{
	add_firmware(env);
	add_modules(env);
}
