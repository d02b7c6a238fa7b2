# SPDX-License-Identifier: GPL-3.0-or-later
# What must hold of the figures of a document, computed anew from its samples; shares no code with affinity.
# Each fault is a text. A figure that affinity leaves out is null, and has no fault here unless it should be there.

# ---- numbers

# JSON has 12 digits, and differences of such numbers fewer.
def near($a; $b): if $a == null or $b == null then $a == $b
	else (($a - $b) | fabs) <= 1e-8 * ([($a | fabs), ($b | fabs)] | max) + 1e-21 end;

def equal($what; $found; $expected): if near($found; $expected) then empty
	else "\($what) is \($found), not \($expected)" end;

def same($what; $found; $expected): if $found == $expected then empty
	else "\($what) is \($found | tojson), not \($expected | tojson)" end;

def mean: if length == 0 then null else add / length end;

def middle: sort | length as $n | if $n == 0 then null
	elif $n % 2 == 1 then .[($n - 1) / 2] else (.[$n / 2 - 1] + .[$n / 2]) / 2 end;

def deviation: mean as $m | length as $n | if $n < 2 then 0
	else (map(. - $m | . * .) | add / ($n - 1) | sqrt) end;

# The part of Student's t with n degrees of freedom within +-t (Abramowitz and Stegun 26.7.3 and 26.7.4).
def within_t($t; $n): ($t / ($n | sqrt) | atan) as $a | ($a | cos) as $c | ($a | sin) as $s |
	if $n % 2 == 1 then
		(if $n == 1 then 0 else
			reduce range(1; ($n - 1) / 2) as $k ([$c, $c];
				(.[0] * $c * $c * 2 * $k / (2 * $k + 1)) as $term | [$term, .[1] + $term]) | .[1]
		end) as $sum | ($a + $s * $sum) * 2 / (1 | atan * 4)
	else
		reduce range(1; $n / 2) as $k ([1, 1];
			(.[0] * $c * $c * (2 * $k - 1) / (2 * $k)) as $term | [$term, .[1] + $term]) | $s * .[1]
	end;

# The probability that at most k of n tosses of a coin are heads.
def tosses($k; $n): reduce range(0; $k + 1) as $i ({term: pow(0.5; $n), sum: 0};
	.sum += .term | .term *= ($n - $i) / ($i + 1)) | .sum;

# The numbers of the smallest and the largest sample, from 1, between which the median lies.
def median_places($n; $confidence): ((1 - $confidence) / 2) as $tail |
	[range(0; ($n / 2 | floor)) | select(tosses(.; $n) <= $tail) | . + 1] | max |
	if . == null then null else [., $n - . + 1] end;

# ---- a statistic of samples, and its interval

def statistic($method): if length == 0 then null elif $method.statistic == "median" then middle
	elif $method.statistic == "min" then min else mean end;

def interval_faults($what; $samples; $low; $high; $method): ($samples | length) as $n |
	if $method.statistic == "min" or $n < 2 then select($low != null or $high != null) | "\($what) has an interval"
	elif $method.statistic == "median" then
		(if $n > 1000 then null else median_places($n; $method.confidence) end) as $places |
		if $n > 1000 then empty
		elif $places == null then select($low != null) | "\($what) has an interval of \($n) samples"
		else ($samples | sort) as $sorted |
			equal("\($what) from"; $low; $sorted[$places[0] - 1]),
			equal("\($what) to"; $high; $sorted[$places[1] - 1])
		end
	else ($samples | mean) as $m | ($samples | deviation) as $sd |
		if $low == null or $high == null then "\($what) has no interval"
		elif (($low + $high) / 2 - $m | fabs) > 1e-8 * ([$m, $high - $m] | max)
		then "\($what) is not in the middle of its interval"
		elif $sd <= 1e-7 * $m or $n > 2000 then empty
		else within_t(($high - $low) / 2 * ($n | sqrt) / $sd; $n - 1) as $found |
			select(($found - $method.confidence | fabs) > 1e-5) |
			"\($what): the interval covers \($found), not \($method.confidence)"
		end
	end;

