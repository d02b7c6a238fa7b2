/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A grammar as a table: a rule is a letter, %x in an alternative stands for an example of rule x.
 */
#include "grammar.h"

#include <stdio.h>
#include <string.h>

#include "input/param.h"
#include "input/registry.h"
#include "input/request.h"

/* From this depth on, expand() takes the last alternative of a rule, which has the fewest %, so
 * that examples end. */
#define MAX_DEPTH 40

#define ALTERNATIVES 80

static const char *const rules[128][ALTERNATIVES] = {
	['m'] = {"numa:%j(memory=%jGB) core:%j pu:%j", "pack:%j l3:%j(size=8MiB) core:%j pu:%j",
		"pack:%j [numa(memory=8GB)] [numa(memory=64GB)] l3:1(size=16MiB) core:%j pu:%j",
		"numa:%j(memory=0) core:%j pu:%j", "numa:2(memory=8GB indexes=5,3) core:%j pu:2",
		"numa:3(memory=1MB) core:2 pu:2(indexes=core:numa)", "ring4.xml", "core:%j pu:%j"},
	['j'] = {"1", "2", "3", "4"},
	/* files that are right on most machines, as a basis for the lines that follow */
	['B'] = {"kernels: %o\nnodePerThread: first*4\noversubscribe: yes\nnodePerVector: %b %b\n"
		 "sizePerVector: %Z*\ntypePerVector: %t*\npagesPerVector: %g*\ninitPerVector: %i*\n"
		 "vectorPerThread: 0-3, 0 1\n",
		"let: X=first Y=far(X)\nopType: %k\nnodePerThread: X Y\n"
		"nodePerVector: %b\ntamPerVector: %Z\nvectorPerThread: 0 1\nstride: %j\n",
		"sweep: a = %j %d\nopType: null %k\ncpuPerThread: 0*4\noversubscribe: yes\n"
		"nodePerVector: %b\ntamPerVector: %Z\nvectorPerThread: 0-3\npasses: $a\nsolo: "
		"%f\n"},
	['b'] = {"first", "0", "interleave", "preferred:first", "near(first)", "interleave:first"},
	['Z'] = {"1MiB", "64KiB", "4096", "1%", "1000000"},
	['l'] = {"kernels: %o %o", "opType: %o", "nodePerThread: %L", "corePerThread: %N",
		"cpuPerThread: %N", "placePerThread: %H", "nodePerVector: %P", "tamPerVector: %S",
		"sizePerVector: %S", "typePerVector: %T", "pagesPerVector: %G", "initPerVector: %I",
		"vectorPerThread: %U", "let: %A", "oversubscribe: %f", "speedup: %o/%o",
		"samples: %n", "warmup: %n", "placements: %n", "confidence: %F", "%p: %V",
		"params: %p:%v %p:%v,%v", "%K: %w", "%K: %w %w", "sweep: %a = %y", "where: %z",
		"baseline: %a=%d", "table: %Q", "plot: %Q", "nodePerThread: $%a", "%p: $%a",
		"solo: %f", "targetError: %F", "threads: %N", "mapping: %M", "mappingBy: %w",
		"threads: %d", "statePerVector: %E", "backing: memfd*", "backing: file:. memfd",
		"cache: warm*", "tablesPerVector: %P", "leaveHuge: %d%u", "leaveHuge: %e=%d%u %e=0",
		"leaveHuge: 0.%dxvectors", "initOrderPerVector: hot_last*", "ownerPerVector: %W",
		"runs: %d", "claim: %h %1 %2 %1", "claim: %h %1 %2 %h %1 %w"},
	['E'] = {"M", "E*", "S*", "O", "F*", "I none", "%w"},
	['W'] = {"thread:%d", "cpu:%d*", "thread:%d,cpu:%d*", "cpu:%n", "%w,%w"},
	['M'] = {"compact", "scatter", "roundrobin", "os", "instruction", "%w"},
	['a'] = {"a", "b", "n", "thread"},
	['y'] = {"%d %d", "nodes", "cpunodes", "cores", "cpus", "%d..%d:%d", "%d..%n*%d", "%w %w",
		"%n%u..%n%u:%n%u", "0.%d..%d:0.%d", "%d"},
	['z'] = {"%a%x%a", "%a %x %d", "%a%x%w", "%a %x %d, %z", "%a%x%d", "%a %x %d or %z"},
	['x'] = {"!=", "==", "<=", ">=", "<", ">"},
	['1'] = {"%a=%d", "%a=%d thread=%d", "%a=%d operation=%o", "%a=%w by=%n%", "within=%d%"},
	['2'] = {">", "<", "~", "%x", "~ %a=%d within=%d%"},
	['Q'] = {"%h", "%h rows=%X cols=%X", "%h x=%X by=%X", "%h x=%X", "%h by=%X", "%w %w"},
	['h'] = {"cost", "busy", "ns_per_unit", "bandwidth", "speedup", "overhead", "slowdown"},
	['X'] = {"thread", "kernel", "%a"},
	['o'] = {"%k", "%k+%k", "%k+%k+%k", "%k"},
	['L'] = {"%e %e", "%d-%d", "%d-%d*", "%e*", "%e*%d", "%d-%r", "%e*%r", "%e"},
	['N'] = {"kind(%w)*", "kind(performance)*", "%n %n", "%d %d", "%d-%d*%d", "%d*%d", "%d"},
	['e'] = {"%d", "far(%e)", "near(%e)", "kind(%w)", "kind(DRAM,%e)", "best(latency,%e)", "X",
		"Y", "first", "%n", "%d"},
	['H'] = {"%H %H", "%J*", "%J*%d", "packed(%J)*%r", "%J@%J", "%J"},
	['J'] = {"%J:%O(%R)", "%O(%R):%O(%R)", "%O:%R.%O:%R", "S%d:%R", "M%d", "E:C%d:%n:%d:%d",
		"L:N:%R", "kind(%w):%J", "node(%e)", "%w(%R)", "%O(%R)"},
	['O'] = {"L3", "core", "pu", "package", "node", "LLC", "die", "ccd", "socket", "%w"},
	['R'] = {"%d", "%d-%d", "%d,%d", "each", "first", "%R,%R", "%n", "%e", "%d:%d", "%d"},
	['A'] = {"X=%e Y=%e", "X=%e", "X=far(Y) Y=near(X)", "%w=%e", "X=first"},
	['P'] = {"%q %q", "%q*%d", "%q*%r", "%d-%d", "%q"},
	['q'] = {"%e", "interleave", "interleave:%e,%e", "interleave:%d-%d", "preferred:%e",
		"local", "interleave:%w", "%e", "local_2m", "remote_2m", "interleave_2m"},
	['S'] = {"%s %s", "%s*", "%s*%d", "%s"},
	['s'] = {"%n", "%n%u", "%d.%d%u", "%dxL%d", "%d.5xL%d", "%nxL3", "%n%", "%d.%d%", "%d%u"},
	['T'] = {"%t %t", "%t*", "%t*%d", "%t"},
	['t'] = {"char", "short", "int", "long", "float", "double"},
	['G'] = {"%g %g", "%g*", "%g*%d", "%g"},
	['g'] = {"system", "4K", "thp", "2M", "1G", "thp:64K", "thp+base"},
	['I'] = {"%i %i", "%i*", "%i*%d", "%i"},
	['i'] = {"node", "owner", "main", "thread:%d", "thread:%n"},
	['U'] = {"%c", "%c, %c", "%c, %c, %c", "%c,,%c", "%c"},
	['c'] = {"%d", "%d %d", "%d-%d", "%d*%d", "%n", "%d"},
	['V'] = {"%v %v", "%v*", "%v*%d", "%v,%v", "%v"},
	['v'] = {"%n", "%n%u", "%d%D", "%d.%d", "%n%", "forward", "random", "-%d", "%d%u"},
	['F'] = {"%d%", "0.%d", "%n", "%n%", "95%"},
	['f'] = {"yes", "no", "%w"},
	['u'] = {"B", "K", "KiB", "kB", "MiB", "GB", "TiB", "G"},
	['D'] = {"ns", "us", "ms", "s", "min"},
	['d'] = {"0", "1", "2", "3", "4", "5", "7"},
	/* mostly small: a plan of 65536 threads takes long */
	['r'] = {"%d", "%d", "%d", "%d", "%d", "8", "16", "31", "%n", "%d"},
	['n'] = {"0", "1", "2", "8", "31", "63", "64", "65", "127", "1023", "1024", "65535",
		"65536", "65537", "1000000", "2147483647", "2147483648", "4294967296",
		"9007199254740992", "9223372036854775807", "9223372036854775808",
		"18446744073709551615", "18446744073709551616", "1e308"},
	['w'] = {"%n", "%v", "%s", "%e", "%q", "%k", "%p", "%K", "%t", "%i", "%U", "$%w", "*", "-",
		":", "+", "/", "=", "\x7f\xff", "%d..%d:%d"},
};

