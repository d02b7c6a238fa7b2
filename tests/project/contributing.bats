#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The recipes of CONTRIBUTING.md: all are applied to one copy of the tree, which is built once; then each is tried.

bats_require_minimum_version 1.5.0 # run --separate-stderr
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

# Of the copy only what changed is built.
setup_file() {
	local root copy=$BATS_FILE_TMPDIR/copy
	root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	# make's own flags (-j of the make that runs these tests) would reach the make below
	unset MAKEFLAGS MFLAGS MAKELEVEL
	# what was built with other flags cannot be linked with what is built here
	[[ ${AFFINITY_BUILD:-build} == build ]] || return 0
	unset BUILD
	mkdir -p "$copy/build"
	cp -a "$root"/{src,kernels,scripts,tests,args,Makefile,README.md,manual.md,manual,CONTRIBUTING.md,LICENSE} "$copy"
	ln -s "$root/build/shims" "$root/build/tools" "$copy/build/"
	cd "$copy" || return
	take_build "$root"
	if apply_recipes >failed 2>&1 && make -j "$(nproc)" CFLAGS=-O0 all >make.log 2>&1; then
		grep -i warning: make.log >failed || rm failed
	else
		cat make.log >>failed
	fi
}

setup() {
	driver_setup
	[[ ${AFFINITY_BUILD:-build} == build ]] || skip "only where the build has no flags of its own"
	copy=$BATS_FILE_TMPDIR/copy
	[ ! -s "$copy/failed" ] || {
		cat "$copy/failed"
		return 1
	}
}

# Writes the blocks of CONTRIBUTING.md to blocks/N, and to blocks/N.where what stands behind `put: `.
split_recipes() {
	mkdir -p blocks
	awk '
		/^<!-- put: .* -->$/ { name = "blocks/" ++n; sub(/^<!-- put: /, ""); sub(/ -->$/, ""); print >(name ".where"); next }
		/^```/ { if (inside) name = ""; inside = !inside; next }
		inside && name { print >name }' CONTRIBUTING.md
}

# with_line PATTERN TEXT: of these files the one that has it; a table may move within its folder.
with_line() {
	# shellcheck disable=SC2086 # a pattern
	grep -lF -e "$2" $1 | head -n 1
}

# `FILE`: the block is the file. `FILE end`: goes to its end. `FILE above TEXT`, `FILE below TEXT`: beside the only line
# that begins with TEXT behind its blanks.
apply_recipes() {
	local i file where text line
	split_recipes
	for ((i = 1; i <= $(find blocks -name '*.where' | wc -l); i++)); do
		read -r file where text <"blocks/$i.where"
		case $where in
		'') mkdir -p "${file%/*}" && cp "blocks/$i" "$file" ;;
		end) cat - "blocks/$i" <<<'' >>"$file" ;;
		above | below)
			file=$(with_line "$file" "$text")
			line=$(awk -v text="$text" '{ sub(/^[ \t]*/, "") } index($0, text) == 1 { print NR }' "$file")
			[[ $line =~ ^[0-9]+$ ]] || {
				echo "CONTRIBUTING.md: not one line of $file begins with '$text', but: ${line:-none}"
				return 1
			}
			[[ $where == below ]] || line=$((line - 1))
			sed -i "${line}r blocks/$i" "$file"
			;;
		*) echo "CONTRIBUTING.md: $file $where $text?" && return 1 ;;
		esac
	done
	[ "$i" -gt 22 ]
}

# passes TITLE FILE: that test of the copy passes; where the machine makes it skip, this one is skipped too.
passes() {
	run bats --filter "^$1\$" "$copy/tests/$2"
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output == *"1..1"* ]]
	[[ $output != *"# skip"* ]] || skip "${output##*# skip }"
}

@test "a kernel is added as CONTRIBUTING.md says" {
	try "$copy/affinity" --help last
	[ "$status" -eq 0 ]
	[[ $output == "last: loads the last byte of each vector"* ]]
	printf '%s\n' 'opType: last' 'nodePerThread: first' 'nodePerVector: first*2' 'tamPerVector: 4KiB*' \
		'vectorPerThread: 0, 0' 'numIter: 2' 'passes: 1' >t.args
	find_obstacle
	skip_obstacle
	try "$copy/affinity" --quiet --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	grep -q '"units": 2,' out.json
	passes "the manual mentions every kernel and every parameter of each" project/manual.bats
}

@test "a key is added as CONTRIBUTING.md says" {
	passes "more threads than maxThreads are refused" behaviour/arguments.bats
	passes "the manual mentions every key" project/manual.bats
	try "$copy/affinity" --set maxThreads=0 --plan "$copy/args/quickstart/1_one_thread.args"
	[ "$status" -eq 2 ]
	[[ $stderr == *"maxThreads = 0 is out of range"* ]]
}

@test "an output format is added as CONTRIBUTING.md says" {
	find_obstacle
	skip_obstacle
	passes "costs has a line for each thread of each operation" behaviour/outputs.bats
	passes "the manual mentions every option" project/manual.bats
}

@test "a group of counters is added as CONTRIBUTING.md says" {
	passes "faults counts those with and without a disk" behaviour/counters.bats
}

@test "a mapping policy is added as CONTRIBUTING.md says" {
	passes "reverse begins at the end of the machine" behaviour/mapping.bats
	try "$copy/affinity-map" --plan --mapping reverse --threads 1 -- /bin/true
	[ "$status" -eq 0 ]
	[[ $output == *"mapping reverse: hardware threads from the end of the machine"* ]]
}

@test "a program is added as CONTRIBUTING.md says" {
	try "$copy/affinity-clock"
	[ "$status" -eq 0 ]
	[[ $output =~ ^"reading the clock: "[0-9.]+" ns, smallest step: "[0-9.]+" ns"$ ]]
}

@test "what the recipes add is formatted, and lint accepts it" {
	local file count=0
	cd "$copy"
	cp -a "$root/bench" "$root/.clang-format" .
	try scripts/lint rooms libraries order lengths
	[ "$status" -eq 0 ]
	command -v clang-format >/dev/null || skip "clang-format is not installed (make setup installs it)"
	while read -r file; do
		! cmp -s "$file" "$root/$file" || continue
		clang-format --dry-run -Werror "$file"
		count=$((count + 1))
	done < <(find src kernels -name '*.[ch]')
	[ "$count" -ge 11 ]
}
