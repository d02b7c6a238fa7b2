/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The answer at the head of the page: where the weights of a language model go, and how many
 * threads read them, for each machine; and what its memories, lines and pages mean. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "affinity-report/sentences/sentences.h"

/* ---- answers */

static void say_answer(const struct finding *f, const char *name, enum say_style style, FILE *out)
{
	fputs(style == SAY_HTML ? "<li>" : "", out);
	finding_say(f, style, out);
	if (style == SAY_HTML)
		html(out, ". (<a href='#%s'><code>%s</code></a>, ", name, name);
	else
		fprintf(out, ". (%s, ", name);
	finding_say_trust(f, style, out);
	fputs(style == SAY_HTML ? ")</li>\n" : ")\n", out);
}

/* A line for each answer of a machine; 0: of what has none. To be freed. */
static char *say_all(const struct page *p, size_t machine, enum say_style style)
{
	struct buffer text;
	FILE *out = buffer_open(&text);

	for (size_t i = 0; i < p->results->ndocuments; i++) {
		const struct stored_document *from = &p->results->documents[i];
		const struct finding_list *found = &from->document.findings;

		for (size_t k = 0; from->machine == machine && k < found->count; k++)
			if (finding_group(&found->list[k]) == FINDING_ANSWERS)
				say_answer(&found->list[k], from->name, style, out);
	}
	return buffer_text(&text, out);
}

static bool is_simulated(const struct page *p, size_t machine)
{
	for (size_t i = 0; i < p->results->ndocuments; i++)
		if (p->results->documents[i].machine == machine &&
			document_simulated(&p->results->documents[i].document))
			return true;
	return false;
}

/* Why a machine has none. */
static const char *reason(const struct page *p, size_t machine)
{
	return is_simulated(p, machine)
		       ? "a simulated machine, whose times say nothing of a real one"
		       : "nothing that answers it was measured";
}

/* What an answer's words mean to who has not read the argument file; `found` has the answers. */
static void say_words(const char *found, FILE *out)
{
	static const struct {
		const char *word, *means;
	} words[] = {
		{"interleave", "page by page on all nodes"},
		{"weighted:measured", "the same, more pages where there is more bandwidth"},
		{"slices", "the rows that a thread multiplies on its node"},
		{"replicate", "a copy on each node with threads"},
		{"layers", "parts of a token; all threads meet after each"},
	};
	size_t told = 0;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strstr(found, words[i].word))
			fprintf(out, "%s%s: %s", told++ ? "; " : "<p class=note>", words[i].word,
				words[i].means);
	fputs(told ? ".</p>\n" : "", out);
}

void page_answer(const struct page *p, FILE *out)
{
	const size_t machines = p->results->machines.count;
	struct buffer found, lists;
	FILE *const all = buffer_open(&found), *const body = buffer_open(&lists);

	for (size_t m = 0; m <= machines; m++) {
		char *answers = say_all(p, m, SAY_HTML);

		fputs(answers, all);
		if (m && machines > 1)
			html(body, "<p class=of><strong>%s</strong>%s%s</p>\n",
				p->results->machines.word[m - 1], *answers ? ":" : ": ",
				*answers ? "" : reason(p, m));
		if (*answers)
			fprintf(body, "<ul class=answer>\n%s</ul>\n", answers);
		free(answers);
	}
	buffer_close(&found, all);
	buffer_close(&lists, body);
	if (*found.data) {
		fprintf(out,
			"<p>Where do the weights and keys of a language model go on %s, and how "
			"many threads?</p>\n%s",
			machines < 2           ? "this machine"
			: p->results->of_files ? "the machine of each result"
					       : "each machine",
			lists.data);
		say_words(found.data, out);
	}
	free(found.data);
	free(lists.data);
}

void page_answer_plain(const struct page *p, FILE *out)
{
	for (size_t m = 0; m <= p->results->machines.count; m++) {
		char *answers = say_all(p, m, SAY_PLAIN);

		if (*answers && m && p->results->machines.count > 1)
			fprintf(out, "%s:\n", p->results->machines.word[m - 1]);
		fputs(answers, out);
		free(answers);
	}
}

/* ---- in words */

static void say_group(const struct page *p, enum finding_group group, const char *title, FILE *out)
{
	bool begun = false;

	for (size_t i = 0; i < p->results->ndocuments && p->results->machines.count < 2; i++) {
		const struct stored_document *from = &p->results->documents[i];
		const struct finding_list *found = &from->document.findings;

		for (size_t k = 0; k < found->count; k++) {
			if (finding_group(&found->list[k]) != group)
				continue;
			if (!begun)
				fprintf(out, "<p>%s, in words:</p>\n<ul class=words>\n", title);
			begun = true;
			fputs("<li>", out);
			finding_say(&found->list[k], SAY_HTML, out);
			html(out, " (<code>%s</code>, %s).</li>\n", from->name,
				page_quality_word(found->list[k].trust));
		}
	}
	fputs(begun ? "</ul>\n" : "", out);
}

void page_words(const struct page *p, FILE *out)
{
	say_group(p, FINDING_MEMORIES, "What was measured of its memories", out);
	say_group(p, FINDING_LINES, "What was measured of lines and of the TLB", out);
}

void page_crossings(const struct document *d, FILE *out)
{
	static const struct finding_frame items = {"<ul class=words>\n<li>", "<li>", "</li>\n"};

	if (findings_say(&d->findings, FINDING_DETAILS, &items, SAY_HTML, out))
		fputs("</ul>\n", out);
}
