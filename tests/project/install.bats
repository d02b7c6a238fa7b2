#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What make install leaves works outside of the sources, for every user, also moved; make uninstall leaves nothing.

bats_require_minimum_version 1.5.0 # run --separate-stderr
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	driver_setup
	unset AFFINITY MAKEFLAGS MFLAGS MAKELEVEL PREFIX DESTDIR LIBDIR INCLUDEDIR MANDIR DOCDIR
	build=${AFFINITY_BUILD:-build}
	[[ -d $root/build/kernels || $build != build ]] || skip "nothing is built"
	into=$PWD/into
	unset AFFINITY_BUILD
}

installed() { # [NAME=VALUE]...: variables of make
	make -C "$root" BUILD="$build" install DESTDIR="$into" "$@" >log 2>&1 || { cat log && false; }
}

uninstalled() {
	make -C "$root" BUILD="$build" uninstall DESTDIR="$into" "$@" >log 2>&1 || { cat log && false; }
}

@test "installed, the programs find their experiments, scripts and libraries" {
	installed PREFIX=/opt
	local bin=$into/opt/bin share=$into/opt/share/affinity program
	for program in affinity affinity-map affinity-report affinity-frag affinity-fleet affinity-rhp; do
		run "$bin/$program" --version
		[ "$status" -eq 0 ]
		[[ $output == "$program "* ]]
	done
	"$bin/affinity" --plan "$share/args/quickstart/1_one_thread.args" >plan
	grep -q "^vector 0" plan
	run --separate-stderr "$bin/affinity" --plan
	same "affinity: ARGS is missing: affinity --plan ARGS...
  hint: for example: affinity --plan $share/args/quickstart/1_one_thread.args" "$stderr"
	"$bin/affinity-map" --mapping compact --out report -- true
	"$bin/affinity-rhp" --report report -- true
	run --separate-stderr "$bin/affinity-report"
	same "affinity-report: no results in 'results/$(uname -n | cut -d. -f1)'; affinity-ejec makes some" "$stderr"
	"$bin/affinity-health" --help >help
	grep -q '^usage:' help
	for program in profile npb programs compare-equals; do
		"$bin/affinity-$program" --help >help
		grep -q '^usage:' help
		grep -q "^\.SH NAME" "$into/opt/share/man/man1/affinity-$program.1"
	done
	# each program has a page, and each page a program
	same "$(cd "$bin" && printf '%s\n' affinity* | sort)" "$(cd "$into/opt/share/man/man1" && printf '%s\n' *.1 | sed 's/\.1$//' | sort)"
}

@test "installed, a batch plans the installed experiments, and its results are those of the current folder" {
	installed PREFIX=/opt
	local ejec=$into/opt/bin/affinity-ejec host
	host=$(uname -n | cut -d. -f1)
	run --separate-stderr "$ejec" --dry-run "$into/opt/share/affinity/args/quickstart"
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "run     $into/opt/share/affinity/args/quickstart/1_one_thread.args -> results/$host/quickstart/1_one_thread.txt" ]
	[[ $stderr == "affinity-ejec: "*" to run, "* ]]
	run --separate-stderr "$ejec" --dry-run --results elsewhere "$into/opt/share/affinity/args/quickstart"
	[[ ${lines[0]} == *" -> elsewhere/$host/quickstart/1_one_thread.txt" ]]
	run --separate-stderr "$ejec" --dry-run args/quickstart
	[ "${lines[0]}" = "run     $into/opt/share/affinity/args/quickstart/1_one_thread.args -> results/$host/quickstart/1_one_thread.txt" ]
	run --separate-stderr "$into/opt/bin/affinity" --plan one_thread
	[ "$status" -eq 0 ]
	[ "${stderr_lines[0]}" = "affinity: ${into#"$PWD"/}/opt/share/affinity/args/quickstart/1_one_thread.args" ]
	[ ! -e results ]
}

@test "a user who cannot write the installed tree measures from it, after it was moved" {
	need_nobody_here
	installed PREFIX=/opt
	mv into/opt moved
	chmod -R a-w moved
	cat >one.args <<-'END'
		opType: null
		nodePerThread: first
		nodePerVector: first
		tamPerVector: 4KiB
		vectorPerThread: 0
		numIter: 1
		placements: 1
	END
	mkdir -m 777 mine
	(cd mine && "${nobody[@]}" ../moved/bin/affinity-ejec ../one.args >../out 2>../err) || { cat err && false; }
	chmod -R u+w moved
	find mine/results -name one.json -size +0 >found
	same "$(echo "mine/results/$(uname -n | cut -d. -f1)"/*/one.json)" "$(cat found)"
	[ "$(tail -n 1 out)" = "results: results/$(uname -n | cut -d. -f1)/EXPERIMENT.{txt,json,csv}" ]
}

