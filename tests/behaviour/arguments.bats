#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Argument files as such, their lines and keys, and --set. Nothing here depends on the machine: the driver is
# shown one of two nodes.

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	driver_setup
	machine "$TWO_NODES"
}

# The file as such

@test "a file that does not exist is refused" {
	refused 2 "t.args: cannot read the argument file: No such file or directory" \
		"  hint: affinity ARGS [OUT]: the argument file comes first; args/ holds examples"
}

@test "a file that may not be read is refused" {
	need_nobody
	given
	chmod 0 t.args
	try "${nobody[@]}" "$AFFINITY" t.args out.txt
	[ "$status" -eq 2 ]
	[[ $stderr == "t.args: cannot read the argument file: Permission denied"* ]]
	[ ! -e out.txt ]
}

@test "a file that cannot be read to its end is refused" {
	[ -r /proc/self/mem ] || skip "there is no /proc/self/mem, whose first byte cannot be read"
	ln -s /proc/self/mem t.args
	refused 2 "t.args: cannot read the argument file: Input/output error"
}

@test "a folder is refused, and what runs folders is named" {
	mkdir t.args
	refused 2 "t.args: is a directory, not an argument file" \
		"  hint: scripts/ejec.sh t.args runs every file of a folder"
}

@test "an empty file is refused" {
	: >t.args
	refused 2 "t.args: holds no 'key: value' line" "  hint: affinity --help keys lists the keys; args/ holds examples"
}

@test "a file of comments is refused as an empty one" {
	printf '# opType: read\n\n   \t\n' >t.args
	refused 2 "t.args: holds no 'key: value' line" "  hint: affinity --help keys lists the keys; args/ holds examples"
}

@test "a file of more than 1 MiB is refused" {
	given
	printf '#%01048576d\n' 0 >>t.args
	refused 2 "t.args: is larger than 1 MiB; this is not an argument file"
}

@test "a file of 1 MiB is read" {
	given
	printf '#%0*d' $((1048575 - $(wc -c <t.args))) 0 >>t.args
	[ "$(wc -c <t.args)" -eq 1048576 ]
	planned "operation read: thread 0 read, thread 1 read"
}

@test "a NUL byte is refused in its line" {
	given
	printf 'numIter: 3\0\n' >>t.args
	refused 2 "t.args:7: holds a NUL byte; this is not a text file"
}

@test "UTF-16 is refused as no text file" {
	printf '\xff\xfeo\0p\0T\0' >t.args
	refused 2 "t.args:1: holds a NUL byte; this is not a text file"
}

@test "lines may end as on Windows" {
	given "speedupCalc: read/read" "stride: 64"
	sed -i 's/$/\r/' t.args
	planned "thread 1: CPU 4, core 2, node 1, vectors 1" "speedup read/read"
}

@test "the last line needs no newline" {
	given "numIter: 3"
	truncate -s -1 t.args
	planned "samples: 3 of each operation when its cost has settled, 1 operation"
}

@test "a UTF-8 byte order mark is no part of the first key" {
	given
	sed -i '1s/^/\xef\xbb\xbf/' t.args
	planned "operation read: thread 0 read, thread 1 read"
}

@test "comments, empty lines, tabs and blanks mean nothing" {
	given
	sed -i 's/^/\n  # before: it\n\t /; s/: /:\t\t/; s/$/ \t# behind/' t.args
	planned "vector 1: node 1, 4096 char, 4 KiB, pages system, init node" \
		"thread 1: CPU 4, core 2, node 1, vectors 1"
}

@test "blanks around the colon mean nothing" {
	given
	sed -i 's/:/ : /' t.args
	planned "operation read: thread 0 read, thread 1 read"
}

@test "keys may stand in any order" {
	given
	sort -o t.args t.args
	planned "thread 1: CPU 4, core 2, node 1, vectors 1"
}

@test "a pipe can be the argument file" {
	given
	try "$AFFINITY" --plan <(cat t.args)
	[ "$status" -eq 0 ]
}

@test "a bad file leaves earlier results as they were and makes no new ones" {
	given "opType: frob"
	echo earlier | tee out.txt >out.csv
	try "$AFFINITY" --json new.json --csv out.csv t.args out.txt
	[ "$status" -eq 2 ]
	[ "$(cat out.txt out.csv)" = $'earlier\nearlier' ]
	[ ! -e new.json ]
	no_temporary_files
}

# Lines and keys

