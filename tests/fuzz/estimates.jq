# SPDX-License-Identifier: GPL-3.0-or-later
# Statistics, their intervals and ratios of them, computed anew; shares no code with affinity.
# A figure that affinity leaves out is null, and has no fault here unless it should be there.

# ---- numbers

# JSON has 12 digits, and differences of such numbers fewer.
def near($a; $b): if $a == null or $b == null then $a == $b
	else (($a - $b) | fabs) <= 1e-8 * ([($a | fabs), ($b | fabs)] | max) + 1e-21 end;

def equal($what; $found; $expected): if near($found; $expected) then empty
	else "\($what) is \($found), not \($expected)" end;

def same($what; $found; $expected): if $found == $expected then empty
	else "\($what) is \($found | tojson), not \($expected | tojson)" end;

# What JSON cannot hold is null.
def finite: if . == null or isnan or isinfinite then null else . end;

def mean: if length == 0 then null else add / length end;

def middle: sort | length as $n | if $n == 0 then null
	elif $n % 2 == 1 then .[($n - 1) / 2] else (.[$n / 2 - 1] + .[$n / 2]) / 2 end;

def squares: mean as $m | map(. - $m | . * .) | add;
def variance: if length < 2 then 0 else squares / (length - 1) end;
def deviation: variance | sqrt;

# ---- Student's t

# The incomplete beta function (Abramowitz and Stegun 26.5.4).
def beta_part($x; $a; $b): {term: 1, sum: 1, k: 0} | until(.term <= 1e-17 * .sum;
		.term *= ($a + $b + .k) / ($a + 1 + .k) * $x | .sum += .term | .k += 1) |
	.sum * (($a + $b | lgamma) - ($a + 1 | lgamma) - ($b | lgamma) + $a * ($x | log) + $b * (1 - $x | log) | exp);

# The part of the distribution with n degrees of freedom within +-t (26.5.27).
def within_t($t; $n): ($t * $t / ($n + $t * $t)) as $x | if $x == 0 then 0
	elif $x < 0.5 then beta_part($x; 0.5; $n / 2) else 1 - beta_part($n / ($n + $t * $t); $n / 2; 0.5) end;

def density_t($t; $n): (($n + 1) / 2 | lgamma) - ($n / 2 | lgamma) - ($n + 1) / 2 * (1 + $t * $t / $n | log) | exp /
	($n * 4 * (1 | atan) | sqrt);

# The t within which this part is: Newton's method from 0 never goes beyond it.
def newton_t($part; $n): {t: 0, step: 1, i: 0} | until((.step | fabs) <= 1e-12 * .t or .i > 200;
	.step = ($part - within_t(.t; $n)) / (2 * density_t(.t; $n)) | .t += .step | .i += 1) | .t;

# Most of a judgement's time was Newton's: the usual ones are in students_t.json, by confidence and n - 1.
def usual_t: $students_t[0];
def t_of($part; $n): usual_t["\($part)"][$n - 1 | if . == floor and . >= 0 then . else 1000000 end] // newton_t($part; $n);

# ---- an interval of samples

# The probability of k heads in n tosses of a coin.
def heads($k; $n): ($n + 1 | lgamma) - ($k + 1 | lgamma) - ($n - $k + 1 | lgamma) - $n * (2 | log) | exp;

# How many of n samples, sorted, are left out at each end of the median's interval, and one; 0: it has none. Ties of
# few tosses must be exact.
def median_place($n; $confidence): ((1 - $confidence) / 2 * (1 + 1e-9)) as $tail |
	{k: 0, sum: 0, term: pow(0.5; $n)} |
	until(.k >= $n / 2 or .sum + (if $n > 60 then heads(.k; $n) else .term end) > $tail;
		.sum += (if $n > 60 then heads(.k; $n) else .term end) | .term *= ($n - .k) / (.k + 1) | .k += 1) |
	[.k, ($n / 2 | floor)] | min;

def statistic($method): if length == 0 then null elif $method.statistic == "median" then middle
	elif $method.statistic == "min" then min else mean end;

def around($value; $half): if $half == null then {value: $value, low: null, high: null}
	else {value: $value, low: ($value - $half), high: ($value + $half)} end;

# An interval of which half is a thousand times the figure says nothing.
def says_nothing: .low != null and .high != null and .high - .low > 2000 * (.value | fabs);
def said: if .value != null and says_nothing then .low = null | .high = null else . end;

# Sampling that ends as soon as the mean's interval is narrow needs a wider one.
def watched($method; $is): if $is then 1 - (1 - $method.confidence) * 0.6 else $method.confidence end;
def confidence($method): watched($method; $method.target_error > 0 and $method.statistic == "mean");