@test "installed, results of a user who cannot write the current folder go to the state of that user" {
	need_nobody_here
	installed PREFIX=/opt
	cat >one.args <<-'END'
		kernels: null
		nodePerThread: first
		samples: 1
		placements: 1
	END
	local host where folder
	host=$(uname -n | cut -d. -f1)
	mkdir -m 755 closed
	mkdir -m 777 home state
	for where in XDG_STATE_HOME=$PWD/state XDG_STATE_HOME=; do
		folder=$PWD/home/.local/state/affinity
		[[ $where == *= ]] || folder=$PWD/state/affinity
		(cd closed && HOME=$PWD/../home "${nobody[@]}" env "$where" ../into/opt/bin/affinity-ejec ../one.args >../out 2>../err) || { cat err && false; }
		[ -s "$(find "$(realpath "$folder")/$host" -name one.json)" ]
		grep -qF "affinity-ejec: results/ cannot be written; results go to " err
		grep -qF "; --results DIR names another folder" err
		[[ $(tail -n 1 out) == "results: "*"/affinity/$host/EXPERIMENT.{txt,json,csv}" ]]
		rm -r "${folder%/affinity}"/affinity
	done
	[ -z "$(find closed -mindepth 1)" ]
}

# make check-installed takes all of them.
@test "tests of behaviour pass with the installed programs outside of the sources" {
	local shims=$root/$build/shims files=(tests/behaviour/{mapping,places,simulated}.bats)
	[[ $build != /* ]] || shims=$build/shims
	[ -d "$shims" ] || skip "the shims are not built: make test"
	[[ ${AFFINITY_TURNS-} != yes ]] || files=()
	"$root/scripts/check-installed" "$build" "${files[@]}" >told 2>&1 || { cat told && false; }
	grep -qx 'Result: PASS' told
}

need_nobody_here() {
	AFFINITY=$root/affinity
	[[ $build == build ]] || AFFINITY=$root/$build/affinity
	need_nobody
	unset AFFINITY
}

@test "installed, mix shows the kernels' loops without the build" {
	command -v objdump >/dev/null || skip "objdump is not installed"
	installed
	(AFFINITY_BUILD=$build "$root/scripts/mix" read >expected)
	"$into/usr/local/bin/affinity-mix" read >found
	diff expected found
	[ "$(wc -l <found)" -gt 1 ]
}

@test "libraries and headers are where LIBDIR and INCLUDEDIR say, readable by all whatever the umask is" {
	(umask 077 && installed PREFIX=/usr LIBDIR=/usr/lib/here INCLUDEDIR=/usr/inc DOCDIR=/usr/doc)
	[ -e "$into/usr/lib/here/libaffinity-spm.so" ]
	[ -e "$into/usr/inc/affinity-rhp.h" ]
	echo 'int main(void) { return 0; }' >empty.c
	if compgen -G "$into/usr/lib/affinity/affinity-pass-*.so" >plugins && command -v clang >/dev/null; then
		"$into/usr/bin/affinity-cc" -O1 empty.c -o empty
		./empty
		rm empty
	fi
	[ -e "$into/usr/doc/manual/arguments.md" ]
	[ -e "$into/usr/share/affinity/schemas/schema-3.json" ]
	find "$into/usr" \( -type d ! -perm -755 -o -type f ! -perm -644 \) ! -path "$into" >closed
	same "" "$(cat closed)"
	same "" "$(find "$into" -xtype l)"
	uninstalled PREFIX=/usr
	same "" "$(find "$into" -mindepth 1)"
}

@test "uninstall removes what was installed and keeps what others put there" {
	mkdir -p into/usr/local/bin
	installed
	installed
	touch into/usr/local/share/affinity/args/mine.args
	echo share/affinity/args/of_before.args >>into/usr/local/share/affinity/installed
	touch into/usr/local/share/affinity/args/of_before.args
	installed
	[ ! -e into/usr/local/share/affinity/args/of_before.args ]
	uninstalled
	same "into
into/usr
into/usr/local
into/usr/local/bin
into/usr/local/share
into/usr/local/share/affinity
into/usr/local/share/affinity/args
into/usr/local/share/affinity/args/mine.args" "$(find into | sort)"
	run make -s -C "$root" BUILD="$build" uninstall DESTDIR="$into"
	[ "$status" -ne 0 ]
	[[ $output == *"install: nothing is installed below '$into/usr/local': there is no $into/usr/local/share/affinity/installed; PREFIX and DESTDIR are those of make install"* ]]
}
