# SPDX-License-Identifier: GPL-3.0-or-later
# awk -v seed=N -v functions=N -f tests/fuzz/random.awk -f nests.awk: a C program of random loop nests, which prints what
# each computes. Nothing in it is undefined, whatever the choices: elements have no sign, and every index is small.

# A number that is known before the loop of that depth, from the parameters and the variables of outer loops.
function number(depth, word) {
	word = pick("n m o p")
	if (depth && chance(40))
		word = "(long)v" below(depth)
	if (chance(20))
		return below(9)
	if (chance(30))
		word = word pick(" +_1 -_1 +_3 -_2")
	if (depth && chance(10))
		word = word " - (long)v" below(depth)
	gsub("_", " ", word)
	return word
}

# A number of few bits, which may come back to its start: what follows is a small one.
function narrow(of) {
	of = sprintf(pick("((unsigned_char)(%s)_&_63) ((signed_char)(%s)_%%_50) ((%s)_%%_7_&_7) (((%s)_%%_7)_&_4095) ((%s)_&_15) ((unsigned_short)((%s)_*_21846)_%%_64) ((short)((%s)_*_9000)_/_512) ((unsigned_char)(%s)_/_3) ((unsigned)(%s)_%%_9)"), of)
	gsub("_", " ", of)
	return of
}

# The head of a loop, and in tail what is behind its body.
function head(depth, v, start, end, step, shape) {
	v = "v" depth
	start = chance(50) ? 0 : number(depth)
	end = number(depth)
	step = chance(70) ? 1 : 2 + below(4)
	tail = ""
	shape = below(12)
	if (shape < 4)
		return sprintf("for (%s %s = %s; %s %s %s; %s += %d)", pick("long long int"), v, start, v, pick("< < < <="), end, v, step)
	if (shape < 6)
		return sprintf("for (%s %s = %s - 1; %s %s %s; %s -= %d)", pick("long int"), v, end, v, pick(">= >"), start, v, step)
	if (shape == 6)
		return sprintf("for (unsigned %s = %d; %s < u; %s += %d)", v, below(3), v, v, step)
	if (shape == 7)
		return sprintf("for (unsigned %s = u; %s-- > %d;)", v, v, below(3))
	if (shape == 9)
		return sprintf("for (%s %s = %d; %s < (%s & 31); %s++)", pick("char short unsigned int long"), v, below(3), v, narrow(end), v)
	if (shape == 10 && !long_ones++) # up to 255 turns
		return sprintf("for (unsigned char %s = %d; %s < (unsigned char)((%s) * %d + %d); %s++)", v, below(3), v, end, 1 + below(60), below(300), v)
	if (shape == 11)
		return sprintf("for (%s %s = ((%s) & 15) + 1; %s-- > %d;)", pick("char short"), v, end, v, below(3))
	tail = sprintf(" while ((%s += %d) < %s);", v, step, end)
	return sprintf("long %s = %s; do", v, start)
}

function place(depth, text, i) {
	text = below(7)
	for (i = 0; i < depth; i++)
		if (chance(75))
			text = text sprintf(" + (long)v%d%s", i, pick("_ _ _ *_2 *_n *_13 *_-1"))
	if (depth && chance(20))
		text = text " + " narrow(sprintf("v%d%s", below(depth), pick("_ +_1 *_3 +_n *_n -_m")))
	gsub("_", " ", text)
	return text
}

function statement(depth, array, at) {
	array = pick("x y")
	at = array "[" place(depth) "]"
	if (chance(6))
		return "opaque(s);"
	if (chance(4))
		return "hidden[v0 & 7] += 1;"
	if (chance(40))
		return "s = s * 3 + " at ";"
	return at " = " at pick("^ +") " " (chance(50) ? pick("x y") "[" place(depth) "]" : "(long)v0") ";"
}

function guarded(depth, text) {
	text = statement(depth)
	if (chance(8))
		return "if (x[" place(depth) "] & 1) { " text " }"
	if (chance(8))
		return sprintf("if ((long)v%d %s %s) { %s }", depth - 1, pick("< > =="), number(depth - 1), text)
	if (chance(4))
		return text sprintf(" if (y[%s] == %d) break;", place(depth), below(256))
	return text
}

function nest(depth, deepest, indent, own, i) {
	indent = sprintf("%" depth + 1 "s", "")
	gsub(" ", "\t", indent)
	text = text indent "{\n" indent head(depth) " {\n"
	own = tail
	if (depth + 1 == deepest || chance(30))
		text = text indent "\t" guarded(depth + 1) "\n"
	if (depth + 1 < deepest)
		for (i = chance(20); i >= 0; i--)
			nest(depth + 1, deepest)
	if (chance(20))
		text = text indent "\t" guarded(depth + 1) "\n"
	text = text indent "}" own "\n" indent "}\n"
}

function define(i) {
	type[i] = pick("char short int long")
	text = ""
	long_ones = 0
	nest(0, 1 + below(100) % 4)
	printf "F unsigned long f%d(%s%s *x, %s%s *y, long n, long m, long o, long p, unsigned u)\n{\n\tunsigned long s = 1;\n%s\treturn s;\n}\n\n",
		i, "unsigned ", type[i], "unsigned ", type[i], text
}

function parameter() {
	return chance(12) ? -below(3) : below(11)
}

function use(i, second) {
	second = chance(25) ? below(40) : 20000
	printf "\tprintf(\"%d %%lu\\n\", f%d(%s_s + 20000, %s_s + 20000 + %d, %d, %d, %d, %d, %d));\n", i, i, type[i], type[i], second,
		parameter(), parameter(), parameter(), parameter(), below(11)
}

BEGIN {
	srandom(seed)
	print "/* random loop nests of seed " seed " */"
	print "#include <stdio.h>\n#define F __attribute__((noinline))\n"
	print "static unsigned char char_s[90000];\nstatic unsigned short short_s[90000];"
	print "static unsigned int int_s[90000];\nstatic unsigned long long_s[90000];\nstatic volatile int hidden[8];"
	print "F void opaque(unsigned long s)\n{\n\t__asm__ volatile(\"\" : : \"r\"(s) : \"memory\");\n}\n"
	for (i = 0; i < functions; i++)
		define(i)
	print "int main(void)\n{\n\tunsigned long sum = 0;\n"
	print "\tfor (int i = 0; i < 90000; i++)\n\t\tint_s[i] = long_s[i] = (unsigned)i * 7919u, char_s[i] = short_s[i] = i * 31;"
	for (i = 0; i < functions; i++)
		for (j = 0; j < 4; j++)
			use(i)
	print "\tfor (int i = 0; i < 90000; i++)\n\t\tsum = sum * 31 + char_s[i] + short_s[i] + int_s[i] + long_s[i];"
	print "\tprintf(\"%lu\\n\", sum);\n\treturn 0;\n}"
}