# A rate has the inverse interval of the times that it is made of, and none where that one reaches 0.
def rate_interval_faults($what; $amount; $samples; $method): ($samples | mean) as $m | ($samples | deviation) as $sd |
	if ($amount.low == null) != ($amount.high == null) then "\($what) has half an interval"
	elif $amount.low != null then interval_faults($what; $samples; 1 / $amount.high; 1 / $amount.low; $method)
	elif $method.statistic != "mean" then interval_faults($what; $samples; null; null; $method)
	else ($samples | length) as $n | select($n > 1) |
		select($sd <= 1e-7 * $m or within_t($m * ($n | sqrt) / $sd; $n - 1) > $method.confidence + 1e-5) |
		"\($what) has no interval" end;

# An interval contains its value.
def amount_faults($what; $amount): select($amount.value != null and $amount.low != null and $amount.high != null) |
	$amount | select(.low > .value * (1 + 1e-9 * (.value | if . < 0 then -1 else 1 end)) or
		.high < .value * (1 - 1e-9 * (.value | if . < 0 then -1 else 1 end))) |
	"\($what): \(.value) is outside of \(.low) .. \(.high)";

def half: if .low == null or .high == null then null else (.high - .low) / 2 end;
def around($value; $half): if $half == null then {value: $value, low: null, high: null}
	else {value: $value, low: ($value - $half), high: ($value + $half)} end;

# The sum of independent figures: squares of half intervals add (JCGM 100:2008, 5.1.2).
def sum_of: if any(.value == null) then {value: null, low: null, high: null}
	else around(map(.value) | add; if any(half == null) then null else (map(half | . * .) | add | sqrt) end) end;

# A ratio, on the scale of logarithms, each side by itself (Zou and Donner, 2008).
def hypot($x; $y): $x * $x + $y * $y | sqrt;
def down: (.value - .low) / .value;
def up: (.high - .value) / .value;
def ratio_of($a; $b): if $a.value == null or $b.value == null or $b.value == 0 then {value: null, low: null, high: null}
	elif ($a | half) == null or ($b | half) == null then {value: ($a.value / $b.value), low: null, high: null}
	else ($a.value / $b.value) as $r | {value: $r,
		low: ($r * (- hypot($a | down; $b | up) | exp)), high: ($r * (hypot($a | up; $b | down) | exp))} |
		map_values(if fabs > 1e300 then null else . end) end;

# Like equal(), for a figure with its interval; an interval of 12 digits out of much larger numbers is less exact.
def ends_near($a; $b; $scale): if $a == null or $b == null then $a == $b
	else (($a - $b) | fabs) <= 1e-6 * ([($a | fabs), ($b | fabs), ($scale | fabs)] | max) + 1e-21 end;
def equal_amount($what; $found; $expected): equal($what; $found.value; $expected.value),
	(select($found.value != null) | select((ends_near($found.low; $expected.low; $found.value) and
		ends_near($found.high; $expected.high; $found.value)) | not) |
		"\($what) is from \($found.low) to \($found.high), not from \($expected.low) to \($expected.high)");

# ---- one thread in one operation

def timed: map(select(.warmup | not));

def outliers: middle as $m | (map(. - $m | fabs) | middle) as $mad |
	if $mad == 0 then 0 else map(select(0.6745 * (. - $m | fabs) > 3.5 * $mad)) | length end;

def sample_faults($at; $method; $bound):
	(if $method.mode == "time" then equal("\($at) cost_s"; .cost_s; .busy_s / .units)
	else select(.cost_s < .busy_s - 1e-12) | "\($at) costs \(.cost_s) s and is busy for \(.busy_s) s" end),
	(select(.busy_s < 0 or .units < 0 or .calls < 0) | "\($at) has a figure below 0"),
	(select($bound != null and .cpu_after != $bound and (.disturbed_flags % 2) == 0) |
		"\($at) is on CPU \(.cpu_after), not on \($bound), and is not marked");

def overlaps($k): [.threads[].samples] | transpose | map(select(.[0].warmup | not) |
	(map(.cost_s) | min) as $stop | (map(.cost_s - .busy_s) | max) as $from |
	if .[$k].busy_s == 0 then null elif $stop <= $from then 0 else ($stop - $from) / .[$k].busy_s end);

def rates_faults($at):
	(if .ns_per_unit == null then select(.units_per_s != null) | "\($at) has a rate without a time"
	else equal("\($at) units_per_s"; .units_per_s; 1e9 / .ns_per_unit) end),
	(select(.bytes_per_s != null and .traffic_bytes_per_s != null and
		.traffic_bytes_per_s < .bytes_per_s * (1 - 1e-9)) | "\($at) has less traffic than bytes"),
	(select(.min_s > .median_s or .median_s > .max_s or .min_s > .mean_s * (1 + 1e-9) or
		.mean_s > .max_s * (1 + 1e-9)) | "\($at): min_s, median_s, mean_s and max_s are not in order");

