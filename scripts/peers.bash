#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# One run of each tool that scripts/bench-peers compares, as functions: each prints GB/s as the program sees them,
# ns a load or a meeting, or 10^9 updates a second; nothing when it failed.
# shellcheck disable=SC2154 # affinity, scratch: bench-peers sets them

MB=256 # of each thread, where 4 times all caches of the first node are less

# A vector is in memory where it is 4 times as large as the caches that it may be in.
size_vectors() {
	local bytes pieces
	bytes=$(lscpu -B -C=NAME,ALL-SIZE 2>/dev/null | awk '$2 ~ /^[0-9]+$/ { sum += $2 } END { print sum + 0 }')
	pieces=$(((bytes * 4 + 63999999) / 64000000))
	((pieces * 64 <= MB)) || MB=$((pieces * 64))
}

# The CPUs of the first node, and so many of them as a list.
node_cpus() {
	lscpu -p=CPU,NODE 2>/dev/null | awk -F, '!/^#/ && ($2 == "" || $2 == 0) { print $1 }'
}

cpu_list() { node_cpus | head -n "$1" | paste -sd, -; }

bound() { # THREADS COMMAND...
	local n=$1
	shift
	if command -v numactl >/dev/null; then
		numactl --physcpubind="$(cpu_list "$n")" --membind=0 "$@"
	else
		taskset -c "$(cpu_list "$n")" "$@"
	fi
}

# Huge pages for peers without an option for them: glibc asks for them with every large malloc.
with_pages() { # 4K|thp COMMAND...
	local pages=$1
	shift
	if [[ $pages == thp ]]; then
		GLIBC_TUNABLES=glibc.malloc.hugetlb=1 "$@"
	else
		"$@"
	fi
}

cpu_has() { # FLAG
	grep -qw "$1" "${CPUINFO:-/proc/cpuinfo}"
}

# ---- affinity

write_arguments() {
	cat >"$scratch/bandwidth.args" <<-END
		kernels: load
		nodePerThread: first
		nodePerVector: first
		sizePerVector: ${MB}MB*
		typePerVector: double*
		vectorPerThread: own
		mode: time:1s
		samples: 1
		placements: 1
	END
	cat >"$scratch/chase.args" <<-END
		kernels: chase
		nodePerThread: first
		nodePerVector: first
		sizePerVector: 1MiB
		pagesPerVector: 4K
		vectorPerThread: 0
		loads: 1000
		mode: time:300ms
		samples: 4
		placements: 1
		statistic: min
	END
	cat >"$scratch/meeting.args" <<-END
		kernels: barrier
		nodePerThread: first
		nodePerVector: first
		sizePerVector: 1MiB
		pagesPerVector: 4K
		vectorPerThread: all
		work: $meeting_work
		rounds: 2000
		passes: 1
		samples: 21
		placements: 1
		statistic: median
	END
	# An engine meets after each matrix of a layer, seven of them, and after the last one, and turns activations into 8 bits.
	cat >"$scratch/engine.args" <<-END
		kernels: gemv
		activations: int8
		columns: 2048
		layers: $((22 * 7 + 1))
		threads: 1
		mapping: roundrobin
		nodePerVector: first
		pagesPerVector: 4K
		vectorPerThread: all
		samples: 9
		placements: 1
		statistic: median
	END
	cat >"$scratch/stream.args" <<-END
		kernels: triad
		nodePerThread: first
		nodePerVector: first
		sizePerVector: 128MB*
		typePerVector: double*
		pagesPerVector: 4K*
		vectorPerThread: own
		samples: 9
		placements: 1
		statistic: min
		warmup: 1
	END
}

ours() { # FIGURE FILE [--set KEY=VALUE]...
	local figure=$1 file=$2
	shift 2
	"$affinity" --quiet --json "$scratch/out.json" "$@" "$scratch/$file.args" /dev/null &&
		jq ".runs[0].operations[0].$figure" "$scratch/out.json"
}

