#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The whole pipeline on a machine whose memory is near and far: ring4 with tests/numa/distance_plugin.c, a model. Its
# times are the model's; tests/numa/distance.bats has the traffic that it counts.
# alone: the emulator's times are true only while the host gives it its CPUs
# twice: others may use the host, too

bats_require_minimum_version 1.5.0

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/distance.bash
source "$BATS_TEST_DIRNAME/../distance.bash"
# shellcheck source=tests/pages.bash
source "$BATS_TEST_DIRNAME/../pages.bash"

# Two threads that use one near memory all the time are slowed by a third, two that share the way to a far one
# by more than that.
bandwidth=,memory=24000,link=100000
placements="none s mc bq mc_s mc_bq_s" # by their overhead in the thesis's table 5.11, of reads

setup_file() {
	driver_setup
	find_distance_lack nm jq readelf
	[ -n "$LACKING" ] || run_all
}

run_all() {
	build_distance
	cat >guest.sh <<-END
		$guest_begins
		affinity --quiet $strided --json /out/matrix.json matrix.args /out/matrix.txt || exit
		for name in ll lr rr; do
			affinity --quiet $strided --set opType=read --set numIter=4 --json /out/\$name.json \$name.args /out/\$name.txt || exit
		done
		affinity --quiet $strided --set opType=write --json /out/write.json lr.args /out/write.txt || exit
		for name in $placements; do
			affinity --quiet $strided --set opType=read --set numIter=8 --set statistic=min \
				--json /out/\$name.json private/\$name.args /out/\$name.txt || exit
		done
		affinity --quiet --set mode=work --set loads=200 --set placements=1 --set numIter=5 --set warmup=0 --set tamPerVector=64KiB \
			--json /out/latency.json latency.args /out/latency.txt || exit
		# the caches that the emulated CPU tells of are not those of the model, which hold 1 KiB
		sed -i 's/"times_caches": [^,]*/"times_caches": 64/' /out/latency.json
		# an interrupt takes the emulator more than a hundredth of a sample: the model does not see it
		affinity --force --export-memattrs /out/attributes.xml /out/latency.json || exit
		sed '/^baseline/d; /^table.*speedup/d; /^table.*crossing/d' decode.args >weights.args
		affinity --quiet $few_weights --set samples=6 --set statistic=min --set 'sweep=n = 1 8' \
			--json /out/decode.json decode.args /out/decode.txt || exit
	END
	# with a directory: longer rounds, so that readers can lose each other and meet again
	cat >directory.sh <<-END
		$guest_begins
		for name in ll rr; do
			affinity --quiet $strided --set opType=read --set numIter=5 --json /out/\$name.json \$name.args /out/\$name.txt || exit
		done
		$(shared lr --set solo=yes lr.args)
		$(shared half half/lr.args)
		$(shared delay --set "'sweep=delay_ms = 0 30'" sleep/lr.args)
	END
	cat >mutant.sh <<-END
		$guest_begins
		$(shared lr --set solo=yes lr.args)
	END
	policies_script >policies.sh
	boot policies policies.sh ,unit=300
	advice_script >advice.sh
	boot advice advice.sh "$bandwidth"
	make_mutant
	boot directory directory.sh ,directory=1
	boot mutant mutant.sh ,directory=1 ./affinity-mutant=/bin/affinity
	boot out guest.sh "$bandwidth"
}

# Programs whose thread is two hops from its vectors, with policies that move pages. QEMU counts each access of a
# program's loop, beside which a move of small pages costs next to nothing; that of a huge page, of which the text and
# the matrices of the addition use little, costs some searches.
policies_script() {
	echo "$guest_begins"
	cat <<-'END'
		program() { # NAME OPTION...
			local name=$1
			shift
			printf '%s\n' "opType: $name" "nodePerThread: 2" 'policy: $policy' "placements: 1" "numIter: 5" >$name.args
			affinity --quiet "$@" --json /out/$name.json $name.args /out/$name.txt
		}
		matrices="--set typePerVector=double* --set vectorPerThread=0,0,0"
		program strsearch --set 'sweep=queries = 1 64' --set 'sweep=policy = baseline eager' --set 'queries=$queries' \
			--set nodePerVector=0 --set vectorPerThread=0 --set tamPerVector=16KiB --set pagesPerVector=thp || exit
		program matrix_add --set 'sweep=policy = baseline spm eager' $matrices --set matrix=32 --set 'nodePerVector=0 0 0' \
			--set tamPerVector=8KiB* --set pagesPerVector=thp* || exit
		program product --set 'sweep=policy = baseline spm' $matrices --set matrix=32 --set 'nodePerVector=0 0 0' \
			--set reuse_threshold=20 --set size_test=no --set tamPerVector=8KiB* --set pagesPerVector=base* || exit
	END
}

