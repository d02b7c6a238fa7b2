#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs with the pass under the sanitizers: nothing is misused, they compute what they do without both, and what the
# pass calls exact is what runs.

# shellcheck source=tests/pass/helper.bash
source "$BATS_TEST_DIRNAME/helper.bash"

sanitize=-fsanitize=address,undefined
export UBSAN_OPTIONS=halt_on_error=1

setup() {
	pass_setup
	[ -z "$lacking" ] || skip "$lacking"
	cd "$BATS_TEST_TMPDIR" || return 1
	echo 'int main(void) { return 0; }' >none.c
}

# sanitized OPTION... FILE -o PROGRAM
sanitized() {
	"$cc" "$sanitize" none.c -o none 2>why || skip "no sanitizers of this compiler: $(head -n 1 why)"
	"$cc" -g -w "$sanitize" "$@"
}

@test "calls of small functions are the same beside the checks of the sanitizers" {
	local name
	for name in shapes bases; do
		"$cc" -O1 -w --pass=off "$BATS_TEST_DIRNAME/$name.c" -o plain
		sanitized -O2 --pass=check "$BATS_TEST_DIRNAME/$name.c" -o checked
		./plain >expected
		rm -f found
		AFFINITY_PASS_CHECK=found ./checked >said
		diff expected said
		[ "$(grep -c ' exact ' found)" -ge 10 ]
		awk '/ exact / { n = NF; if ($(n-6) != $(n-2) || $(n-5) != $(n-1) || $(n-4) != $n) { print; bad = 1 } } END { exit bad }' found
		awk '{ n = NF; if ($n && ($(n-2) < $(n-6) || $(n-1) > $(n-5))) { print; bad = 1 } } END { exit bad }' found
	done
}

# clean PROGRAM ARGUMENT...: of bench/migration, with threads bound and pages moved where the machine has nodes.
clean() {
	local source=$BATS_TEST_DIRNAME/../../bench/migration/$1.c
	shift
	"$cc" -O1 --pass=off "$source" -lm -o plain
	sanitized -O2 "$source" -lm -o moved
	rm -f trace
	./plain "$@" >expected
	AFFINITY_SPM_LOCK=node_rr AFFINITY_SPM_PIN=tree AFFINITY_SPM_CACHE_BYTES=4KiB AFFINITY_PASS_TRACE=trace ./moved "$@" >said
	diff expected said
	grep -q . trace
}

@test "the programs of the works compute under the sanitizers what they compute without the pass" {
	clean product 2 64 3
	clean matrix_add 2 64 3
	clean lu 2 64 2
	clean cholesky 2 64 2
	clean strsearch 4 65536 16 16
	clean bucketsort 4 4000
	clean knn 4 2048 8 8
}

@test "reports from which a program goes on change few calls; a remark says what is lost" {
	cat >x.c <<-'END'
		unsigned long sum(const long *p, const long *end)
		{
			unsigned long s = 0;
			while (p != end)
				s = s * 5 + (unsigned long)*p++;
			return s;
		}
		void add(int *x, int n)
		{
			for (int i = 0; i < n; i++)
				x[i] += i;
		}
	END
	sanitized -O2 -c x.c -Rpass=affinity -Rpass-missed=affinity -o x.o 2>told
	if "$("$cc" --affinity-compiler)" --version | grep -qF 'clang version 14.'; then
		grep -E '^x.c:4:[0-9]+: remark: page migration of .* access .-Rpass' told
	else
		grep -E '^x.c:4:[0-9]+: remark: page migration of |^x.c:5:[0-9]+: remark: no page migration .*loop of line 4. ' told
	fi
	grep -E '^x.c:10:[0-9]+: remark: page migration of .* accesses .-Rpass' told
	sanitized -O2 -c x.c -Rpass=affinity -Rpass-missed=affinity -fno-sanitize-recover=all -o x.o 2>told
	grep -E '^x.c:5:[0-9]+: remark: no page migration for this access: .*loop of line 4. ' told
	grep -E '^x.c:10:[0-9]+: remark: page migration of .* accesses, estimated ' told
	sanitized -O2 -c x.c -Rpass=affinity -fno-sanitize=undefined -o x.o 2>told
	grep -E '^x.c:4:[0-9]+: remark: page migration of ' told
	grep -E '^x.c:10:[0-9]+: remark: page migration of .* accesses .-Rpass' told
}

@test "under ThreadSanitizer threads are not bound, and a line says so" {
	sanitize=-fsanitize=thread sanitized -O2 "$BATS_TEST_DIRNAME/../../bench/migration/product.c" -o moved
	AFFINITY_SPM_LOCK=node_rr ./moved 2 64 3 >said 2>told
	[ "$(cat told)" = "affinity: threads are not bound: AFFINITY_SPM_LOCK does not work under ThreadSanitizer" ]
	./moved 2 64 3 2>&1 | diff said -
}