@test "a line without a colon is refused" {
	given "numIter 3"
	refused 2 "t.args:6: 'numIter 3' is not of the form 'key: value'" \
		"  hint: every line is 'key: value', a '# comment', or empty"
}

@test "a line that begins with its colon is refused" {
	given
	echo ': 3' >>t.args
	refused 2 "t.args:7: ': 3' is not of the form 'key: value'" \
		"  hint: every line is 'key: value', a '# comment', or empty"
}

@test "a key without a value is refused, also before a comment" {
	given "numIter:" "warmup: # 3"
	refused 2 "t.args:6: 'numIter' has no value" "t.args:7: 'warmup' has no value"
}

@test "an unknown key is refused with the name that is near" {
	given "numiter: 3" "strid: 4"
	refused 2 "t.args:6: unknown key 'numiter'; did you mean 'numIter'?" \
		"  hint: affinity --help keys lists every key; affinity --help KERNEL a kernel's parameters" \
		"t.args:7: unknown key 'strid'; did you mean 'stride'?" \
		"  hint: affinity --help keys lists every key; affinity --help KERNEL a kernel's parameters"
}

@test "a key as other programs call it is refused with the key here" {
	local hint="  hint: affinity --help keys lists every key; affinity --help KERNEL a kernel's parameters"
	given "size: 4KiB" "runtime: 2s" "Page-Size: 2M" "numjobs: 2" "iteratons: 4"
	refused 2 "t.args:6: unknown key 'size'; did you mean 'tamPerVector'?" "$hint" \
		"t.args:7: unknown key 'runtime'; did you mean 'mode: time:2s'?" "$hint" \
		"t.args:8: unknown key 'Page-Size'; did you mean 'pagesPerVector'?" "$hint" \
		"t.args:9: unknown key 'numjobs'; did you mean 'threads'?" "$hint" \
		"t.args:10: unknown key 'iteratons'; did you mean 'samples'?" "$hint"
}

@test "an unknown key that is near to none is refused without a guess" {
	given "colour: red"
	refused 2 "t.args:6: unknown key 'colour'" \
		"  hint: affinity --help keys lists every key; affinity --help KERNEL a kernel's parameters"
}

@test "a key given twice is refused with the line of the first" {
	given
	echo 'opType: write' >>t.args
	refused 2 "t.args:7: 'opType' is given twice, first in line 1"
}

@test "a key given under both of its names is refused" {
	given "sizePerVector: 4KiB*" "speedup: read/read" "speedupCalc: read/read"
	refused 2 "t.args:6: 'sizePerVector' is given twice, first in line 4" \
		"t.args:8: 'speedupCalc' is given twice, first in line 7"
}

@test "a parameter given twice is refused, also when one is in argsExtra" {
	given "stride: 4" "argsExtra: stride:5 passes:2" "passes: 3"
	refused 2 "t.args:7: 'stride' is given twice, first in line 6" \
		"t.args:8: 'passes' is given twice, first in line 7"
}

@test "missing keys are named, all that are required" {
	echo 'numIter: 3' >t.args
	refused 2 "t.args: missing key 'kernels': kernels, run one after another; a+b: thread 0 runs a, thread 1 b, in turn; a+b*: all others b" \
		"t.args: missing key 'nodePerThread' (or corePerThread, cpuPerThread, placePerThread, threads): where threads run"
}

@test "vectors without vectorPerThread are refused" {
	given
	sed -i /^vectorPerThread/d t.args
	refused 2 "t.args: missing key 'vectorPerThread': which threads use which vector" \
		"  hint: vectorPerThread: all gives every vector to every thread"
}

@test "several mistakes are told at once, in the order of their lines" {
	cat >t.args <<-'END'
		speedupCalc: read/write
		numIter: 0
		vectorPerThread: 0, 7
		nodePerVector: 0 1
		no colon here
		tamPerVector: 4KiB*
		nodePerThread: 0 1
		opType: read
		numitr: 3
	END
	refused 2 "t.args:1: speedupCalc: 'read/write': the file does not run 'write'" \
		"  hint: both sides must be written as after 'opType:'" \
		"t.args:2: numIter = 0 is out of range" \
		"  hint: numIter takes auto, or 1 .. 1000000" \
		"t.args:3: vectorPerThread: there is no thread 7; threads are 0 .. 1" \
		"t.args:5: 'no colon here' is not of the form 'key: value'" \
		"  hint: every line is 'key: value', a '# comment', or empty" \
		"t.args:9: unknown key 'numitr'; did you mean 'numIter'?" \
		"  hint: affinity --help keys lists every key; affinity --help KERNEL a kernel's parameters"
}

