#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=dash
# Every file of args/migration, all of its policies, movers, pages and pairs of nodes, with little work: which pages
# move, by whose decision, and that none is refused where there is room. And its programs as the compiler pass makes them
# of plain C, beside the kernels that make the calls by hand.

works='product matrix_add lu cholesky strsearch bucketsort knn'

# Compiles them, where this host can; options for the machine.
compiled_programs() {
	cd "$(dirname "$0")/../.." || exit 1
	folder=${AFFINITY_BUILD:-build}/numa/compiled
	mkdir -p "$folder"
	for name in $works; do
		scripts/affinity-cc -O2 "bench/migration/$name.c" -lm -o "$folder/$name" || return
		echo "--program $folder/$name=/bin/compiled_$name"
	done
}

if [ "${AFFINITY_GUEST-}" != yes ]; then
	# shellcheck disable=SC2034 # lib.sh uses it
	boot_options=$(compiled_programs 2>/dev/null) || boot_options=''
fi

# shellcheck source=tests/numa/lib.sh
. "$(dirname "$0")/lib.sh"

echo madvise >/sys/kernel/mm/transparent_hugepage/enabled
for node in 0 1 2 3; do
	echo 72 >"$sys/node/node$node/hugepages/hugepages-2048kB/nr_hugepages"
done

measured() { # NAME ALLOWED-REASON WORD...: runs may be skipped for this reason only
	local name=$1 allowed=$2 status=0
	shift 2
	title "$name: all of its runs"
	rm -f report json
	affinity --json json --set placements=1 --set samples=2 --set warmup=0 "$@" "args/migration/$name.args" report \
		>messages 2>&1 || status=$?
	same 'exit status' 0 "$status"
	wrong "$(grep 'skipped:' messages | grep -v -e "$allowed")"
	mkdir -p "/out/$name"
	cp json report "/out/$name"
}

# One figure of a table: by the heads of its row and column.
cell() { # QUANTITY ROW COLUMN [WORDS of the table's title]
	awk -v quantity="$1" -v row="$2" -v column="$3" -v words="${4-}" '
		/^[a-z]/ { of = $1 == quantity && (words == "" || index($0, words)) ? 2 : 0; next }
		/^$/ { of = 0 }
		of == 2 { for (i = NF; i > 0; i--) if ($i == column) from_end = NF - i; of = 1; next }
		of == 1 && $1 == row { print $(NF - from_end); exit }' report
}

# One row of a table, without its head.
row_of() { # QUANTITY ROW
	awk -v quantity="$1" -v row="$2" '
		/^[a-z]/ { on = $1 == quantity; next }
		on && $1 == row { $1 = ""; print substr($0, 2); exit }' report
}

is_about() { # WHAT FOUND LEAST MOST
	echo "$2" | awk -v least="$3" -v most="$4" '{ exit !($1 >= least && $1 <= most) }' ||
		wrong "$1: $2, not $3 to $4"
}

no_pages_of='free pages of 1 GiB are needed'

# ---- what a move costs

# Pages of 4 KiB of 64 MiB from each node to each other.
all_pairs() {
	local pages=$1 row
	for row in "0 $pages $pages $pages" "$pages 0 $pages $pages" "$pages $pages 0 $pages" "$pages $pages $pages 0"; do
		echo "$row"
	done
}

measured cost_pairs "$no_pages_of"
for mover in move_pages copy; do
	for page in base thp 2M; do
		same "pages of $page moved by $mover" "$(all_pairs 16384)" "$(cells pages_moved "page=$page, mover=$mover")"
		same "pages of $page that $mover left" "$(all_pairs 0)" "$(cells pages_refused "page=$page, mover=$mover")"
	done
done

measured cost_movers "$no_pages_of"
for page in base thp 2M; do
	same "pages of $page moved by each mover" '16384 16384 16384 16384' "$(row_of pages_moved $page)"
	same "pages of $page that stayed" '0 0 0 0' "$(row_of pages_refused $page)"
done
measured cost_batch "$no_pages_of"
same 'runs' 72 "$(grep -c '^ *"operations": ' json)"
measured cost_there "$no_pages_of"
same 'runs' 72 "$(grep -c '^ *"operations": ' json)"
measured cost_bystanders "$no_pages_of" --set sizePerVector=4MiB --set 'passes=1 2'
measured cost_threads_own "$no_pages_of\|more threads than usable" --set 'sweep=n = 1 2'
measured cost_threads_same "$no_pages_of\|more threads than usable" --set 'sweep=n = 1 2'
same 'pages that two threads moved together' '16384 16384' "$(cells pages_moved page=base | tail -n 1)"
measured break_even 'no other reason' --set 'sweep=size = 1MiB 16MiB 64MiB'

