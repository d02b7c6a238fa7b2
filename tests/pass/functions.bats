#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What the compiler pass inserts, function by function, and that it changes nothing else.

# shellcheck source=tests/pass/helper.bash
source "$BATS_TEST_DIRNAME/helper.bash"

setup_file() {
	pass_setup
	[ -z "$lacking" ] || return 0
	local name
	for name in shapes bases; do
		"$cc" -O2 -w --pass=check "$BATS_TEST_DIRNAME/$name.c" -o "$BATS_FILE_TMPDIR/checked"
		(cd "$BATS_FILE_TMPDIR" && AFFINITY_PASS_CHECK=found ./checked >"said_$name")
	done
}

setup() {
	pass_setup
	[ -z "$lacking" ] || skip "$lacking"
	cd "$BATS_TEST_TMPDIR" || return 1
}

# found: FUNCTION ARRAY exact|estimated FIRST LAST EXECUTIONS
calls() {
	sed -nE "s/^[^ ]* ([^ ]*) '(argument )?([^']*)' ([^ ]* [^ ]* [^ ]* [^ ]*) ran .*/\1 \3 \4/p" "$BATS_FILE_TMPDIR/found" |
		grep -vE '^(main|listings|shapes|others) ' | sort
}

@test "of every function the pass says the arrays, bytes and executions that the source says" {
	sed -n 's|^/\* expect: \(.*\) \*/$|\1|p' "$BATS_TEST_DIRNAME"/{shapes,bases}.c | sort >expected
	[ "$(wc -l <expected)" -ge 40 ]
	calls | awk -f "$BATS_TEST_DIRNAME/expected.awk" expected -
}

@test "what the pass calls exact is what runs" {
	grep -c ' exact ' "$BATS_FILE_TMPDIR/found" >count
	[ "$(cat count)" -ge 30 ]
	awk '/ exact / { n = NF; if ($(n-6) != $(n-2) || $(n-5) != $(n-1) || $(n-4) != $n) { print; bad = 1 } } END { exit bad }' "$BATS_FILE_TMPDIR/found"
}

@test "no access is outside the bytes that the pass says" {
	awk '{ n = NF; if ($n && ($(n-2) < $(n-6) || $(n-1) > $(n-5))) { print; bad = 1 } } END { exit bad }' "$BATS_FILE_TMPDIR/found"
}

@test "the program says what it says without the pass, at every level" {
	local level name
	for level in -O1 -O2 -O3 -Os -Oz; do
		for name in shapes bases; do
			"$cc" $level -w --pass=off "$BATS_TEST_DIRNAME/$name.c" -o plain
			"$cc" $level -w "$BATS_TEST_DIRNAME/$name.c" -o moved
			./plain >expected
			./moved >said
			diff expected said
			diff expected "$BATS_FILE_TMPDIR/said_$name"
		done
	done
}

# What is freed is filled, so that its use shows.
@test "the compiler uses nothing that the pass has freed" {
	local word
	for word in off half check count; do
		MALLOC_PERTURB_=85 "$cc" -O2 -w --pass=$word -fno-crash-diagnostics -c "$BATS_TEST_DIRNAME/bases.c"
	done
}

@test "every reason for no call has a line of the source" {
	"$cc" -O2 -w -c -Rpass=affinity -Rpass-missed=affinity "$BATS_TEST_DIRNAME/bases.c" -o x.o 2>told
	line=$(grep -n 'for (; l; l = l->next)' "$BATS_TEST_DIRNAME/bases.c" | cut -d : -f 1)
	grep -E "bases.c:$((line + 1)):.*no page migration for this access: " told
	grep -E "bases.c:[0-9]+:[0-9]+: remark: page migration of v before this loop, for 2 accesses" told
}

@test "an array on the stack has a remark with its loop's line, and no call" {
	cat >x.c <<-'END'
		void use(int *);
		int local(int n)
		{
			int own[64], s = 0;
			use(own);
			for (int i = 0; i < n; i++)
				s = s * 3 + own[i];
			return s;
		}
	END
	"$cc" -O2 -S -emit-llvm -Rpass-missed=affinity x.c -o x.ll 2>told
	grep -E '^x.c:7:[0-9]+: remark: no page migration for this access: the array is on the stack .loop of line 6. ' told
	[ "$(grep -c affinity_inserted x.ll)" -eq 0 ]
}

@test "what a condition guards counts every second time with --pass=half" {
	cat >x.c <<-'END'
		int v[100];
		__attribute__((noinline)) void f(int *x, int n) { for (int i = 0; i < n; i++) if (x[i] & 1) x[i] = 5; }
		int main(void) { f(v, 100); return 0; }
	END
	"$cc" -O2 --pass=check x.c -o all
	"$cc" -O2 --pass=check --pass=half x.c -o half
	AFFINITY_PASS_CHECK=- ./all 2>&1 | grep -F "f 'argument 1' estimated 0 399 200 ran 0 399 100"
	AFFINITY_PASS_CHECK=- ./half 2>&1 | grep -F "f 'argument 1' estimated 0 399 150 ran 0 399 100"
}

@test "volatile accesses and atomics stay as they are" {
	cat >x.c <<-'END'
		void volatiles(volatile int *x, int n) { for (int i = 0; i < n; i++) x[i] = i; }
		void atomics(int *x, int n) { for (int i = 0; i < n; i++) __atomic_fetch_add(&x[i], 1, __ATOMIC_RELAXED); }
	END
	"$cc" -O2 -S -emit-llvm x.c -o with.ll
	"$cc" -O2 -S -emit-llvm --pass=off x.c -o without.ll
	diff <(grep -v '^attributes' with.ll) <(grep -v '^attributes' without.ll)
	[ "$(grep -c affinity_inserted with.ll)" -eq 0 ]
}

@test "at -O0 nothing is inserted" {
	"$cc" -O0 -S -emit-llvm -w "$BATS_TEST_DIRNAME/bases.c" -o x.ll
	[ "$(grep -c affinity_inserted x.ll)" -eq 0 ]
}

@test "main begins the runtime, the call has a guard, every exit a release" {
	cat >x.c <<-'END'
		void f(int *x, int n) { for (int i = 0; i < n; i++) { if (x[i] == 3) break; x[i] = i; } }
		int main(int n, char **x) { f((int *)x, n); return 0; }
	END
	"$cc" -O1 -fno-inline -S -emit-llvm x.c -o x.ll
	awk '/^define .*@main/ { inside = 1 } inside && /call/ { print; exit }' x.ll | grep affinity_inserted_begin
	[ "$(grep -c "call void @affinity_inserted_call" x.ll)" -eq 1 ]
	grep 'call void @affinity_inserted_release' x.ll
}
