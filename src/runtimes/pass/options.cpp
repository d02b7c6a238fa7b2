/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of AFFINITY_PASS. */
#include "pass/options.h"

#include <cstdlib>
#include <sstream>

std::string readOptions(Options &O)
{
	const char *Words = std::getenv("AFFINITY_PASS");
	std::istringstream In(Words ? Words : "");

	for (std::string Word; In >> Word;) {
		if (Word == "off")
			O.off = true;
		else if (Word == "half")
			O.half = true;
		else if (Word == "check")
			O.check = true;
		else if (Word == "count")
			O.count = true;
		else
			return "AFFINITY_PASS: unknown word '" + Word +
			       "'; there are off, half, check and count";
	}
	return "";
}