measured break_even_uses 'no other reason' --set 'sweep=uses = 1 4' --set sizePerVector=4MiB
for mover in none move_pages; do
	same "pages refused with mover $mover" '0 0 0 0 0 0
0 0 0 0 0 0' "$(cells pages_refused "mover=$mover")"
done
same 'kernels that use, with a crossing' 6 "$(awk '/^[a-z]/ { on = /^crossing along uses/; next } on && NF' report |
	grep -c -E '^ +(read|write|read_write|load|chase|gups) ')"
same 'pages moved by each' "$(yes 1024 | head -n 12 | tr '\n' ' ')" \
	"$(awk '/"pages_moved": \{/ { getline; if ($2 + 0) printf "%d ", $2 }' json | cut -d ' ' -f 1-12) "

# ---- programs: a small cache, so that small matrices are worth a move

program() { # NAME ROWS [WORD...]: two rows, in the first the rule moves nothing, in the second something
	local name=$1 few=${2% *} many=${2#* }
	shift 2
	measured "$name" 'no other reason' --set switch_balancing=yes --set cache_bytes=64KiB "$@"
	same 'calls accepted of the baseline' 0 "$(cell spm_accepted "$few" baseline)"
	same "calls accepted at $few" 0 "$(cell spm_accepted "$few" spm)"
	[ "$many" = none ] || is_about "calls accepted at $many" "$(cell spm_accepted "$many" spm)" 1 1e9
	is_about 'pages moved without a rule' "$(cell spm_pages_moved "$few" eager)" 1 1e9
}

program add '100 none' --set 'sweep=n = 100' --set 'sizePerVector=1MiB*'
program product '100 256' --set 'sweep=n = 100 256' --set 'sizePerVector=1MiB*'
program product_thp '100 256' --set 'sweep=n = 100 256' --set 'sizePerVector=2MiB*'
program lu '100 800' --set 'sweep=n = 100 800' --set 'sizePerVector=6MiB*' --set samples=1
program cholesky '100 800' --set 'sweep=n = 100 800' --set 'sizePerVector=6MiB*' --set samples=1
program strsearch '8 16' --set 'sweep=queries = 8 16' --set sizePerVector=2MiB
measured bucketsort 'no other reason' --set switch_balancing=yes --set 'sweep=size = 16KiB 128KiB'
same 'calls accepted with the test of sizes' 0 "$(cell spm_accepted 128KiB spm test=yes)"
is_about 'calls accepted without it' "$(cell spm_accepted 128KiB spm test=no)" 1 1e9
measured knn 'no other reason' --set 'sweep=queries = 8 400' --set sizePerVector=1MiB
measured fig3 'no other reason' --set 'sweep=side = 32 64' --set 'sizePerVector=64 4096 262144'

measured policies 'no other reason' --set switch_balancing=yes --set 'sweep=queries = 8 32' --set sizePerVector=4MiB
for queries in 8 32; do
	# of eight threads on four nodes two are at home
	same 'pages on other nodes by round_robin' 768 "$(cell pages_away $queries round_robin)"
	for policy in interleave minas; do
		same "pages on other nodes by $policy" 768 "$(cell pages_away $queries $policy)"
	done
done

# ---- programs as the compiler pass makes them

# Figures of a program: calls accepted, pages asked, moved, and all that did not move.
by_hand() { # KERNEL THREADS VECTORS LINE...
	local kernel=$1 threads=$2 vectors=$3
	shift 3
	printf '%s\n' "kernels: $kernel" "threads: $threads" 'mapping: os' "nodePerVector: first*$vectors" \
		"vectorPerThread: $(yes all | head -n "$vectors" | paste -s -d ,)" 'pagesPerVector: base*' 'samples: 1' \
		'warmup: 0' 'placements: 1' 'policy: spm+lock' 'cache_bytes: 64KiB' "$@" >hand.args
	affinity --quiet --json json hand.args - >messages 2>&1 || wrong "exit status $?: $(head -n 3 messages)"
	hand="$(figure spm_accepted) calls, $(figure spm_pages_asked) pages"
}

kernel_moved() {
	echo 1 >/proc/sys/vm/stat_refresh
	awk '$1 == "pgmigrate_success" { print $2 }' /proc/vmstat
}

# of all threads but main's, which is the first
counts_of() { # COLUMN...
	awk -v columns="$*" '/^thread / { for (i = 1; i <= NF; i++) at[$i] = i; next }
		/^[0-9]/ { n = split(columns, c, " "); for (i = 1; i <= n; i++) sum += $at[c[i]] } END { print sum + 0 }' counts
}

compiled() { # NAME ARGUMENT...
	local name=$1 before
	shift
	rm -f counts
	before=$(kernel_moved)
	AFFINITY_SPM_LOCK=node_rr AFFINITY_SPM_CACHE_BYTES=64KiB AFFINITY_PASS_COUNTS=counts "compiled_$name" "$@" >messages 2>&1 ||
		wrong "exit status $?: $(head -n 3 messages)"
	by_kernel=$(($(kernel_moved) - before))
	same 'calls and pages' "$hand" "$(counts_of accepted) calls, $(counts_of pages_asked) pages"
	same 'pages that the kernel moved' "$(counts_of moved)" "$by_kernel"
	same 'pages refused' 0 "$(counts_of refused)"
}

# A set of a pool may be taken by a thread that has it at home, so that no page moves.
side_by_side() { # NAME ROW WORD...
	local name=$1 row=$2 quantity
	shift 2
	measured "$name" 'no other reason' --set cache_bytes=64KiB "$@"
	is_about 'pages asked for' "$(cell spm_pages_asked "$row" compiled)" 1 1e9
	for quantity in spm_accepted spm_pages_asked; do
		same "$quantity of both" "$(cell $quantity "$row" spm)" "$(cell $quantity "$row" compiled)"
	done
}

if command -v compiled_knn >/dev/null; then
	title 'strsearch, compiled: slices move to the nodes of their threads, as by hand'
	by_hand strsearch 4 1 'sizePerVector: 262144' 'queries: 16'
	compiled strsearch 4 262144 16 16
	is_about 'pages moved, of three slices of four' "$by_kernel" 45 54
	title 'the other programs, compiled: as many calls and pages as by hand, and the kernel moved what they count'
	by_hand product 4 3 'typePerVector: double*' 'sizePerVector: 196608*' 'matrix: 256'
	compiled product 4 256 3
	by_hand matrix_add 4 3 'typePerVector: double*' 'sizePerVector: 196608*' 'matrix: 256'
	compiled matrix_add 4 256 3
	same 'pages that additions moved' 0 "$by_kernel"
	by_hand lu 2 3 'typePerVector: double*' 'sizePerVector: 131072*' 'matrix: 256'
	compiled lu 2 256 2
	by_hand cholesky 2 2 'typePerVector: double*' 'sizePerVector: 640000*' 'matrix: 800'
	compiled cholesky 2 800 1
	by_hand bucketsort 4 1 'typePerVector: int*' 'sizePerVector: 200012'
	compiled bucketsort 4 40000
	by_hand knn 4 1 'typePerVector: double*' 'sizePerVector: 131072' 'queries: 300' 'neighbours: 2' 'hoisted: yes'
	compiled knn 4 65536 300 2
	# the kernels themselves, beside their calls by hand
	side_by_side compiled 256 --set 'sweep=program = product' --set 'sweep=n = 100 256' --set 'sizePerVector=1MiB*'
	side_by_side compiled_cholesky 640 --set 'sweep=n = 640' --set 'sizePerVector=3276800B*' --set samples=1
	side_by_side compiled_strsearch 16 --set 'sweep=queries = 8 16' --set sizePerVector=2MiB
	is_about 'pages moved, of six slices of eight' "$(cell spm_pages_moved 16 compiled)" 1 1e9
	side_by_side compiled_bucketsort 256KiB --set 'sweep=size = 256KiB' --set 'sweep=test = no'
	side_by_side compiled_knn 300 --set 'sweep=queries = 300' --set neighbours=2 --set sizePerVector=1MiB
	measured compiled_cost 'no other reason' --set 'sweep=n = 4' --set 'sizePerVector=4KiB*'
	same 'calls accepted' '0 0' "$(cell spm_accepted 4 spm inline=no) $(cell spm_accepted 4 compiled inline=no)"
else
	title 'programs, compiled: # SKIP this host has no compiler pass'
fi
finish