# A profile of the machine: a thread alone at each distance, and two with a vector each; then files that leave places open,
# whose best placements are measured, too. The caches that the emulated CPU tells of are not those of the model.
advice_script() {
	cat <<-END
		$guest_begins
		sets="$strided --set caches=1K --set opType=read --set statistic=min --set numIter=4"
		mkdir profile
		affinity --quiet \$sets --set speedupCalc=read/read --json profile/matrix.json matrix.args /out/matrix.txt || exit
		for name in $placements; do
			# of two that slow each other the least time of each would be one without the other
			affinity --quiet \$sets --set statistic=median --set numIter=9 --json profile/\$name.json private/\$name.args /out/\$name.txt || exit
		done
		affinity --quiet --set caches=1K --set mode=work --set loads=200 --set placements=1 --set numIter=4 --set statistic=min \
			--set warmup=0 --set tamPerVector=64KiB --json profile/latency.json latency.args /out/latency.txt || exit
		affinity --quiet --set caches=1K --set kernels=load --set isa=scalar --set unroll=1 --set placements=1 --set numIter=16 \
			--set statistic=min --set 'sizePerVector=16KiB*' --set passes=1 --json profile/bandwidth.json \
			bandwidth.args /out/bandwidth.txt || exit
		gemv="--set kernels=gemv --set weights=f32 --set columns=128 --set isa=scalar --set prefetch=0 --set rows=1 --set passes=1"
		gemv="\$gemv --set typePerVector=double --set pagesPerVector=base --set placements=1 --set warmup=0 --set caches=1K"
		printf '%s\n' 'sweep: v = nodes interleave' 'sweep: size = 16KiB 32KiB' 'nodePerThread: 0' 'nodePerVector: \$v' \
			'vectorPerThread: 0' 'sizePerVector: \$size' >weights.args
		affinity --quiet \$gemv --set samples=3 --set statistic=min --json profile/weights.json weights.args /out/weights.txt || exit
		cp -r profile /out
		advise() { # NAME VERIFY LINE...
			local name=\$1 verify=\$2
			shift 2
			printf '%s\n' 'stride: 192B' "\$@" >\$name.args
			affinity --force \$sets --verify \$verify --json /out/\$name.json --advise profile \$name.args /out/\$name.txt \
				2>/out/\$name.messages || echo "exit \$?" >>/out/\$name.messages
		}
		affinity --force --worth profile --json /out/worth.json --output /out/worth.txt 2>/out/worth.messages
		advise thread 2 'nodePerThread: ?' 'nodePerVector: 2' 'vectorPerThread: 0'
		advise vector 2 'nodePerThread: 1' 'nodePerVector: ?' 'vectorPerThread: 0'
		weights() { # NAME NODES-OF-THREADS
			printf '%s\n' "nodePerThread: \$2" 'nodePerVector: ?' 'vectorPerThread: all' 'sizePerVector: 64KiB' >weights.args
			affinity --force \$gemv --verify 0 --json /out/\$1.json --advise profile weights.args /out/\$1.txt \
				2>/out/\$1.messages || echo "exit \$?" >>/out/\$1.messages
		}
		weights all '0*2 1*2 2*2 3*2'
		weights one 0
		advise both 0 'nodePerThread: ? ?' 'nodePerVector: ? ?' 'vectorPerThread: 0, 1'
	END
}