affinity_bandwidth() { # OP THREADS PAGES
	ours 'together.bytes_per_s.value / 1e9' bandwidth --set "kernels=$1" --set "nodePerThread=first*$2" \
		--set "nodePerVector=first*$2" --set "pagesPerVector=$3*"
}

affinity_chase() { # BYTES
	ours 'threads[0].figures.ns_per_unit' chase --set "sizePerVector=$1B"
}

# STREAM's method: the best of ten rounds. BYTES: of all vectors of the kernel.
affinity_stream() { # OP BYTES
	ours 'together.bytes_per_s.value / 1e9' stream --set "kernels=$1" --set "sizePerVector=$2B*"
}

affinity_gups() { # BYTES
	ours 'together.units_per_s.value / 1e9' stream --set kernels=gups --set "sizePerVector=$1B*" --set mode=time:1s --set samples=1
}

affinity_rounds() { # OP PAGES ROUNDS
	"$affinity" --quiet --set "kernels=$1" --set "pagesPerVector=$2" --set mode=work --set warmup=0 --set "passes=$3" \
		"$scratch/bandwidth.args" /dev/null
}

# ---- the peers

likwid_bandwidth() { # TEST THREADS PAGES
	with_pages "$3" likwid-bench -t "$1" -w "N:$((MB * $2))MB:$2" -s 1 2>/dev/null |
		awk '/^MByte\/s:/ { print $2 / 1000 }'
}

likwid_rounds() { # TEST PAGES ROUNDS
	with_pages "$2" likwid-bench -t "$1" -w "N:${MB}MB:1" -i "$3"
}

# For a tool with many methods for the same work: the figure of one of them, out of lines "METHOD FIGURE". A run before
# the first round chooses the method and does not count: the best of many figures of one run would be the luckiest. Its
# name is for the row ($scratch/way).
of_best_way() { # KEY COMMAND...
	local way=$scratch/way.$1
	shift
	[[ -s $way ]] || "$@" | sort -k2gr | awk 'NR == 1 { print $1 }' >"$way"
	cp "$way" "$scratch/way"
	"$@" | awk -v way="$(cat "$way")" '$1 == way { print $2 }'
}

# Its methods by what they execute: plain loads and stores, stores past the caches (write64nt), string instructions
# (write64stoq). A run is one pass of each.
stress_ways() { # read|write plain|nt|string PAGES
	local suffix
	case $2 in
	nt) suffix='nt' ;;
	string) suffix='sto[bwdq]' ;;
	*) suffix='' ;;
	esac
	with_pages "$3" bound 1 stress-ng --memrate 1 --memrate-bytes ${MB}M --memrate-ops 4 -t 30 --metrics 2>&1 |
		awk -v way="^$1[0-9]+$suffix\$" '$4 == "memrate" && $6 ~ way { print $6, $5 / 1000 * 1.048576 }'
}

stress_bandwidth() { # read|write plain|nt|string PAGES
	of_best_way "stress-ng.$1.$2.$3" stress_ways "$@"
}

mbw_bandwidth() { # PAGES; copies half of the bytes to the other half
	with_pages "$1" bound 1 mbw -q -n 8 -t0 $((MB / 2)) | awk '/^AVG/ { print $(NF - 1) * 2 * 1.048576 / 1000 }'
}

sysbench_bandwidth() { # read|write THREADS PAGES
	with_pages "$3" bound "$2" sysbench memory --threads="$2" --memory-scope=local --memory-block-size=${MB}M \
		--memory-oper="$1" --memory-total-size=1T --time=1 run |
		sed -n 's/.*(\([0-9.]*\) MiB\/sec).*/\1/p' | awk '{ print $1 * 1.048576 / 1000 }'
}

