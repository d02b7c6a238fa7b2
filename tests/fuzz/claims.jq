# SPDX-License-Identifier: GPL-3.0-or-later
# What must hold of claims: each figure is made of two figures of runs, and each verdict follows from its interval.

# The part behind by= or within=; 0 without one. 10% more, or 2x as much.
def margin: [scan(" (?:by|within)=([0-9.e+-]+)([%x])(?: |$)")] | if length == 0 then 0
	else .[-1] as $m | ($m[0] | tonumber) | if $m[1] == "x" then . - 1 else . / 100 end end;

def limits($difference): (scan(" ([<>~]) ")[0]) as $relation | margin as $m |
	(if $difference then {up: ($m * 100), down: (-$m * 100)} else {up: (1 + $m), down: (1 / (1 + $m))} end) as $at |
	if $relation == ">" then {above: $at.up, below: null}
	elif $relation == "<" then {above: (if $difference then null else 0 end), below: $at.down}
	else {above: $at.down, below: $at.up} end;

def verdict_of($above; $below): if .low == null or .high == null then "not shown"
	elif ($above == null or .low > $above) and ($below == null or .high < $below) then "holds"
	elif ($above != null and .high < $above) or ($below != null and .low > $below) then "does not hold"
	else "not shown" end;

def run_called($runs; $name): [$runs[] | select(.skipped == null and
	(.values | to_entries | map("\(.key)=\(.value)") | join(" ")) == $name)] | first;

def operation_called($name): first(.operations | to_entries[] | select(.value.operation == $name) | .key);

def cost_at($runs; $confidence): run_called($runs; .run) as $run | .operation as $op | .thread as $k |
	$run.operations[$run | operation_called($op)] | ($run.method | .confidence = $confidence) as $method |
	if $k == null then total_cost($method) else .threads[$k] | thread_cost($method) end;

# The cost is computed anew from its samples, with the confidence of this interval.
def cost_ratio_faults($at; $runs; $each): select(.left.quantity == "cost" and .right.quantity == "cost") |
	select($runs | map(select(.skipped == null) | .method.mode) | all(. == "work")) |
	if .left.value.low == null or .right.value.low == null
	then select(.figure.low != null) | "\($at): an interval, and none of a side"
	else equal_amount("\($at): its interval"; .figure; ratio(.left | cost_at($runs; $each);
		.right | cost_at($runs; $each); .left.run == .right.run; null; $each)) end;

# Runs that change their names are found by these.
def is_there($runs): run_called($runs; .run) as $run | $run != null and
	(.operation as $op | $run | operation_called($op)) != null;

def test_faults($at; $runs; $each; figure_of): . as $t | (.figure_is == "left - right") as $difference |
	(.claim | limits($difference)) as $limits |
	if .verdict == "cannot be asked here" then
		select(.reason == null or .figure.value != null) | "\($at): \(.verdict) without a reason, or with a figure"
	elif [.left, .right | is_there($runs)] | all | not then "\($at): a side that was not measured"
	else
		equal("\($at): above"; .above; $limits.above), equal("\($at): below"; .below; $limits.below),
		equal("\($at): its figure"; .figure.value;
			if $difference then .left.value.value - .right.value.value else .left.value.value / .right.value.value end),
		(.figure | verdict_of($t.above; $t.below)) as $verdict |
		(select(.verdict != $verdict and (.verdict != "not shown" or .reason == null)) |
			"\($at): \(.verdict), and its interval says: \($verdict)"),
		((.left, .right) as $side | [$side | figure_of] as $may | select($may | length > 0) |
			equal("\($at): \($side.run), \($side.operation)"; $side.value.value; $may[0])),
		cost_ratio_faults($at; $runs; $each)
	end;

# figure_of: of a side, what its run has there, as in tables; empty where that is not known.
def claims_faults($runs; figure_of): (.claims // empty) as $c | ($c.tests | map(select(.verdict != "cannot be asked here")) | length) as $asked |
	equal("claims: confidence"; $c.confidence; .method.confidence),
	same("claims: asked"; $c.asked; $asked),
	equal("claims: confidence_each"; $c.confidence_each; if $asked == 0 then $c.confidence else 1 - (1 - $c.confidence) / $asked end),
	(range(0; $c.tests | length) as $i | $c.tests[$i] | test_faults("claim \($i) (\(.claim), \(.label))"; $runs; $c.confidence_each;
		figure_of));