def figures_faults($at; $all; $method): ($all | timed) as $timed | ($timed | map(.cost_s)) as $costs | .figures |
	if . == null then select(($costs | length) > 0 and ($costs | all(. != null))) | "\($at) has samples and no figures"
	elif ($costs | length) == 0 then "\($at) has figures without samples"
	elif ($costs | any(. == null)) then "\($at) has figures of samples without a cost"
	else ($costs | mean) as $mean | ($costs | deviation) as $sd | ($costs | middle) as $median |
		same("\($at) n"; .n; $costs | length),
		equal("\($at) cost_s"; .cost_s; $costs | statistic($method)),
		(($timed | group_by(.placement) | map(map(.cost_s) | statistic($method))) as $each | .by_placement_s as $found |
			if ($found | type) != "array" or ($found | length) != ($each | length) then "\($at) by_placement_s is wrong"
			else range(0; $each | length) as $i | equal("\($at) by_placement_s"; $found[$i]; $each[$i]) end),
		equal("\($at) mean_s"; .mean_s; $mean), equal("\($at) median_s"; .median_s; $median),
		equal("\($at) min_s"; .min_s; $costs | min), equal("\($at) max_s"; .max_s; $costs | max),
		(select((.sd_s - $sd | fabs) > 1e-6 * $sd + 1e-8 * $mean) | "\($at) sd_s is \(.sd_s), not \($sd)"),
		(select((.mad_s - ($costs | map(. - $median | fabs) | middle) | fabs) > 1e-8 * $median) | "\($at) mad_s is wrong"),
		(select((.cv - .sd_s / .mean_s | fabs) > 1e-8) | "\($at) cv is \(.cv), not sd_s / mean_s"),
		(select((.outliers - ($costs | outliers) | fabs) > 0) | "\($at) outliers is \(.outliers), not \($costs | outliers)"),
		interval_faults("\($at) cost_s"; $costs; .low_s; .high_s; $method),
		equal("\($at) busy_s"; .busy_s; $timed | map(.busy_s) | statistic($method)),
		equal("\($at) units"; .units; $timed | map(.units) | mean),
		equal("\($at) calls"; .calls; $timed | map(.calls) | mean),
		equal("\($at) ns_per_unit"; .ns_per_unit;
			if $timed | any(.units == 0) then null
			else $timed | map(.busy_s / .units) | statistic($method) * 1e9 end),
		rates_faults($at)
	end;

# ---- one operation

def lost: if .run_delay_ns < 0 then null elif .run_delay_ns + .steal_ns == 0 then 0
	else (.run_delay_ns + .steal_ns) * 1e-9 / .busy_s end;

def has_flag($bit): (.disturbed_flags / $bit | floor) % 2 == 1;

def tally_faults($at): (.threads[0].samples | timed) as $one |
	([.threads[].samples | timed] | transpose | map(map(lost) | if any(. == null) then null else max end)) as $lost |
	same("\($at) taken"; .samples.taken; $one | length),
	same("\($at) disturbed"; .samples.disturbed; $one | map(select(.disturbed_flags != 0)) | length),
	same("\($at) moved"; .samples.moved; $one | map(select(has_flag(1))) | length),
	same("\($at) preempted"; .samples.preempted; $one | map(select(has_flag(2))) | length),
	same("\($at) blocked"; .samples.blocked; $one | map(select(has_flag(4))) | length),
	same("\($at) page_faults"; .samples.page_faults; $one | map(select(has_flag(8))) | length),
	(select(($lost | length) > 0 and ($lost | all(. != null))) |
		equal("\($at) lost_worst"; .samples.lost_worst; $lost | max),
		equal("\($at) lost_median"; .samples.lost_median; $lost | middle)),
	(select(($one | length) > 0) |
		equal("\($at) skew_max_ns"; .skew_max_ns; $one | map(.skew_ns) | max),
		equal("\($at) skew_median_ns"; .skew_median_ns; $one | map(.skew_ns) | middle));

def alike: [.threads[].unit] | unique | length == 1;