# A line of a script for the guest: two threads read one vector.
shared() { # NAME WORD...
	echo "affinity --quiet $strided --set opType=read --set tamPerVector=16KiB* --set numIter=9" \
		"--json /out/$1.json ${*:2} /out/$1.txt || exit"
}

# A driver without a common start: every second thread begins half a second later, when the first has ended.
make_mutant() {
	local build=${AFFINITY_BUILD:-build} libraries=(numa hwloc gsl jansson)
	[[ $build == /* ]] || build=$root/$build
	! ldd "$AFFINITY" | grep -q libpapi || libraries+=(papi)
	sed 's/^\tuint64_t now;$/\tstatic atomic_uint turn;\n&\n\n\tstart_ns += atomic_fetch_add(\&turn, 1) % 2 * UINT64_C(500000000);/' \
		"$root/src/core/measure/start_line.c" >start_line.c
	! cmp -s start_line.c "$root/src/core/measure/start_line.c"
	cp "$build/core.a" mutant.a
	"${CC:-gcc}" -std=gnu11 -D_GNU_SOURCE -O2 -I "$root/src/core" -c start_line.c -o start_line.o
	ar r mutant.a start_line.o
	# shellcheck disable=SC2046 # words
	"${CC:-gcc}" -fopenmp -Wl,--as-needed -o affinity-mutant "$build"/src/{tools/affinity/main,core/base/malloc}.o mutant.a \
		$(pkg-config --libs "${libraries[@]}") -lm -ldl
}

setup() {
	driver_setup
	[ -z "$LACKING" ] || skip "$LACKING"
	cd "$BATS_FILE_TMPDIR" || return 1
}

# token PLACE THREADS: seconds that the slowest thread of the quickest sample takes.
token() {
	jq --arg place "$1" --arg n "$2" '.runs[] | select(.values.placement == $place and .values.n == $n)
		| [.operations[0].threads[].samples | map(.busy_s)] | transpose | map(max) | min' out/decode.json
}

@test "copies beat an interleave and that one node with all threads; with one thread one node wins" {
	less 0.85 "$(token replicate 8)" "$(token interleave 8)"
	less 0.85 "$(token slices 8)" "$(token interleave 8)"
	less 0.85 "$(token interleave 8)" "$(token X 8)"
	less 0.85 "$(token X 1)" "$(token interleave 1)"
}

@test "what two threads change goes from cache to cache, what they read comes from memory" {
	# the page may be one that CPUs wrote to in an earlier run: each of its 64 lines may still come from such a
	# CPU's cache, once
	sed -n '/^run 3$/,/^run 4$/p' counts_out | awk '/loop_read_double/ { n++; loads += $7; caches += $13 }
		END { exit n != 2 || loads < 1024 || caches > 64 }'
	sed -n '/^run 5$/,/^run 6$/p' counts_out | awk '/loop_write_double/ { caches += $13 } END { exit caches <= 64 }'
}

# ---- time

# The middle of the least times of all pairs of nodes so many hops apart, in microseconds an access.
median_us() { # KERNEL HOPS
	jq -r --arg kernel "$1" --argjson hops "$2" '
		[.runs[] | (.threads[0].node - (.vectors[0].asked_node | tonumber) | fabs) as $d |
			select(([$d, 4 - $d] | min) == $hops) | .operations[] | select(.operation == $kernel) |
			.threads[0].figures | .min_s / .units * 1e6] | sort | .[length / 2 | floor]' out/matrix.json
}

us() { # NAME THREAD: of a suite's read
	jq -r --argjson thread "$2" '.runs[0].operations[0].threads[$thread].figures | .min_s / .units * 1e6' "out/$1.json"
}

# The same with a directory; of all samples, as the first finds nothing in it.
middle() { # NAME THREAD
	jq -r --argjson thread "$2" '.runs[0].operations[0].threads[$thread].figures | .median_s / .units * 1e6' "directory/$1.json"
}

# Never less than the model asks for; what a busy host adds must not hide a hop.
between() { # LEAST MOST MICROSECONDS
	echo "$3 us; the model has $1, what comes next in it $2"
	awk -v least="$1" -v most="$2" -v us="$3" 'BEGIN { exit !(us >= least * 0.95 && us < most) }'
}

@test "a local access is cheaper than one over a hop, that one cheaper than one over two" {
	local kernel
	for kernel in read write read_write write_read; do
		echo "$kernel"
		between 40 84 "$(median_us $kernel 0)"
		between 84 124 "$(median_us $kernel 1)"
		between 124 248 "$(median_us $kernel 2)"
		printf '%s\n' "$(median_us $kernel 0)" "$(median_us $kernel 1)" "$(median_us $kernel 2)" | sort -gc
	done
}

@test "LL: both threads at the local cost; RR: both at the remote one; LR: one each" {
	between 40 84 "$(us ll 0)"
	between 40 84 "$(us ll 1)"
	between 124 248 "$(us rr 0)"
	between 124 248 "$(us rr 1)"
	between 40 84 "$(us lr 0)"
	between 124 248 "$(us lr 1)"
}

@test "with a directory, LL stays at the local time and RR at the remote one" {
	local thread
	for thread in 0 1; do
		between 40 84 "$(middle ll "$thread")"
		between 124 248 "$(middle rr "$thread")"
	done
}

# ---- the directions of the thesis's tables, all in the model with a directory

# sorted FIELD FILE RUN THREAD [alone]: of the thread's nine samples, one a line.
sorted() {
	jq -r --arg field "$1" --argjson run "$3" --argjson thread "$4" --arg how "${5-}" '.runs[$run] | if $how == "alone"
		then .solo.runs[] | select(.thread == $thread) | .operations[0].threads[0]
		else .operations[0].threads[$thread] end | .samples[] | .[$field]' "$2.json" | sort -g
}

# The middle sample, the largest but one: where the host lets a CPU wait, the readers lose each other; and the least, to
# which a busy host has added nothing.
seconds() { sorted busy_s "$@" | sed -n 5p; }
most() { sorted busy_s "$@" | sed -n 8p; }
fewest() { sorted busy_s "$@" | head -n 1; }

# less FACTOR SECONDS SECONDS: the first is less than FACTOR times the second.
less() {
	echo "$2 s, less than $1 times $3 s?"
	awk -v factor="$1" -v a="$2" -v b="$3" 'BEGIN { exit !(a < factor * b) }'
}

# Beside each line are the thesis's seconds, of reads (its tables 5.1, 5.12, 5.15, 5.18).
@test "LR: the local reader is pulled towards the remote one's time, which it never has alone" {
	less 0.65 "$(fewest directory/lr 0 0 alone)" "$(seconds directory/lr 0 1 alone)" # 2.03 6.04
	less 0.70 "$(fewest directory/lr 0 0 alone)" "$(most directory/lr 0 0)"          # 2.03 6.49
	less 1.25 "$(fewest directory/lr 0 1)" "$(seconds directory/lr 0 1 alone)"       # 6.49 6.04
}

@test "half the work of the remote reader frees the local one before its end" {
	less 0.65 "$(fewest directory/half 0 1)" "$(seconds directory/lr 0 1)"    # 2.76 6.49
	less 0.90 "$(fewest directory/half 0 0)" "$(most directory/lr 0 0)"       # 3.18 6.49
	less 0.95 "$(fewest directory/lr 0 0 alone)" "$(most directory/half 0 0)" # 2.03 3.18
}

@test "a delay of the remote reader frees the local one, and costs the remote one no more than the delay" {
	local together
	less 0.80 "$(fewest directory/delay 1 0)" "$(most directory/delay 0 0)" # 4.12 6.49
	together=$(sorted cost_s directory/delay 0 1 | sed -n 5p)
	less 1.15 "$(sorted cost_s directory/delay 1 1 | head -n 1)" "$(awk -v s="$together" 'BEGIN { print s + 0.030 }')" # 6.00 6.99
}

@test "a driver whose threads begin one after another pulls nobody: the same test finds it" {
	less 0.65 "$(fewest mutant/lr 0 0 alone)" "$(seconds mutant/lr 0 1 alone)"
	run less 0.70 "$(fewest mutant/lr 0 0 alone)" "$(fewest mutant/lr 0 0)"
	echo "$output"
	[ "$status" -eq 1 ]
}

# ---- the directions of the thesis's table 5.11, in the model with a bandwidth

# overhead NAME, cost NAME: of reads; slowdown NAME THREAD
overhead() { jq '.runs[0].solo.operations[0].overhead_percent.value' "out/$1.json"; }
cost() { jq '.runs[0].operations[0].total_s' "out/$1.json"; }
slowdown() { jq --argjson thread "$2" '.runs[0].solo.operations[0].slowdowns[$thread].value' "out/$1.json"; }

# in_order FUNCTION NAME...: each has more of it than the one before.
in_order() {
	local name
	for name in "${@:2}"; do
		echo "$("$1" "$name") $name"
	done | tee /dev/stderr | sort -gc
}

# The thesis has 0.06 and 0.66 %, then 2.18, 2.90, 10.66 and 14.75. A busy host may only add to a time: the
# least of eight.
@test "threads that share a memory or a link are slowed, the more of both the more; a processor alone slows nobody" {
	local name thread
	in_order overhead mc bq mc_s mc_bq_s
	for name in none s; do
		less 0.6 "$(overhead $name)" "$(overhead mc)"
		for thread in 0 1; do
			less 1.06 "$(slowdown $name $thread)" 1
		done
	done
	# where the host lets a CPU wait, the readers lose each other, and the least of eight is that of one alone
	for name in mc bq mc_s mc_bq_s; do
		for thread in 0 1; do
			less 0.98 "$(fewest "out/$name" 0 $thread alone)" "$(seconds "out/$name" 0 $thread)"
		done
	done
}

@test "of the placements of two threads, all apart is the cheapest and all on the far node's memory the dearest" {
	in_order cost none mc_s s bq mc_bq_s # 4.0 4.5 8.1 12.5 14.2
	in_order cost mc_s mc bq             # 8.2, too near to s
}

# Equation 4.1 of the costs of each thread, alone and together.
overhead_of_costs() { # NAME
	jq 'def cost: .operations[0].threads[].figures.cost_s;
		.runs[0] | (1 - ([.solo.runs[] | cost] | add) / ([cost] | add)) * 100' "out/$1.json"
}

@test "table 5.11 of the page has the overhead of these costs, in the thesis's columns" {
	local name page=page/report.html
	mkdir -p page/pruebas_solo_priv
	for name in $placements; do
		cp "out/$name.json" page/pruebas_solo_priv/
	done
	AFFINITY=$AFFINITY "$root/scripts/report" page
	alike "$(for name in none s bq mc mc_s mc_bq_s; do overhead_of_costs $name; done)" \
		"$(rows_of table-5.11 | sed -n 's/^read: overhead, % //p')"
}

@test "the matrix of latencies is the model's, and what hwloc reads of it" {
	local hops bounds=(40 84 124 248)
	command -v lstopo-no-graphics >/dev/null || skip "lstopo is not installed (make setup installs it)"
	# hops, microseconds; the CPUs of a node are two bits of the mask
	lstopo-no-graphics --memattrs -i out/attributes.xml | awk '/^Memory attribute/ { wanted = $5 == "`ReadLatency\x27" }
		wanted && / from cpuset / {
			sub("L#", "", $2)
			from = $7 == "0x00000003" ? 0 : $7 == "0x0000000c" ? 1 : $7 == "0x00000030" ? 2 : $7 == "0x000000c0" ? 3 : 9
			d = from > $2 ? from - $2 : $2 - from
			print (d == 3 ? 1 : d), $4 / 1000
		}' | sort -n -k1,1 -k2,2 >latencies
	cat latencies
	same "4 8 4 " "$(cut -d ' ' -f 1 latencies | uniq -c | awk '{ printf "%d ", $1 }')"
	for hops in 0 1 2; do
		between "${bounds[hops]}" "${bounds[hops + 1]}" "$(awk -v h=$hops '$1 == h { x[++n] = $2 } END { print x[int((n + 1) / 2)] }' latencies)"
		# an emulator that loses its CPU lets the guest's clock run late: medians of five; the level below is half as far
		awk -v h=$hops -v least="${bounds[hops]}" '$1 == h && $2 < least * 0.8 { exit 1 }' latencies
	done
}

# ---- the directions of the works on page migration

# least NAME POLICY [QUERIES]: seconds of the fastest sample. nodes NAME POLICY: of each vector's pages at the end.
least() {
	jq --arg policy "$2" --arg queries "${3-}" '.runs[] | select(.values.policy == $policy and (.values.queries // "") == $queries) |
		.operations[0].threads[0].figures.min_s' "policies/$1.json"
}
nodes() {
	jq -c --arg policy "$2" '[.runs[] | select(.values.policy == $policy) | .operations[0].pages_by_node[].after]' "policies/$1.json"
}

@test "a search in a text: moving it costs more than a single search gains, and pays for many" {
	less 1 "$(least strsearch baseline 1)" "$(least strsearch eager 1)"
	less 1 "$(least strsearch eager 64)" "$(least strsearch baseline 64)"
	same '[{"0":512},{"0":512}] [{"2":512},{"2":512}]' "$(nodes strsearch baseline) $(nodes strsearch eager)"
}

@test "an addition of matrices: eager is worse than the baseline, and spm moves nothing" {
	less 1 "$(least matrix_add baseline)" "$(least matrix_add eager)"
	less 1 "$(least matrix_add spm)" "$(least matrix_add eager)"
	same '[{"0":512},{"0":512},{"0":512}] [{"2":512},{"2":512},{"2":512}]' "$(nodes matrix_add spm) $(nodes matrix_add eager)"
}

@test "a product of matrices gains with spm, which moves both factors and not the result" {
	less 1 "$(least product spm)" "$(least product baseline)"
	same '[{"0":2},{"0":2},{"0":2}] [{"2":2},{"2":2},{"0":2}]' "$(nodes product baseline) $(nodes product spm)"
}

# ---- the advice of a profile of this machine

# advised NAME RANK: the values that it sets.
advised() {
	jq -r --argjson rank "$2" '.placements[] | select(.rank == $rank) | .set | join(" ")' "advice/$1.json"
}

@test "advice: a thread goes to its data, and data go to their thread, then to the near nodes, last to the far one" {
	cat advice/*.messages
	same nodePerThread=2 "$(advised thread 1)"
	same nodePerThread=0 "$(advised thread 4)" # two hops
	same nodePerVector=1 "$(advised vector 1)"
	same nodePerVector=3 "$(advised vector 4)"
	# measured, too
	jq -e '.simulated and .verdict.advice != "does not hold" and .verdict.cheapest == 0' advice/thread.json advice/vector.json
}

@test "predictions of figures that were left out beat the rule that takes all memory as near" {
	cat advice/worth.txt
	jq -e '(.rows | map({(.predictor): .all.median}) | add) as $m | $m["a run left out"] < $m["naive: all as local"]' \
		advice/worth.json
}

# weight_of NAME PLACE: what advice predicts of it.
weight_of() {
	jq --arg set "nodePerVector=$2" '.placements[] | select(.set == [$set]) | .predicted_s.value' "advice/$1.json"
}

@test "advice: weights go to all nodes where all have threads, to one node where it has the only one" {
	cat advice/all.txt advice/one.txt
	[[ $(advised all 1) == nodePerVector=@(slices|replicate) ]]
	less 0.85 "$(weight_of all slices)" "$(weight_of all interleave)"
	less 0.85 "$(weight_of all replicate)" "$(weight_of all interleave)"
	less 0.85 "$(weight_of all interleave)" "$(weight_of all 0)"
	same nodePerVector=0 "$(advised one 1)"
	less 0.85 "$(weight_of one 0)" "$(weight_of one interleave)"
}

@test "advice: two threads have their data near, on two nodes" {
	jq -e '.placements[0].set | (.[0] | ltrimstr("nodePerThread=")) == (.[1] | ltrimstr("nodePerVector="))
		and (.[0] | ltrimstr("nodePerThread=") | split(" ") | .[0] != .[1])' advice/both.json
}