uint32_t random_below(struct random *r, uint32_t n)
{
	/* Marsaglia's xorshift64: good enough for random choices */
	r->state ^= r->state << 13;
	r->state ^= r->state >> 7;
	r->state ^= r->state << 17;
	return (uint32_t)(r->state >> 32) % n;
}

static const char *any_kernel(struct random *r)
{
	uint32_t count = 0;

	while (kernel_map[count].id)
		count++;
	return kernel_map[random_below(r, count)].id;
}

static const char *any_name(struct random *r, const struct param *table)
{
	uint32_t count = 0;

	while (table && table[count].name)
		count++;
	return count ? table[random_below(r, count)].name : "passes";
}

static const char *any_parameter(struct random *r)
{
	uint32_t count = 0;

	while (kernel_map[count].id)
		count++;
	uint32_t i = random_below(r, count + 1);
	return any_name(r, i < count ? kernel_map[i].kernel->params : common_params);
}

static const char *any_alternative(struct random *r, char rule, int depth)
{
	const char *const *list = rules[(unsigned char)rule & 127];
	uint32_t count = 0;

	switch (rule) {
	case 'k':
		return any_kernel(r);
	case 'p':
		return any_parameter(r);
	case 'K':
		return any_name(r, request_keys);
	default:
		break;
	}
	while (count < ALTERNATIVES && list[count])
		count++;
	if (!count)
		return "%";
	return list[depth < MAX_DEPTH ? random_below(r, count) : count - 1];
}

/* `%` before a character that is not a rule stays `%`, as in "50%". */
static size_t expand(struct random *r, char rule, int depth, char *buffer, size_t n)
{
	const char *from = any_alternative(r, rule, depth);
	size_t used = 0;

	for (; *from && used + 1 < n; from++) {
		bool is_rule =
			*from == '%' && (from[1] == 'k' || from[1] == 'p' || from[1] == 'K' ||
						(from[1] > 0 && rules[(int)from[1]][0]));

		if (is_rule)
			used += expand(r, *++from, depth + 1, buffer + used, n - used);
		else
			buffer[used++] = *from;
	}
	buffer[used] = '\0';
	return used;
}

size_t grammar_write(struct random *r, char rule, char *buffer, size_t n)
{
	return expand(r, rule, 0, buffer, n);
}