# glibc's method, and those of the Linux sources. It counts the bytes of a copy once.
perf_ways() { # memset|memcpy PAGES
	local each=1
	[[ $1 == memset ]] || each=2
	with_pages "$2" bound 1 perf bench -f simple mem "$1" -s "$((MB / each))MB" -l 8 2>/dev/null |
		awk -v each=$each -v q="'" '/^# function/ { split($0, part, q); way = part[2] }
			/^[0-9]/ { print way, $1 * each / 1e9 }'
}

# Of its methods glibc's ("default"), or the best of a kind: x86-64-unrolled is plain, movsq, stosb ... are string
# instructions.
perf_bandwidth() { # memset|memcpy glibc|plain|string PAGES
	of_best_way "perf.$1.$2.$3" perf_kind "$@"
}

perf_kind() { # memset|memcpy glibc|plain|string PAGES
	perf_ways "$1" "$3" | awk -v kind="$2" '
		{ is = $1 == "default" ? "glibc" : $1 ~ /(movs|stos)[bq]?$/ ? "string" : "plain" }
		is == kind'
}

# Any line next, in pages of 4 KiB; the best of its samples of half a second.
multichase_chase() { # BYTES
	bound 1 multichase -m "$1" -s 64 -T "$1" -N -n 4 | tail -n 1
}

lat_mem_rd_program() {
	command -v lat_mem_rd || compgen -G '/usr/lib/lmbench/bin/*/lat_mem_rd' | head -n 1
}

# It measures all sizes up to the requested one; the last one counts. Some builds of it allocate memory without end,
# so there is a limit.
lmbench_chase() { # BYTES
	local mib=$((($1 + (1 << 20) - 1) >> 20)) want
	want=$(awk -v b="$1" 'BEGIN { printf "%.5f", b / 1048576 }')
	(ulimit -v $((4 << 20)) && bound 1 timeout 60 "$(lat_mem_rd_program)" -t -P 1 -N 3 -W 0 "$mib" 64) 2>&1 | awk -v want="$want" '$1 == want { print $2 }'
}

# A run of hpcc gives the figures of all its parts, in 128 MB; it takes about a minute, mostly for Linpack.
hpcc_order=4000
# Its input is HPL's, whose lines have fixed places, and five lines more for PTRANS.
hpcc_inputs() {
	printf '%s\n' 'affinity bench-peers' '' HPL.out 8 '1 problem' "$hpcc_order" '1 block size' 80 0 '1 grid' 1 1 \
		16.0 '1 factorization' 2 '1 stop' 4 '1 panel' 2 '1 recursive' 1 '1 broadcast' 1 '1 depth' 1 2 64 0 0 1 8 \
		'#####' '0 sizes' '' '0 blocks' ''
}

hpcc_run() { # FILE for its summary
	local home=$scratch/hpcc
	mkdir -p "$home"
	hpcc_inputs >"$home/hpccinf.txt"
	rm -f "$home/hpccoutf.txt"
	(cd "$home" && bound 1 timeout 600 hpcc >/dev/null 2>&1) || return 1
	cp "$home/hpccoutf.txt" "$1"
}

hpcc_figure() { # NAME SUMMARY
	sed -n "s/^$1=//p" "$2"
}

program_of() { # PEER
	case $1 in
	llama.cpp*) engine_program || true ;;
	EPCC*) syncbench_program || true ;;
	likwid*) echo likwid-bench ;;
	lmbench*) lat_mem_rd_program || true ;;
	*) echo "${1%% *}" ;;
	esac
}

# ---- an engine: llama.cpp's shared libraries, with a model of random weights (bench/peers/)

