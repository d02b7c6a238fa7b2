#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The loops of the kernels whose threads write the same line, as built: the atomic instruction, the stores and loads
# that they promise, and no others.

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return 1
	objects=${AFFINITY_BUILD:-build}/kernels
	scratch=$BATS_TEST_TMPDIR/scratch
	if [[ -e $objects/contended.o ]] && nm "$objects/contended.o" | grep -qE '__(asan|tsan|ubsan|msan|gcov|llvm_prof)'; then
		skip "$objects is instrumented: its loops do more than they say"
	fi
}

# counts OBJECT FUNCTION: of its loop, all from the lowest target of a jump backwards to the last such jump: atomic
# instructions by name, stores, loads, and what has no business there (the stack, calls, hints to wait). gcc may
# call the function of its own library that is the atomic instruction where the processor has one (64-bit Arm).
counts() {
	"${OBJDUMP:-objdump}" -dr --no-show-raw-insn "$1" | awk -v wanted="$2" '
		/file format/ { aarch64 = /aarch64/ }
		/^[0-9a-f]+ </ { inside = $2 ~ "^<" wanted "(\\.[a-z0-9.]*)?>:$" && $2 !~ /\.cold/; next }
		inside && /R_AARCH64_CALL26/ { text[n] = "call " $NF; next }
		inside && /^ *[0-9a-f]+:\t/ {
			line = $0
			sub(/ *(#|\/\/).*/, "", line)
			address = $1
			sub(/:$/, "", address)
			at[address] = ++n
			sub(/^ *[0-9a-f]+:\t/, "", line)
			text[n] = line
			if (match(line, /[0-9a-f]+ <[^>]*>$/)) {
				target[n] = substr(line, RSTART)
				sub(/ .*/, "", target[n])
			}
		}
		END {
			from = n + 1
			for (i = 1; i <= n; i++)
				if ((target[i] in at) && at[target[i]] <= i) {
					to = i
					if (at[target[i]] < from)
						from = at[target[i]]
				}
			for (i = from; i <= to; i++) {
				t = text[i]
				gsub(/[ \t]+/, " ", t)
				if (wanted !~ /^loop/ && t ~ /\[sp|%rsp/)
					continue # around the call of what waits for longer
				if (t ~ /^(call|push|pop|pause|isb|yield|bl )/ && t !~ /__aarch64_(ldadd|cas)8/)
					strange = strange " " t
				else if (t ~ /__aarch64_ldadd8/ || t ~ /^lock xadd/ || t ~ /^ldadd/)
					add++
				else if (t ~ /__aarch64_cas8/ || t ~ /^lock cmpxchg/ || t ~ /^cas/)
					cas++
				else if (t ~ /^(lock|xchg +%[^,]*,.*\(|stl?xr|ldax?r)/ && t !~ /^ldar/)
					strange = strange " " t
				else if (aarch64 ? t ~ /^st/ : t ~ /^mov[a-z]* +[^(]*,.*\(/)
					stores++
				else if (aarch64 ? t ~ /^ld/ : t ~ /^mov[a-z]* +.*\(.*\),/)
					loads++
				else if (!aarch64 && t ~ /^add[a-z]* +[^(]*,.*\(/) {
					loads++
					stores++
				}
			}
			printf "%s: add %d cas %d stores %d loads %d%s\n", wanted, add, cas, stores, loads, strange
		}'
}

# promised OBJECT FUNCTION COUNTS
promised() {
	local found
	found=$(counts "$1" "$2")
	echo "found    $found"
	echo "promised $2: $3"
	[[ $found == "$2: $3" ]]
}

# rally FUNCTION COUNTS: the same for pingpong, where compilers unroll the loads that look again and again, and put
# the call of what waits for longer where they like. A hint to wait would be in the way.
rally() {
	local found
	found=$(counts "$objects/pingpong.o" "$1")
	echo "found $found, promised $2 and loads"
	[[ $found == *": $2 loads "[1-9]* && ! $found =~ pause|isb|yield|lock|xchg ]]
}

@test "the loops of atomic_add, atomic_cas and false_sharing do what they say, once a round" {
	promised "$objects/contended.o" loop_atomic_add 'add 1 cas 0 stores 0 loads 0'
	promised "$objects/contended.o" loop_atomic_cas 'add 0 cas 1 stores 0 loads 1'
	promised "$objects/contended.o" loop_false_sharing 'add 0 cas 0 stores 1 loads 1'
}

@test "each handover of pingpong is one store, or one compare-and-swap, and nothing waits in its way" {
	rally serve_store 'add 0 cas 0 stores 1'
	rally answer_store 'add 0 cas 0 stores 1'
	rally serve_cas 'add 0 cas 1 stores 0'
	rally answer_cas 'add 0 cas 1 stores 0'
}

# compile BODY: loop_atomic_add around BODY, of uint64_t *p and n, as an object.
compile() {
	unset OBJDUMP CC # of this machine, whatever the objects above are for
	printf '#include <stdint.h>\nvoid loop_atomic_add(uint64_t *p, uint64_t n);\n%s\n{ do { %s } while (--n); }\n' \
		'void loop_atomic_add(uint64_t *p, uint64_t n)' "$1" >"$scratch.c"
	cc -std=gnu11 -O2 -c "$scratch.c" -o "$scratch.o"
}

@test "an addition that is not atomic, is done twice, or beside a store, would be found" {
	compile '__asm__ volatile("" : "+r"(*p) : : "memory"); *p += 1; __asm__ volatile("" : : : "memory");'
	[[ $(counts "$scratch.o" loop_atomic_add) == *"add 0 "* ]]
	compile 'n -= __atomic_fetch_add(p, 1, 5) & 1; n -= __atomic_fetch_add(p, 1, 5) & 1;'
	[[ $(counts "$scratch.o" loop_atomic_add) == *"add 2 "* ]]
	compile 'n -= __atomic_fetch_add(p, 1, 0) & 1; p[8] = n; __asm__ volatile("" : : : "memory");'
	[[ $(counts "$scratch.o" loop_atomic_add) == *"add 1 cas 0 stores 1 "* ]]
}
