# SPDX-License-Identifier: GPL-3.0-or-later
# Random choices that every awk makes alike. Call srandom(SEED) first.

# Park and Miller's minimal standard generator: products below 2^53 are exact in awk's doubles.
function srandom(seed,   i) {
	state = (seed * 7919 + 12345) % 2147483647
	if (state <= 0)
		state = 1
	for (i = 0; i < 10; i++)
		below(2)
}

# 0 .. n - 1
function below(n) {
	state = state * 16807 % 2147483647
	return int(state / 2147483647 * n)
}

# One of the words of a text.
function pick(text,   n, word) {
	n = split(text, word, " ")
	return n ? word[below(n) + 1] : ""
}

function chance(percent) {
	return below(100) < percent
}