engine_folder() {
	local cache folder
	[[ -z ${AFFINITY_ENGINE-} ]] || { echo "$AFFINITY_ENGINE" && return; }
	cache=$(user_cache)
	for folder in "$cache"/node_modules/@node-llama-cpp/linux-*/bins/*/; do
		[[ ! -d $folder ]] || { echo "$folder" && return; }
	done
}

# The program that loads them, made where they are; nothing where not.
engine_program() {
	local folder
	folder=$(engine_folder)
	compgen -G "${folder:-/nowhere}/libllama.*so" >/dev/null || return 1
	[[ -x $scratch/engine ]] || "${CC:-gcc}" -O2 -rdynamic -o "$scratch/engine" "$top"/bench/peers/{engine,model}.c -ldl 2>/dev/null || return 1
	echo "$scratch/engine"
}

engine_decode() { # q8|q4 THREADS [mapped]: tokens a second, with --cpu of CPU time
	local of=("${@:3}")
	[[ $cpu == no ]] || of=(cpu "${of[@]}")
	[[ -s $scratch/$1.gguf ]] || "$scratch/engine" --write "$scratch/$1.gguf" "$1" || return
	bound "$2" "$scratch/engine" "$(engine_folder)" "$scratch/$1.gguf" "$2" "${of[@]}"
}

affinity_engine() { # q8|q4 THREADS
	local type=int8
	[[ $1 == q8 ]] || type=$1
	ours 'kernel_figures.tokens_per_s.value' engine --set "weights=$type" --set "threads=$2" \
		--set "sizePerVector=$("$scratch/engine" --bytes "$1")B"
}

# What memory alone allows: the bandwidth of loads from as many bytes, each thread from a part of its own.
affinity_memory() { # q8|q4 THREADS
	local bytes rate
	bytes=$("$scratch/engine" --bytes "$1")
	rate=$(ours 'together.bytes_per_s.value' bandwidth --set "nodePerThread=first*$2" --set "nodePerVector=first*$2" \
		--set 'pagesPerVector=4K*' --set "sizePerVector=$((bytes / $2 / 4096 * 4096))B*") || return
	awk -v rate="$rate" -v bytes="$bytes" 'BEGIN { print rate / bytes }'
}

# ---- meetings: the method of EPCC's syncbench (bench/peers/syncbench.c), with the barrier and the reduction of the
# same OpenMP runtime

meeting_work=400 # additions before each meeting, about 0.1 us

syncbench_program() {
	[[ -x $scratch/syncbench ]] ||
		"${CC:-gcc}" -O2 -fopenmp -o "$scratch/syncbench" "$top/bench/peers/syncbench.c" 2>/dev/null || return 1
	echo "$scratch/syncbench"
}

# Threads bound to the same CPUs, and asleep while they wait, as affinity has OpenMP's.
syncbench_meeting() { # barrier|reduce THREADS
	local places
	places=$(node_cpus | head -n "$2" | sed 's/.*/{&}/' | paste -sd,)
	OMP_WAIT_POLICY=PASSIVE GOMP_SPINCOUNT=0 OMP_PROC_BIND=true OMP_PLACES=$places \
		"$scratch/syncbench" "$1" "$2" "$meeting_work"
}

# The same difference: the threads with their work and a meeting, without the threads that do not meet.
affinity_meeting() { # barrier|reduce THREADS
	local met apart
	met=$(ours 'threads[0].figures.ns_per_unit' meeting --set "kernels=$1" --set by=openmp --set "nodePerThread=first*$2") || return
	apart=$(ours 'threads[0].figures.ns_per_unit' meeting --set by=none --set "nodePerThread=first*$2") || return
	awk -v met="$met" -v apart="$apart" 'BEGIN { print met - apart }'
}

# ---- CPU time

# The CPU time of a command in user mode.
user_seconds() { # COMMAND...
	local TIMEFORMAT=%U
	{ time "$@" >/dev/null 2>&1; } 2>&1
}

# GB for each second of CPU time, from the difference of a longer and a shorter run. The last argument is the number
# of rounds.
per_cpu_second() { # COMMAND...
	local few many
	few=$(user_seconds "$@" 20)
	many=$(user_seconds "$@" 80)
	awk -v few="$few" -v many="$many" -v mb=$MB 'BEGIN { if (many > few) print 60 * mb / 1000 / (many - few) }'
}