def interval($method): length as $n | statistic($method) as $value |
	if $method.statistic == "min" or $n < 2 then around($value; null)
	elif $method.statistic == "median" then median_place($n; confidence($method)) as $at |
		if $at == 0 then around($value; null)
		else sort as $sorted | {value: $value, low: $sorted[$at - 1], high: $sorted[$n - $at]} end
	else around($value; t_of(confidence($method); $n - 1) * deviation / ($n | sqrt)) | said end;

# ---- an interval of placements, on the scale of logarithms

def positive: all(. > 0);

def of_logs($mean; $se; $df; $confidence): {value: ($mean | exp)} +
	if $df == null then {low: null, high: null}
	else (t_of($confidence; $df) * $se) as $half | {low: ($mean - $half | exp), high: ($mean + $half | exp)} end | said;

# With what figures of this kind know from each other (`families` of the method); null: nothing.
def kind($name): . + {kin: (.families[$name] // null)};

# Of logarithms that have a variance of their own, or share one.
def of_placements($kin; $confidence): (length - 1) as $d | variance as $own |
	if $kin == null or ($kin.shared | not) then of_logs(mean; $own / length | sqrt; $d; $confidence)
	else ($kin.sd * $kin.sd) as $common | (if $kin.df == null then $common else ($kin.df * $common + $d * $own) / ($kin.df + $d) end) as $v |
		of_logs(mean; $v / length | sqrt; if $kin.df == null then $kin.most_df else [$kin.df + $d, $kin.most_df] | min end;
			$confidence) end;

def over_placements($method): if positive | not then around(mean; null)
	else map(log) | of_placements($method.kin; watched($method; $method.placements_most > $method.placements)) end;

# `as` is in parentheses, because jq 1.8 binds all that stands before it.
# The interval of a mean of n samples is left out if its half is narrower than what rare slow samples may add, and than
# the error that they give to such a mean.
def narrowed($method; $n): if $method.statistic == "mean" and $method.kin.rare != null and .low != null and
	(((.high - .low) / 2 / .value) as $error | $error < $method.kin.rare and $error < ($method.kin.rare_error // infinite) / ($n | sqrt))
	then .low = null | .high = null | .hidden = true else . end;

# ---- distances to the ends of an interval, on the scale of logarithms

def hypot($x; $y): $x * $x + $y * $y | sqrt;
def down: (.value - .low) / .value;
def up: (.high - .value) / .value;

# ---- estimates

def each_placement($method): group_by(.placement) | map(map(.v) | statistic($method));

# From {v, placement, hit} of each sample; null: a sample has no value. each: of every placement.
def estimate($method): if length == 0 or any(.v == null) then null
	else length as $n | each_placement($method) as $each |
		(if ($each | length) > 1 then $each | over_placements($method) else map(.v) | interval($method) end | narrowed($method; $n)) +
			{each: $each, moved: 0, unsure: 0} end;

# Its value alone.
def estimated($method): if length == 0 or any(.v == null) then null
	else each_placement($method) | if length == 1 then .[0] elif positive then map(log) | mean | exp else mean end end;

# What undisturbed samples cost over all, each over the figure of its placement: as a logarithm and with half the interval.
def single($method; $df): map(.of - 1 | fabs) | if $method.statistic == "median"
	then 1.4826 * middle * (length / $df | sqrt) * 1.2533 else (map(. * .) | add / $df | sqrt) end;
def unsure($method; $placements): . as $all | (length - $placements) as $df | ([1, (map(select(.hit | not)) | length)] | max) as $left |
	if $df <= 0 then infinite
	else t_of($method.confidence; $df) * ($all | single($method; $df)) * (1 / $left - 1 / length | if . < 0 then 0 else . end | sqrt) end;
def related($each): group_by(.placement) | [range(0; length) as $p | .[$p][] | . + {of: (.v / $each[$p])}];

# Reaches over both if more than a twentieth is disturbed, but no further than samples do; alone: the undisturbed ones' value.
def widened($method): estimate($method) as $x | if $x == null then null
	elif any($x.each[]; . == 0) then $x + {alone: null}
	else (map(.v) | min) as $least | (map(.v) | max) as $most | related($x.each) |
		(if all(.hit) then 1 else (map(select(.hit | not).of) | statistic($method)) / (map(.of) | statistic($method)) end) as $moved |
		$x + {alone: (if all(.hit) then null else $x.value * $moved end)} +
		if (map(select(.hit)) | length) <= 0.05 * length or $x.low == null or $moved <= 0 or $method.statistic == "min" then {}
		else ([unsure($method; $x.each | length), if $least > 0 then $most / $least | log else infinite end] | min) as $unsure |
			{moved: ($moved | log), unsure: $unsure,
				low: ([$x.low, ([$x.value * $moved * (- hypot($x | down; $unsure) | exp), $least] | max)] | min),
				high: ([$x.high, ([$x.value * $moved * (hypot($x | up; $unsure) | exp), $most] | min)] | max)} end
	end;

def half: if .low == null or .high == null then null else (.high - .low) / 2 end;

# The sum of independent figures: squares of half intervals add (JCGM 100:2008, 5.1.2). Of figures of the same time, they do.
def sum_of($same_time): if any(. == null) then null
	else (map(.each | length) | min) as $n |
		around(map(.value) | add; if any(half == null) then null
			elif $same_time then (map(half) | add) else (map(half | . * .) | add | sqrt) end) +
		((map(.value) | add) as $all | map(.value / (if $all > 0 then $all else 1 end)) as $shares | {hidden: any(.hidden),
			moved: ([range(0; length) as $i | $shares[$i] * .[$i].moved] | add),
			unsure: ([range(0; length) as $i | $shares[$i] * .[$i].unsure] | add),
			each: [range(0; $n) as $i | map(.each[$i]) | add]}) end;

# ---- ratios

# Each side by itself, on the scale of logarithms (Zou and Donner, 2008).
def ratio_of($a; $b): if $b.value == 0 then around(null; null)
	elif ($a | half) == null or ($b | half) == null or $a.value == 0 then around($a.value / $b.value; null)
	else ($a.value / $b.value) as $r | {value: $r,
		low: ($r * (- hypot($a | down; $b | up) | exp)), high: ($r * (hypot($a | up; $b | down) | exp))} | said end;

# Of pairs of placements.
def paired_ratio($a; $b; $kin; $confidence): [$a, $b] | transpose | map((.[0] | log) - (.[1] | log)) |
	if length > 1 then of_placements($kin; $confidence) else of_logs(mean; 0; null; $confidence) end;

# Of placements without pairs (Welch).
def welch_ratio($a; $b; $confidence): [$a, $b] | map(map(log) | {mean: mean, n: length, v: (variance / length)}) |
	(.[0].v + .[1].v) as $sum | of_logs(.[0].mean - .[1].mean; $sum | sqrt;
		if any(.n < 2) then null elif $sum == 0 then 1 else $sum * $sum / (map(.v * .v / (.n - 1)) | add) end; $confidence);

# What is not sure of a and b because of disturbed samples is not sure of their ratio.
def moved($a; $b): if .low == null or .high == null then .
	else hypot($a.unsure; $b.unsure) as $unsure | .value as $v |
		.low = $v * (- hypot($v / .low | log; $unsure) - ([0, - $a.moved] | max) - ([0, $b.moved] | max) | exp) |
		.high = $v * (hypot(.high / $v | log; $unsure) + ([0, $a.moved] | max) + ([0, - $b.moved] | max) | exp) | said end;

def ratio($a; $b; $paired; $kin; $confidence): if $a == null or $b == null then around(null; null)
	else ratio_of($a; $b) as $plain | ($a.each | length) as $n | ($b.each | length) as $m |
		if $a.hidden or $b.hidden then around($plain.value; null)
		elif ($n == 1 and $m == 1) or $plain.value == null then $plain
		else (if (($a.each + $b.each) | positive | not) then around($plain.value; null)
			elif $paired and $n == $m then paired_ratio($a.each; $b.each; $kin; $confidence)
			else welch_ratio($a.each; $b.each; $confidence) end) |
			moved($a; $b)
		end
	end;

# ---- comparing

# An end is as exact as its distance from the value, and 12 digits.
def end_near($found; $limit; $x): ($limit | finite) as $limit | if $found == null or $limit == null then $found == $limit
	else ($found - $limit | fabs) <= 1e-6 * ($limit - $x.value | fabs) + 1e-10 * ([($x.value | fabs), ($limit | fabs)] | max) + 1e-21 end;

def equal_ends($what; $low; $high; $x): select((end_near($low; $x.low; $x) and end_near($high; $x.high; $x)) | not) |
	"\($what) is from \($low) to \($high), not from \($x.low) to \($x.high)";

def equal_amount($what; $found; $x): ($x // around(null; null)) as $x | equal($what; $found.value; $x.value | finite),
	(select($found.value != null) | equal_ends($what; $found.low; $found.high; $x));

# A rate has the inverse interval of the times that it is made of, and none where that one reaches 0.
def equal_rate($what; $rate; $x): equal($what; $rate.value; 1 / $x.value),
	(if $rate.low == null and $rate.high == null then
		select($x.low != null and $x.low > 1e-9 * $x.value and
			1 / $x.low - 1 / $x.high < 1999 / $x.value) | "\($what) has no interval"
	elif $rate.low == null or $rate.high == null then "\($what) has half an interval"
	else equal_ends("\($what), inverse,"; 1 / $rate.high; 1 / $rate.low; $x) end);

# An interval contains its value.
def amount_faults($what; $amount): select($amount.value != null and $amount.low != null and $amount.high != null) |
	$amount | select(.low > .value * (1 + 1e-9 * (.value | if . < 0 then -1 else 1 end)) or
		.high < .value * (1 - 1e-9 * (.value | if . < 0 then -1 else 1 end))) |
	"\($what): \(.value) is outside of \(.low) .. \(.high)";
