/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the environment asks of the pass: AFFINITY_PASS is a list of words. (An option of its own
 * reaches a plug-in of clang, but no plug-in of a linker, and the versions differ in how.)
 */
#ifndef PASS_OPTIONS_H
#define PASS_OPTIONS_H

#include <string>

struct Options {
	bool off = false;   /* "off": nothing is inserted */
	bool half = false;  /* "half": what a condition guards runs every second time */
	bool count = false; /* "count": the turns of loops are counted, and nothing else inserted */
	bool check = false; /* "check": every access that a call counts is counted when it runs */
};

/* Returns an empty text, or what is wrong with the list. */
std::string readOptions(Options &O);

#endif
