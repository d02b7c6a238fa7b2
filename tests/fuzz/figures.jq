# SPDX-License-Identifier: GPL-3.0-or-later
# What must hold of the figures of a document, computed anew from its samples; shares no code with affinity.
# Each fault is a text. A figure that affinity leaves out is null, and has no fault here unless it should be there.

# ---- what figures are made of

def timed: map(select(.warmup | not));

def has_flag($bit): (.disturbed_flags / $bit | floor) % 2 == 1;

# A thread that waits for the system by itself is not disturbed.
def hit: has_flag(1) or has_flag(2) or has_flag(8) or has_flag(16) or has_flag(64);

def unknown: has_flag(1) or has_flag(16);

# Of the samples that f leaves: costs, times and units of a round, less the time that was lost.
def own_of($method; f): (if .calibrated then .passes else 1 end) as $rounds | .samples | f | map(
	(.busy_s - .lost_s) as $spent | {placement, hit: hit, unknown: unknown, lost_s, units, calls, spent: $spent,
	from: (.cost_s - .busy_s - .lost_before_s),
	cost: (.cost_s - .lost_s - .lost_before_s), busy: ($spent / $rounds), round_units: (.units / $rounds),
	unit: (if .units == 0 then null else $spent / .units end)} |
	.cost = (if $method.mode == "time" then .unit else .cost / $rounds end));
def own($method): own_of($method; timed);

# The first samples of placements, where they are warm-up.
def first_cost($method): own_of($method; group_by(.placement) | map(.[0] | select(.warmup))) | map(.cost) |
	if length == 0 or any(. == null or . <= 0) then null else map(log) | mean | exp end;

# A minimum is that of samples whose loss is known.
def counted($method): if $method.statistic == "min" then map(select(.unknown | not)) else . end;

# Calls that do nothing know nothing from each other.
def unless_nothing($threads): if $threads | all(.kernel == "null") then .kin = null else . end;

# Of all threads together in each sample, f's input; f is null where it has no value.
def together_estimate($method; f): .threads as $threads | [.threads[] | own($method)] | transpose |
	map({v: f, placement: .[0].placement, hit: .[0].hit, unknown: .[0].unknown}) | counted($method) |
	widened($method | unless_nothing($threads));

def alike: [.threads[].unit] | unique | length == 1;

def thread_cost($method): if . == null then null else [.] as $thread | own($method) | map({v: .cost, placement, hit, unknown}) |
	counted($method) | widened($method | kind("cost") | unless_nothing($thread)) end;

def total_cost($method): if . == null or ($method.mode == "time" and (alike | not)) then null
	else together_estimate($method | kind("total"); map(.cost) | if any(. == null) then null elif $method.summary == "sum" then add
		elif $method.summary == "mean" then add / length
		elif $method.summary == "min" then min else max end) end;

# ---- one thread in one operation

# Costs less lost time are differences of seconds, which are not exact: nearly no deviation is none.
def outliers: middle as $m | (map(. - $m | fabs) | middle) as $mad |
	if $mad <= 1e-9 * $m then 0 else map(select(0.6745 * (. - $m | fabs) > 3.5 * $mad)) | length end;

# In nanoseconds, because sums of seconds are not exact. A thread that waits by itself has no CPU either. One that worked
# did not lose all its time.
def lost_ns: (.busy_s * 1e9 | round) as $busy | ([.run_delay_ns, 0] | max) as $delay |
	[if .off_cpu_ns < 0 then $delay elif .blocked > 0 then [.off_cpu_ns, $delay + .steal_ns] | min else .off_cpu_ns end, $delay, 0] |
	first(.[] | select(. < $busy)) // 0;

def takes_turns($k): .[$k].cpu as $cpu | del(.[$k]) | any(.[]; $cpu == null or .cpu == null or .cpu == $cpu);

