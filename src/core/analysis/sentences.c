/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one set of sentences for what was found, without their full stops. A sentence is a text with
 * these parts in it:
 *
 *   {name}           the part of this name: a text; "97 +- 1 ns" of a figure
 *   {name%.0f}       the number of a figure alone; %v with its size, %l and %h an end of its
 *                    interval, %r a rate with its unit, %t how many times
 *   {name|; }        a list, with what stands between its items
 *   {name?one|more}  a word for a part that is "1", and for another one
 *   {?name} {!name}  nothing, where the part is there, or is not
 *   [...]            left out where a part that is named in it is not there
 *   <...>            shown as important
 *   ~                a blank that does not break
 */
#include <string.h>

#include "analysis/finding.h"

/* What stands in several sentences. */
/* clang-format off */
#define INTERVAL(part) "[ ({" part "%l} .. {" part "%h})]"
#define OF_TABLE "[{operation}[, {values}]: ][{!operation}{values}: ]"
#define THREADS(part) "{" part "} thread{" part "?|s}"
#define RATE(part) "{" part "%r}" INTERVAL(part)
#define SHARE(part) "<{" part "%v}~%>" INTERVAL(part)
#define WAITS "[, of whose time waiting for the slowest takes " SHARE("waiting") \
	" and meeting " SHARE("meeting") "]"
#define MOSTLY "{fewest} thread{fewest?|s} reach{fewest?es|} {part%.0f}~% of it"
#define WEAK "[. Left out as weak: {left|; }][. Weak: {weak|; }]"
#define MISSING "[. {missing|. }]"
#define ALONG "{along} from {least%v} to {most%v}"
#define OPEN "[; at {nopen} of these {points} their intervals do not tell]" \
	"[; at {along} {open|, } their intervals do not tell]"
/* of what table and column a crossing is, or how far it was measured */
#define WHERE "[; {operation}[, {values}]][{!operation}; {values}][; {column}]" \
	"[, measured up to {measured%v}]"
#define HOW_CERTAIN "more samples tell how certain it is"
#define ADVICE(part, is) "{" part "%v}~%" INTERVAL(part) \
	"[, {" is "} the shares that are not distinguished from the best]"
#define ONE_NODE "all placements are memory of node {node}, so placement makes no difference here"