def total_faults($at; $method): [.threads[].figures] as $all |
	if $all | any(. == null) then select(.total_s != null) | "\($at) has a total without the figures of all threads"
	elif $method.mode == "time" and (alike | not) then select(.total_s != null) | "\($at) adds different units"
	else ([.threads[].samples | timed] | transpose | map(map(.cost_s) | if $method.summary == "sum" then add
			elif $method.summary == "min" then min else max end)) as $costs |
		equal("\($at) total_s"; .total_s; $costs | statistic($method)),
		interval_faults("\($at) total_s"; $costs; .total_low_s; .total_high_s; $method) end;

# Seconds of all threads for a unit of `share`, sample by sample; a thread without a share takes no part.
def spans($shares; $method): [.threads[].samples | timed] | transpose | map(
	[range(0; length) as $k | {at: .[$k], share: (.[$k].units * $shares[$k])} | select(.share > 0)] |
	if length == 0 then null
	elif $method.mode == "time" then 1 / (map(.share / .at.busy_s) | add)
	else ((map(.at.cost_s) | max) - (map(.at.cost_s - .at.busy_s) | min)) / (map(.share) | add) end);

def together_rate_faults($at; $what; $shares; $method): .together[$what] as $amount |
	select($amount.value != null) | spans($shares; $method) as $spans |
	if $spans | any(. == null) then "\($at) together \($what) has no samples"
	else equal("\($at) together \($what)"; $amount.value; 1 / ($spans | statistic($method))),
		rate_interval_faults("\($at) together \($what)"; $amount; $spans; $method) end;

# The bytes of a unit, as the thread's own figures say.
def bytes_each: if .figures.bytes_per_s == null then 0 else .figures.bytes_per_s / .figures.units_per_s end;
def traffic_each: if .figures.traffic_bytes_per_s == null then null else .figures.traffic_bytes_per_s / .figures.units_per_s end;

def together_faults($at; $method): [.threads[].samples | timed] as $timed |
	if .together == null then select(.threads | all(.figures != null)) | "\($at) has figures and nothing together"
	elif .threads | any(.figures == null) then empty
	else
		equal("\($at) together busy_s"; .together.busy_s;
			$timed | transpose | map(map(.busy_s) | max) | statistic($method)),
		(if alike and .threads[0].figures.ns_per_unit != null then
			($timed | transpose | map((map(.busy_s) | add) / (map(.units) | add) * 1e9)) as $each |
			equal("\($at) together ns_per_unit"; .together.ns_per_unit.value; $each | statistic($method)),
			interval_faults("\($at) together ns_per_unit"; $each; .together.ns_per_unit.low; .together.ns_per_unit.high; $method)
		else select(.together.ns_per_unit.value != null and (alike | not)) |
			"\($at) together divides by different units" end),
		(select(alike) | together_rate_faults($at; "units_per_s"; [.threads[] | 1]; $method)),
		together_rate_faults($at; "bytes_per_s"; [.threads[] | bytes_each]; $method),
		([.threads[] | traffic_each] as $shares | select($shares | all(. != null)) |
			together_rate_faults($at; "traffic_bytes_per_s"; $shares; $method)),
		(.together | to_entries[] | select(.value | type == "object") | amount_faults("\($at) together \(.key)"; .value))
	end;

def operation_faults($at; $method; $threads):
	(range(0; .threads | length) as $k | .threads[$k] as $job | "\($at) thread \($k)" as $where | $job |
		figures_faults($where; .samples; $method),
		(range(0; .samples | length) as $i | .samples[$i] |
			sample_faults("\($where) sample \($i)"; $method; $threads[$k].cpu))),
	(range(0; .threads | length) as $k | select($method.mode == "work") |
		select(.threads[$k].figures != null and .threads[$k].figures.overlap != null) |
		overlaps($k) as $parts | select($parts | all(. != null)) |
		select((.threads[$k].figures.overlap - ($parts | middle) | fabs) > 1e-5) |
		"\($at) thread \($k) overlap is \(.threads[$k].figures.overlap), not \($parts | middle)"),
	(range(0; .threads | length) as $k | same("\($at) thread"; .threads[$k].thread; $k)),
	(select((.threads | map(.samples | length) | unique | length) > 1) | "\($at): threads have different numbers of samples"),
	tally_faults($at), total_faults($at; $method), together_faults($at; $method),
	(select(.ended_by == "numIter" and .samples.taken != $method.iterations and $method.target_error == 0) |
		"\($at) has \(.samples.taken) samples and numIter \($method.iterations)");