@test "of more than 20 mistakes the first 20 are told and how many there are besides, also by a plan" {
	local file
	for file in 1 2; do
		(echo 'opType: read' && seq -f 'key%g: 1' 25) >"$file.args"
	done
	for plan in '' --plan; do
		# shellcheck disable=SC2086 # an option or nothing
		try "$AFFINITY" $plan 1.args
		[ "$status" -eq 2 ]
		[ "$(grep -c '^1.args:[0-9]*: unknown key' <<<"$stderr")" -lt 21 ]
		[[ ${stderr##*$'\n'} =~ ^"affinity: "[0-9]+" further mistakes are left out"$ ]]
	done
	# each file of several is told about in full
	try "$AFFINITY" --plan 1.args 2.args
	[ "$(grep -c '^[12].args:[0-9]*: unknown key' <<<"$stderr")" -eq 50 ]
}

@test "what people write by custom is told how it is written here" {
	local case
	# the line that replaces one of t.args | the message | its hint
	for case in "opType: read, write|opType: commas divide no kernels|blanks do: opType: read write" \
		"opType=read|'opType=read' is not of the form 'key: value'|write opType: read" \
		"opType: stream|opType: unknown kernel 'stream'; did you mean 'triad'?|affinity --list shows every kernel" \
		"opType: bw_mem|opType: unknown kernel 'bw_mem'; did you mean 'load'?|affinity --list shows every kernel" \
		"opType: Latency|opType: unknown kernel 'Latency'; did you mean 'chase'?|affinity --list shows every kernel" \
		"opType: strem|opType: unknown kernel 'strem'; did you mean 'triad'?|affinity --list shows every kernel" \
		"nodePerThread: 0,1|nodePerThread: '0,1' is neither a node's number nor a name of let|blanks divide nodes, not commas: nodePerThread: 0 1" \
		"tamPerVector: 1 MiB 4KiB|tamPerVector: '1 MiB' has a blank before its unit|write 1MiB" \
		"tamPerVector: 64k 4KiB|tamPerVector: '64k' is not a size; did you mean '64K'?|209715200 elements, 200MiB, 8xL3 (times a cache), 8xLLC (the last one), 8xcaches (all of them), 4xcaches/thread (of all threads together), 50% (of the node's memory), max(4GiB,4xcaches)" \
		"tamPerVector: 4mib 4KiB|tamPerVector: '4mib' is not a size; did you mean '4MiB'?|209715200 elements, 200MiB, 8xL3 (times a cache), 8xLLC (the last one), 8xcaches (all of them), 4xcaches/thread (of all threads together), 50% (of the node's memory), max(4GiB,4xcaches)" \
		"sizePerVector: 64Mb 4KiB|sizePerVector: '64Mb' is not a size|MB is 10^6 bytes, MiB 2^20; 209715200 elements, 200MiB, 8xL3 (times a cache), 8xLLC (the last one), 8xcaches (all of them), 4xcaches/thread (of all threads together), 50% (of the node's memory), max(4GiB,4xcaches)"; do
		IFS='|' read -r line message hint <<<"$case"
		key=${line%%[:=]*}
		printf '%s\n' "$line" >t.args
		[[ $key == opType ]] || echo 'opType: read' >>t.args
		[[ $key == nodePerThread ]] || echo 'nodePerThread: 0 1' >>t.args
		[[ $key == *PerVector ]] || echo 'tamPerVector: 4KiB*' >>t.args
		# where the threads are refused, there is one
		users='0, 1'
		[[ $key != nodePerThread ]] || users='0, 0'
		printf '%s\n' 'nodePerVector: 0 1' "vectorPerThread: $users" >>t.args
		refused 2 "t.args:1: $message" "  hint: $hint"
	done
	echo 'cpuPerThread: 0,1' >t.args
	try "$AFFINITY" --plan t.args --set 'opType=read' --set 'nodePerVector=0' --set 'tamPerVector=4 KiB' --set vectorPerThread=0
	[ "$status" -eq 2 ]
	[[ $stderr == *"--set: tamPerVector: '4 KiB' has a blank before its unit"$'\n  hint: write 4KiB'* ]]
	[[ $stderr == *"t.args:1: cpuPerThread: '0,1' is not the number of a CPU"$'\n  hint: blanks divide numbers, not commas: cpuPerThread: 0 1'* ]]
}

@test "a letter is a name of let, even behind a number" {
	machine "$TWO_NODES"
	given "nodePerThread: 0 B" "let: B=1"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
}

@test "bad arguments count more than bad placement" {
	given "nodePerThread: 0 9" "numIter: x"
	refused 2 "t.args:2: nodePerThread: node 9 does not exist" \
		"  hint: nodes that can run threads here: 0-1" \
		"t.args:6: numIter = 'x' is not a whole number, such as 10, or auto"
}

# Values of keys

@test "a count out of range is refused with its range" {
	given "numIter: 1000001" "warmup: 1000001"
	refused 2 "t.args:6: numIter = 1000001 is out of range" "  hint: numIter takes auto, or 1 .. 1000000" \
		"t.args:7: warmup = 1000001 is out of range" "  hint: warmup takes settled, or 0 .. 1000000"
}

@test "a negative count is refused as such" {
	given "numIter: -3"
	refused 2 "t.args:6: numIter = '-3' is not a whole number that fits 64 bits" \
		"  hint: numIter cannot be negative"
}

@test "a count that does not fit, or has decimals or a unit, is refused" {
	given "numIter: 99999999999999999999" "warmup: 1.5" "passes: 4K"
	refused 2 "t.args:6: numIter = '99999999999999999999' is not a whole number that fits 64 bits" \
		"t.args:7: warmup = '1.5' is not a whole number that fits 64 bits" \
		"t.args:8: passes = '4K' is not a whole number that fits 64 bits"
}

@test "a choice that does not exist is refused with the near one and all" {
	given "summaryType: maxx" "statistic: mode" "verify: strickt"
	refused 2 "t.args:6: unknown summaryType 'maxx'; did you mean 'max'?" \
		"  hint: summaryType is one of max, min, sum, mean" \
		"t.args:7: unknown statistic 'mode'" \
		"  hint: statistic is one of mean, median, min" \
		"t.args:8: unknown verify 'strickt'; did you mean 'strict'?" \
		"  hint: verify is one of strict, warn"
}

@test "a flag is yes or no" {
	given "oversubscribe: perhaps"
	refused 2 "t.args:6: oversubscribe = 'perhaps' is not yes or no"
}

@test "a fraction is a number or a percentage in its range" {
	given "confidence: 100%"
	refused 2 "t.args:6: confidence = 100% is out of range" "  hint: confidence takes 0.5 .. 0.9999"
	given "confidence: high"
	refused 2 "t.args:6: confidence = 'high' is not a fraction such as 0.5 or 50%"
	given "confidence: 99%"
	planned
}

# --set

@test "--set replaces a line of the file" {
	given "numIter: 3" "stride: 4"
	options=(--set numIter=5 --set "opType=write null" --set=warmup=0 --set "passes = 2" --set numIter=6)
	planned "operation write: thread 0 write passes 2, thread 1 write passes 2" \
		"samples: 6 of each operation after 0 warm-up, 2 operations"
}

@test "--set replaces a line that has the key's other name" {
	given
	options=(--set "sizePerVector=8KiB*" --set speedup=read/read)
	planned "vector 0: node 0, 8192 char, 8 KiB, pages system, init node" "speedup read/read"
	given "speedup: read/write"
	options=(--set speedupCalc=read/read)
	planned "speedup read/read"
}

@test "--set replaces a parameter that argsExtra gives, and argsExtra one that has its own line" {
	given "argsExtra: sleep:0,100 passes:3"
	options=(--set "sleep=5 0")
	planned "operation read: thread 0 read passes 3 sleep 5 ms, thread 1 read passes 3"
	given "sleep: 0 100" "passes: 3"
	options=(--set "argsExtra=sleep:5,0")
	planned "operation read: thread 0 read passes 3 sleep 5 ms, thread 1 read passes 3"
}

@test "--set of let adds a name, or gives it another node, and names that refer to it follow" {
	given "let: X=0 Y=far(X)" "nodePerThread: X Y"
	options=(--set let=X=1 --set "nodePerVector=Z Z" --set "let=Z=far(X)")
	planned "thread 0: CPU 4, core 2, node 1, vectors 0" \
		"thread 1: CPU 0, core 0, node 0, vectors 1" \
		"vector 1: node 0, 4096 char, 4 KiB, pages system, init node"
}

@test "--set gives a file what it lacks" {
	printf 'nodePerThread: 0\n' >t.args
	options=(--set opType=null)
	planned "operation null: thread 0 null"
}

@test "--set does not make up for a file without a line" {
	: >t.args
	options=(--set opType=null --set nodePerThread=0)
	refused 2 "t.args: holds no 'key: value' line" "  hint: affinity --help keys lists the keys; args/ holds examples"
}

@test "--set without key or equals sign is refused, and so is a key to take away that there cannot be" {
	given
	options=(--set numIter --set "=3" --set "numItr=")
	refused 2 "--set: 'numIter' is not of the form KEY=VALUE" \
		"  hint: for example --set samples=3, or in quotes --set 'opType=read write'" \
		"--set: '=3' is not of the form KEY=VALUE" \
		"  hint: for example --set samples=3, or in quotes --set 'opType=read write'" \
		"--set: unknown key 'numItr'; did you mean 'numIter'?" \
		"  hint: affinity --help keys lists every key; affinity --help KERNEL a kernel's parameters"
}

@test "--set KEY= takes a key away, by each of its names, and --set of a sweep's variable sets its values" {
	given "sweep: n = 1 2" "nodePerThread: 0*\$n"
	options=(--set nodePerThread= --set tamPerVector= --set sizePerVector=8KiB* --set threads=2 --set sweep=)
	planned "vector 1: node 1, 8192 char, 8 KiB, pages system, init node" \
		"thread 1: CPU 1, core 0, node 0, vectors 1, shares its core"
	[ "$(grep -c '^run ' <<<"$output")" -eq 0 ]
	# from the plan on, as from a key that was never there
	options=(--set sizePerVector=)
	refused 2 "t.args:3: nodePerVector needs sizePerVector: the size of each vector" \
		"  hint: for example sizePerVector: 8xL3*"
	given "sweep: n = 1 2" "nodePerThread: 0*\$n" "vectorPerThread: all, all"
	options=(--set n=2)
	planned "run 1 of 1: n=2"
	options=(--set "n = 1..2:1")
	planned "run 2 of 2: n=2"
	options=(--set m=2)
	refused 2 "--set: unknown key 'm'" \
		"  hint: affinity --help keys lists every key; affinity --help KERNEL a kernel's parameters"
}

@test "mistakes in sizes and in types of vectors are all told at once" {
	given "typePerVector: double in" "tamPerVector: 64MB 4KiX"
	refused 2 "t.args:4: tamPerVector: '4KiX' is not a size" \
		"  hint: 209715200 elements, 200MiB, 8xL3 (times a cache), 8xLLC (the last one), 8xcaches (all of them), 4xcaches/thread (of all threads together), 50% (of the node's memory), max(4GiB,4xcaches)" \
		"t.args:6: typePerVector: unknown value 'in'; did you mean 'int'?" \
		"  hint: char, short, int, long, float or double"
	given "typePerVector: double*3" "tamPerVector: 64MiB*3"
	refused 2 "t.args:4: tamPerVector has 3 values, nodePerVector has 2" \
		"  hint: one value for each vector; V* stands for V as often as is needed" \
		"t.args:6: typePerVector has 3 values, nodePerVector has 2" \
		"  hint: one value for each vector; V* stands for V as often as is needed"
}

@test "a mistake of --set is told as one of --set" {
	given
	options=(--set numItr=3 --set nodePerThread=7 --set passes=0)
	refused 2 "--set: unknown key 'numItr'; did you mean 'numIter'?" \
		"  hint: affinity --help keys lists every key; affinity --help KERNEL a kernel's parameters" \
		"--set: nodePerThread: node 7 does not exist" \
		"  hint: nodes that can run threads here: 0-1" \
		"--set: passes = 0 is out of range" \
		"  hint: passes takes 1 .. 1000000000000" \
		"t.args:5: vectorPerThread: there is no thread 1; the only one is thread 0"
}

@test "a targetError of 100 % is refused: who writes 1 means 1 %" {
	given "targetError: 1"
	refused 2 "t.args:6: targetError: half an interval as wide as the cost itself is no target" \
		"  hint: targetError: 1% is one per cent, 1 alone a hundred"
}

@test "targetError is refused with statistic: min, which has no interval" {
	given "statistic: min" "targetError: 5%"
	refused 2 "t.args:7: targetError: with statistic: min there is no interval that could reach it" \
		"  hint: statistic: mean or median, or samples: N alone"
	given "statistic: median" "targetError: 5%"
	planned
}