static const struct {
	const char *name;
	enum finding_group group;
	const char *sentence;
} kinds[] = {
	[FINDING_EXTREMES] = {"extremes", FINDING_HEADLINE,
		"{quantity}[ of {operation}][, {values}]: "
		"[{count} figures, all within <{within%.2g}~%>, ]"
		"from {least}[ ({least_at})] to {most}[ ({most_at})]"
		"[{?open}; their intervals overlap][: <{times%t}~times>]"
		"[; data in {held}]"},
	[FINDING_FIGURES] = {"figures", FINDING_HEADLINE, "{figures|; }"},
	[FINDING_COSTS] = {"costs", FINDING_HEADLINE, "{quantity}: {figures|, }"},
	[FINDING_CROSSING] = {"crossing", FINDING_DETAILS,
		"{first} is quicker than {base} from {along} <{at%v}> on"
		"[{?uncertain} (without an interval: " HOW_CERTAIN ")]" INTERVAL("at")
		"[{!at%h} ({at%l} .., perhaps never)][{!at%l} (.. {at%h}, perhaps everywhere)]"
		"[{?nowhere} (which is not certain anywhere)]" WHERE},
	[FINDING_ALWAYS] = {"always", FINDING_DETAILS,
		"{first} is quicker than {base} at <every> " ALONG
		"[, for certain from {high%v} on]"
		"[{!high}{?uncertain} (without intervals: " HOW_CERTAIN ")]" OPEN WHERE},
	[FINDING_NEVER] = {"never", FINDING_DETAILS,
		"{first} is <not> quicker than {base} at any " ALONG
		"[, but perhaps from {low%v} on]"
		"[{!low}{?uncertain} (without intervals: " HOW_CERTAIN ")]" OPEN WHERE},
	[FINDING_ONE_POINT] = {"one_point", FINDING_DETAILS,
		"{first} and {base} were both measured at a single {along}: "
		"where they cross is not known" WHERE},
	[FINDING_SAME_MEMORY] = {"same_memory", FINDING_DETAILS,
		"{first} is [memory of node {node}, as {base} is]"
		"[{!node}the same memory as {base}]: nothing is compared" WHERE},
	[FINDING_MIXED] = {"mixed", FINDING_DETAILS,
		"{first} is quicker than {base} at one {along} and slower at a larger one, "
		"between {low%v} and {high%v}" WHERE},
	[FINDING_UNDECIDED] = {"undecided", FINDING_DETAILS,
		"{first} is quicker than {base} "
		"[{?uncertain}at some and slower at others of " ALONG "]"
		"[{!uncertain}or slower at " ALONG ": their intervals do not tell which]" WHERE},
	[FINDING_THREADS] = {"threads", FINDING_DETAILS,
		"[{curve}[, {operation}]][{!curve}{operation}][, {values}]: "
		"the most, {most%r}, with <" THREADS("threads") ">[; " MOSTLY "]"},
	[FINDING_BEST] = {"best", FINDING_DETAILS,
		"Of all, {most%r} is the most: <{best}, " THREADS("threads") ">"
		"[, which their intervals do not tell from {others|, }]"
		"[{?uncertain}, of figures without intervals]"},
	[FINDING_LINKS] = {"links", FINDING_HEADLINE,
		OF_TABLE "[{cores} core{cores?|s} saturate{cores?s|} the link of {cache} (<{link%r}>)]"
		"[{?cores}{?caches}; ]"
		"[{caches} last-level cache{caches?|s} saturate{caches?s|} the node ({node%r})]"
		"[{?cores}{?times}; ][{!cores}{?caches}{?times}; ]"
		"[{threads} threads under {many} last-level caches move <{times%t}~times> "
		"what they move under {few}: spread]"},
	[FINDING_SHARED_LINKS] = {"shared_links", FINDING_HEADLINE,
		OF_TABLE "{pairs|, } share a link, as other pairs move up to {most%r}"},
	[FINDING_SHARE] = {"share", FINDING_DETAILS,
		"[{operation}, ]{row}[, {column}][, {values}]: the bandwidth is highest with "
		"<{best%v}~%" INTERVAL("best") "> of the pages on the node of the threads"
		"[{!best%l}, without an interval: " HOW_CERTAIN "]"
		"[. The ratio of the bandwidths advises " ADVICE("advised", "advised_is") "]"
		"[. The kernel's own weights are " ADVICE("kernel", "kernel_is") "]"},
	[FINDING_MEETING] = {"meeting", FINDING_DETAILS, "{curve}, " THREADS("threads") WAITS},
	[FINDING_HOT] = {"hot", FINDING_DETAILS,
		OF_TABLE "{place} has {first%.3g}" INTERVAL("first") " with hot_share {first_share}"
		"[, and {last%.3g}" INTERVAL("last") " with hot_share {last_share},] "
		"of the speed of {base}; at least {part%.2g} of it "
		"[from <hot_share {from}> on][{?uncertain}, without intervals: " HOW_CERTAIN "]"
		"[ ({earliest} .. {sure})][{!sure} ({earliest} .., perhaps with none)]"
		"[{!from}with <no> measured share[, but perhaps from hot_share {perhaps} on]]"},
	[FINDING_WEIGHTS] = {"weights", FINDING_ANSWERS,
		"{subject}: [" ONE_NODE ": ][{?rest}of what is not weak, ]"
		"<[{placement}, ]" THREADS("threads") ">, " RATE("most")
		"[{?uncertain}. The figures have no intervals: " HOW_CERTAIN "]"
		"[. Their intervals do not tell it from {tied|, }]"
		"[. There " THREADS("near") " may be as quick: the intervals do not tell]"
		"[. " MOSTLY "]"
		"[{?alone}. No smaller number reaches {part%.0f}~% of it]"
		"[. With {base} it is " RATE("base_most") " at most, "
		"with " THREADS("base_threads") "]"
		MISSING WEAK},
	[FINDING_PLACEMENTS] = {"placements", FINDING_ANSWERS,
		"{subject}, by {along}[{?threads}, the number of threads]: "
		"[" ONE_NODE " at any {along}][{rows|; }]" WEAK MISSING},
	[FINDING_LAYERS] = {"layers", FINDING_ANSWERS,
		"{subject}: {curves|; }"
		"[{?uncertain}. The figures have no intervals: "
		"more samples tell how certain they are]" WEAK},
	[FINDING_LATENCY] = {"latency", FINDING_MEMORIES,
		"A thread on node {node} waits {own} for memory of its own node"
		"[, and {times} times as long, {far}, for memory of node {far_node}]"},
	[FINDING_BANDWIDTH] = {"bandwidth", FINDING_MEMORIES,
		"Threads on node {node} {verb} memory of their own node at up to {own}"
		"[, and {far}, {times} of that, {way} node {far_node}]"},
	[FINDING_SATURATION] = {"saturation", FINDING_MEMORIES,
		"Of {least} to {largest} threads on node {node} that {verb} its memory, {enough} "
		"reach{enough?es|} {part%.0f}~% of the highest rate, {most}"},
	[FINDING_LINE] = {"line", FINDING_LINES,
		"A line that one CPU changes takes {near} from CPU {near_from} to CPU {near_to}"
		"[, the nearest of {pairs} pairs, and {times} times as long, {far}, "
		"from CPU {far_from} to CPU {far_to}, the farthest]"},
	[FINDING_REACH] = {"reach", FINDING_LINES,
		"Random accesses to more than {first} on {pages} miss the first TLB"
		"[, to more than {second} the second one, too]"},
	[FINDING_HUGE_PAGES] = {"huge_pages", FINDING_LINES,
		"In random order {kernel} takes {small} for each {unit} of {size} on base pages, "
		"and {times} times as long, {huge}, on transparent huge pages"},
	[FINDING_MACHINE] = {"machine", FINDING_BESIDE,
		"{machine} takes [{mean} times as long as {first} in the mean: ]"
		"{least} ({least_at})[ to {most} ({most_at})][{!mean} times as long as {first}]"},
	[FINDING_FIGURE] = {"figure", FINDING_PARTS,
		"[{quantity}[ of {operation}][, {values}]: ][{name} ]{figure}[ ({held})]"},
	[FINDING_POINT] = {"point", FINDING_PARTS, "{at%v}"},
	[FINDING_NAME] = {"name", FINDING_PARTS, "{name}"},
	[FINDING_TIED] = {"tied", FINDING_PARTS, "{placement} with " THREADS("threads")},
	[FINDING_MISSING] = {"missing", FINDING_PARTS,
		"Not measured: {placement}[ with {threads|, } thread{n?|s}][ ({reason})]"},
	[FINDING_WEAK_RUNS] = {"weak_runs", FINDING_PARTS,
		"{which}[ with {threads|, } thread{n?|s}] ({reasons})"
		"[, which had {highest%r}[{?several} at most][{?quicker} and may be quicker]]"},
	[FINDING_SHARED_LINK] = {"shared_link", FINDING_PARTS, "<{one}> and <{other}> ({rate%r})"},
	[FINDING_LAYER] = {"layer", FINDING_PARTS,
		"{curve}: " RATE("most") " at most, with " THREADS("threads")
		"[ (not distinguished from {tied|, })]"
		"[{?alone}, which needs no synchronisation[, and " RATE("several") " "
		"with " THREADS("several_threads") "]]" WAITS},
};
/* clang-format on */

const char *finding_pattern(enum finding_kind kind)
{
	return kinds[kind].sentence;
}

const char *finding_kind_name(enum finding_kind kind)
{
	return kinds[kind].name;
}

enum finding_group finding_group(const struct finding *f)
{
	return kinds[f->kind].group;
}

const struct finding *findings_first(const struct finding_list *f)
{
	for (size_t i = 0; i < f->count; i++)
		if (finding_group(&f->list[i]) == FINDING_HEADLINE)
			return &f->list[i];
	return NULL;
}