# $turns: other threads of the run may have had the CPU before it began, which is no loss. $sleep: what it slept first.
def sample_faults($at; $method; $bound; $turns; $sleep):
	(if $method.mode == "time" then equal("\($at) cost_s"; .cost_s; if .units == 0 then null else .busy_s / .units end)
	else (select(.cost_s < .busy_s - 1e-12) | "\($at) costs \(.cost_s) s and is busy for \(.busy_s) s"),
		(select(.lost_before_s > 0 and (.cost_s - .busy_s - .lost_before_s - $sleep | if $turns and . > 0 then 0 else fabs end) >
			1e-9 + 1e-11 * .cost_s) |
			"\($at) lost_before_s is \(.lost_before_s) and begins after \(.cost_s - .busy_s)") end),
	equal("\($at) lost_s"; .lost_s; lost_ns * 1e-9),
	(select(.busy_s < 0 or .units < 0 or .calls < 0 or .lost_before_s < 0) | "\($at) has a figure below 0"),
	(select($bound != null and .cpu_after != $bound and (has_flag(1) | not)) |
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

def costs_faults($at; $costs): ($costs | mean) as $mean | ($costs | deviation) as $sd | ($costs | middle) as $median |
	same("\($at) n"; .n; $costs | length),
	equal("\($at) mean_s"; .mean_s; $mean), equal("\($at) median_s"; .median_s; $median),
	equal("\($at) min_s"; .min_s; $costs | min), equal("\($at) max_s"; .max_s; $costs | max),
	(select((.sd_s - $sd | fabs) > 1e-6 * $sd + 1e-8 * $mean) | "\($at) sd_s is \(.sd_s), not \($sd)"),
	(select((.mad_s - ($costs | map(. - $median | fabs) | middle) | fabs) > 1e-8 * $median) | "\($at) mad_s is wrong"),
	(select((.cv - .sd_s / .mean_s | fabs) > 1e-8) | "\($at) cv is \(.cv), not sd_s / mean_s"),
	(select((.outliers - ($costs | outliers) | fabs) > 0) | "\($at) outliers is \(.outliers), not \($costs | outliers)");

def figures_faults($at; $method): first_cost($method) as $first | own($method) as $all | ($all | counted($method)) as $own | thread_cost($method) as $cost |
	($own | map({v: .busy, placement}) | estimated($method)) as $busy |
	($own | map({v: .unit, placement}) | estimated($method)) as $each | .figures |
	if . == null then select($cost != null) | "\($at) has samples and no figures"
	elif ($own | length) == 0 then "\($at) has figures without samples"
	elif $cost == null then "\($at) has figures of samples without a cost"
	else
		equal_amount("\($at) cost_s"; {value: .cost_s, low: .low_s, high: .high_s}; $cost),
		equal("\($at) undisturbed_s"; .undisturbed_s; $cost.alone), equal("\($at) first_s"; .first_s; $first),
		(.by_placement_s as $found |
			if ($found | type) != "array" or ($found | length) != ($cost.each | length) then "\($at) by_placement_s is wrong"
			else range(0; $found | length) as $i | equal("\($at) by_placement_s"; $found[$i]; $cost.each[$i]) end),
		# equal to the digits of the document is not always equal
		(.spread as $found | $cost.each | if length < 2 then null elif min == max then
			(if $found != null and ($found | fabs) < 1e-11 then $found else 0 end)
			elif min == 0 then null else max / min - 1 end | equal("\($at) spread"; $found; .)),
		costs_faults($at; $own | map(.cost)),
		equal("\($at) busy_s"; .busy_s; $busy),
		(select(.busy) | equal("\($at) busy"; .busy.value; .busy_s), equal("\($at) first"; .first.value; .first_s),
			equal("\($at) unit_time"; .unit_time.value; .ns_per_unit | if . then . / 1e9 else null end)),
		equal("\($at) units"; .units; $all | map(.round_units) | mean),
		equal("\($at) calls"; .calls; $all | map(.calls) | mean),
		equal("\($at) ns_per_unit"; .ns_per_unit; if $each == null then null else $each * 1e9 end),
		rates_faults($at)
	end;

# A fiftieth beside the middle is a change.
def clock_faults($at; $method): (.samples | timed) as $timed | ($timed | map(.clock_before_hz, .clock_after_hz)) as $rates |
	if ($rates | length) == 0 or ($rates | any(. == null)) then select(.clock != null) | "\($at) has clock rates of nothing"
	elif .clock == null then "\($at) has no clock rates, and its samples have"
	else ($rates | middle) as $middle | own($method) as $own | .clock |
		equal("\($at) clock min_hz"; .min_hz; $rates | min), equal("\($at) clock max_hz"; .max_hz; $rates | max),
		equal("\($at) clock median_hz"; .median_hz; $middle),
		equal("\($at) clock changed"; .changed;
			($rates | map(select((. / $middle - 1 | fabs) > 0.02)) | length) / ($rates | length)),
		equal("\($at) cycles_per_unit"; .cycles_per_unit; if $own | any(.unit == null) then null
			else [range(0; $own | length) as $i | {v: ($own[$i].unit * ($rates[2 * $i] + $rates[2 * $i + 1]) / 2),
				placement: $own[$i].placement, unknown: $own[$i].unknown}] | counted($method) | estimated($method) end)
	end;

# ---- figures that kernels have of their own: counts, which can be 0

def own_estimate($method): if length == 0 or any(.v == null) then null
	else each_placement($method) as $each | if ($each | length) < 2 then map(.v) | interval($method)
		else $each | around(mean; t_of($method.confidence; length - 1) * deviation / (length | sqrt)) | said end end;

def kernel_figures_faults($at; $method): (.kernel_figures // {}) as $own | . as $job |
	([.samples[].kernel_figures // {} | keys] | unique[] | same("\($at) kernel_figures of a sample"; .; $own | keys)),
	($own | keys[] as $name | equal_amount("\($at) \($name)"; $own[$name];
		$job.samples | timed | map({v: .kernel_figures[$name], placement}) | own_estimate($method)));

# Of all threads that have it: the sum or the mean, as the kernel's table says; of tokens that they do together, the least.
def joined(way): map(.v |= if any(. == null) then null else way end);
def joined_figures_faults($at; $method): (.kernel_figures // {}) as $all | . as $op |
	same("\($at) kernel_figures"; $all | keys; [.threads[].kernel_figures // {} | keys[]] | unique),
	($all | keys[] as $name | [$op.threads[] | select(.kernel_figures | has($name)?) | .samples | timed] | transpose |
		map({v: map(.kernel_figures[$name]), placement: .[0].placement}) |
		[if $name | endswith("tokens_per_s") then joined(min) else joined(add), joined(mean) end | own_estimate($method)] |
		map([equal_amount("\($at) \($name)"; $all[$name]; .)]) | select(all(. != [])) | .[0][]);

# ---- one operation

# The part that was lost of a thread's time, its late start included.
def lost: (.lost_before_s * 1e9) as $late | lost_ns as $lost | if .run_delay_ns < 0 and .off_cpu_ns < 0 then null
	elif $lost + $late <= 0 then 0 else [($lost + $late) / (.busy_s * 1e9 + $late), 1] | min end;

# Waits and page faults are part of an operation that moves pages, and no disturbance.
def moves: any(.threads[]; .kernel_figures // {} | keys | any(endswith("pages_moved")));

# The threads of a sample share its flags.
def flags_faults($at; $threads; $moves): map(.disturbed_flags) as $flags | . as $all |
	same("\($at) flags of all threads"; $flags | unique | length; 1),
	same("\($at) is moved"; .[0] | has_flag(1); any(range(0; length); . as $k | $threads[$k].cpu as $cpu | $all[$k] |
		$cpu != null and (.cpu_before != $cpu or .cpu_after != $cpu or .migrations > 0))),
	same("\($at) is blocked"; .[0] | has_flag(4); ($moves | not) and any(.blocked > 0)),
	same("\($at) met page faults"; .[0] | has_flag(8); ($moves | not) and any(.page_faults > 0)),
	(select((.[0] | has_flag(2)) and all(lost != null and lost == 0)) | "\($at) is preempted and lost nothing"),
	same("\($at) throttled_ns of all threads"; map(.throttled_ns) | unique | length; 1),
	(select((.[0].throttled_ns > 0) and (.[0] | has_flag(32) | not)) | "\($at) was throttled and is not marked"),
	same("\($at) skew_ns of all threads"; map(.skew_ns) | unique | length; 1);

# Above a half, or with fewer than 5 undisturbed samples of at least so many, an operation is measured again.
def again: length as $n | (map(select(hit)) | length) as $hits |
	$hits > 0 and ($hits > 0.5 * $n or ($n >= 5 and $n - $hits < 5));

def tally_faults($at): (.threads[0].samples | timed) as $one |
	([.threads[].samples | timed] | transpose | map(map(lost) | if any(. == null) then null else max end)) as $lost |
	same("\($at) taken"; .samples.taken; $one | length),
	same("\($at) disturbed"; .samples.disturbed; $one | map(select(.disturbed_flags != 0)) | length),
	same("\($at) measure_again"; .samples.measure_again; $one | again),
	([["moved", 1], ["preempted", 2], ["blocked", 4], ["page_faults", 8], ["taken_away", 16], ["throttled", 32],
		["busy_sibling", 64]][] as $flag |
		same("\($at) \($flag[0])"; .samples[$flag[0]]; $one | map(select(has_flag($flag[1]))) | length)),
	(select(($lost | length) > 0 and ($lost | all(. != null))) |
		equal("\($at) lost_worst"; .samples.lost_worst; $lost | max),
		equal("\($at) lost_median"; .samples.lost_median; $lost | middle)),
	(select(($one | length) > 0) |
		equal("\($at) skew_max_ns"; .skew_max_ns; $one | map(.skew_ns) | max),
		equal("\($at) skew_median_ns"; .skew_median_ns; $one | map(.skew_ns) | middle));

def total_faults($at; $method):
	equal_amount("\($at) total_s"; {value: .total_s, low: .total_low_s, high: .total_high_s}; total_cost($method));

# Seconds of all threads for a unit of `share` in a sample; a thread without a share takes no part, and what a thread
# lost did not pass for it.
def passed($shares; $method): [range(0; length) as $k | {at: .[$k], share: (.[$k].units * $shares[$k])} | select(.share > 0)] |
	if length == 0 then null
	elif $method.mode == "time" then 1 / (map(.share / .at.spent) | add)
	else ((map(.at.from + .at.spent) | max) - (map(.at.from) | min)) / (map(.share) | add) end;

def together_rate_faults($at; $what; $shares; $method): .together[$what] as $rate |
	{units_per_s: "together_units", bytes_per_s: "together_bytes", traffic_bytes_per_s: "together_traffic"}[$what] as $kind |
	select($rate.value != null) | together_estimate($method | kind($kind); passed($shares; $method)) as $x |
	if $x == null then "\($at) together \($what) has no samples"
	else equal_rate("\($at) together \($what)"; $rate; $x) end;

# The bytes of a unit, as the thread's own figures say.
def bytes_each: if .figures.bytes_per_s == null then 0 else .figures.bytes_per_s / .figures.units_per_s end;
def traffic_each: if .figures.traffic_bytes_per_s == null then null else .figures.traffic_bytes_per_s / .figures.units_per_s end;

def together_faults($at; $method):
	if .together == null then select(.threads | all(.figures != null)) | "\($at) has figures and nothing together"
	elif .threads | any(.figures == null) then empty
	else
		equal("\($at) together busy_s"; .together.busy_s; 
			[.threads[] | own($method)] | transpose | map({v: (map(.busy) | max), placement: .[0].placement, unknown: .[0].unknown}) |
			counted($method) | estimated($method)),
		(if alike and (.threads | all(.figures.ns_per_unit != null)) then
			together_estimate($method | kind("together_unit"); (map(.spent) | add) / (map(.units) | add) * 1e9) as $x |
			equal_amount("\($at) together ns_per_unit"; .together.ns_per_unit; $x)
		else select(.together.ns_per_unit.value != null and (alike | not)) |
			"\($at) together divides by different units" end),
		(select(alike) | together_rate_faults($at; "units_per_s"; [.threads[] | 1]; $method)),
		together_rate_faults($at; "bytes_per_s"; [.threads[] | bytes_each]; $method),
		([.threads[] | traffic_each] as $shares | select($shares | all(. != null)) |
			together_rate_faults($at; "traffic_bytes_per_s"; $shares; $method)),
		(.together | to_entries[] | select(.value | type == "object") | amount_faults("\($at) together \(.key)"; .value))
	end;

# A placement has numIter samples, unless the run was interrupted. made: how many placements the run has.
def placements_faults($at; $method): [.threads[0].samples | timed | group_by(.placement)[] | length] as $each |
	select(IN(.ended_by; "samples", "numIter") and ($method.interrupted | not) and $each != [range(0; $method.made) | $method.iterations]) |
	"\($at) has \($each) samples in its placements, and numIter \($method.iterations) in each of \($method.made) placements";

def operation_faults($at; $method; $threads):
	(range(0; .threads | length) as $k | .threads[$k] as $job | "\($at) thread \($k)" as $where | $job |
		figures_faults($where; $method), clock_faults($where; $method), kernel_figures_faults($where; $method),
		(range(0; .samples | length) as $i | .samples[$i] |
			sample_faults("\($where) sample \($i)"; $method; $threads[$k].cpu; $threads | takes_turns($k); $job.sleep_s))),
	(range(0; .threads | length) as $k | select($method.mode == "work") |
		select(.threads[$k].figures != null and .threads[$k].figures.overlap != null) |
		overlaps($k) as $parts | select($parts | all(. != null)) |
		select((.threads[$k].figures.overlap - ($parts | middle) | fabs) > 1e-5) |
		"\($at) thread \($k) overlap is \(.threads[$k].figures.overlap), not \($parts | middle)"),
	(range(0; .threads | length) as $k | same("\($at) thread"; .threads[$k].thread; $k)),
	(select((.threads | map(.samples | length) | unique | length) > 1) | "\($at): threads have different numbers of samples"),
	(moves as $moves | [.threads[].samples] | transpose | range(0; length) as $i | .[$i] | flags_faults("\($at) sample \($i)"; $threads; $moves)),
	tally_faults($at), total_faults($at; $method), together_faults($at; $method), joined_figures_faults($at; $method),
	placements_faults($at; $method);
