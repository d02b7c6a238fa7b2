#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck disable=SC2016 # for the programs that pretend, and sed
# scripts/bench-peers with tools that only pretend: what is compared with what, and how it is told.

bats_require_minimum_version 1.5.0 # run !

setup() {
	command -v jq >/dev/null || skip "jq is not installed (make setup installs it)"
	cd "$BATS_TEST_TMPDIR" || return 1
	compare=$BATS_TEST_DIRNAME/../../scripts/bench-peers
	mkdir bin
	pretend numactl 'while [ "${1#--}" != "$1" ]; do shift; done; exec "$@"'
	pretend stress-ng 'exit 1'
	pretend mbw 'exit 1'
	pretend sysbench 'exit 1'
	# the way that was best in the first run is a slow one in the next
	pretend perf 'again=0; [ ! -e perfed ] || again=1; touch perfed
		printf "# function \047slow\047 (...)\n3000000000.0\n"
		printf "# function \047fast\047 (...)\n%s\n" $((6000000000 - again * 1000000000))
		printf "# function \047lucky\047 (...)\n%s\n" $((4000000000 + again * 5000000000))'
	pretend multichase '[ -e slower ] && echo 2.500 || echo 2.100; touch slower'
	pretend hpcc 'grep -qx 4000 hpccinf.txt || exit 1
		echo run >>../../hpccs; printf "%s\n" SingleSTREAM_Copy=10 SingleSTREAM_Triad=6 StarSTREAM_Copy=1 >hpccoutf.txt'
	# 10 GB/s, and 8 once; it writes down with which pages
	pretend likwid-bench 'echo "$*|$GLIBC_TUNABLES" >>calls; [ -e later ] && echo "MByte/s: 10000" || echo "MByte/s: 8000"; touch later'
	pretend affinity '[ "$1" != --version ] || { echo affinity 1; exit; }
		echo "$*" >>ours
		while [ $# -gt 0 ]; do [ "$1" != --json ] || json=$2; shift; done
		echo "{\"runs\": [{\"operations\": [{\"together\": {\"bytes_per_s\": {\"value\": 9e9}}, \"threads\": [{\"figures\": {\"ns_per_unit\": 2}}]}]}]}" >"$json"'
	export AFFINITY=$PWD/bin/affinity
	PATH=$PWD/bin:$PATH
}

pretend() { # PROGRAM BODY
	printf '#!/bin/bash\n%s\n' "$2" >"bin/$1"
	chmod +x "bin/$1"
}

@test "a ratio is that of the medians, with its spread and what is below" {
	run "$compare" --no-install --rounds 3 --only "load, 1 thread, 4K"
	echo "$output"
	[ "$status" -eq 0 ]
	# medians 10 and 9; the ratios of the rounds are 9/8 and 9/10
	grep -qE '^load, 1 thread, 4K pages +likwid load_avx +10 +9 +0\.90 +\(0\.90 \.\. 1\.1[23]\) +noise$' <<<"$output"
	grep -qE '^load, 1 thread, 4K pages +sysbench read +no figure of the peer$' <<<"$output"
	run ! grep -q "thp" ours
	# a spread that does not reach 1, in a file for the next release
	run --separate-stderr "$compare" --no-install --rounds 2 --csv then.csv --only "load, 1 thread, 4K pages     likwid load_avx "
	grep -qE ' 0\.90 +\(0\.90 \.\. 0\.90\) +BELOW$' <<<"$output"
	[[ $stderr == "bench-peers: [1/1] load, 1 thread, 4K pages, likwid load_avx" ]]
	diff then.csv - <<-'END'
		case,peer,peer_figure,affinity_figure,ratio,low,high,verdict
		"load, 1 thread, 4K pages",likwid load_avx,10,9,0.9000,0.9000,0.9000,BELOW
	END
	sed -i 's/0\.9000/1.2345/' then.csv
	run "$compare" --no-install --rounds 1 --against then.csv --only "load, 1 thread, 4K pages     likwid load_avx "
	[[ $output == *"BELOW then 1.23"* ]]
	cp then.csv kept.csv
	run "$compare" --no-install --rounds 1 --csv missing/then.csv
	[ "$status" -eq 2 ]
	[[ $output == *"'missing/then.csv' cannot be written"* ]]
	# one that is held against is read before it is written, and a run that ends early writes nothing
	pretend affinity '[ "$1" != --version ] || { echo affinity 1; exit; }; kill -TERM $(cat shell)'
	bash -c 'echo $$ >shell; exec "$@"' - "$compare" --no-install --rounds 1 --csv then.csv --only "likwid load_avx " || true
	cmp then.csv kept.csv
}

@test "huge pages are asked for on both sides" {
	grep -q '\[madvise\]' /sys/kernel/mm/transparent_hugepage/enabled || skip "huge pages are given to all or to none here"
	"$compare" --no-install --rounds 1 --only "triad, 1 thread, thp"
	[ "$(grep -c '|glibc.malloc.hugetlb=1$' calls)" -eq "$(wc -l <calls)" ]
	[ "$(grep -c 'pagesPerVector=thp' ours)" -eq "$(wc -l <ours)" ]
}

@test "a driver without a figure is told, not compared" {
	pretend affinity 'echo "no room" >&2; exit 3'
	run "$compare" --no-install --rounds 1 --only "likwid copy_avx"
	[ "$status" -eq 0 ]
	[[ $output == *"no figure of affinity: no room"* ]]
}

@test "of latencies the smallest counts, and 2 % are noise" {
	run "$compare" --no-install --rounds 3 --only "chase 16 KiB                 multichase"
	echo "$output"
	[ "$status" -eq 0 ]
	grep -qE '^chase 16 KiB +multichase +2\.1 +2 +1\.05 +\(1\.05 \.\. 1\.25\) +$' <<<"$output"
	pretend multichase 'echo 1.95'
	run "$compare" --no-install --rounds 1 --only "chase 16 KiB                 multichase"
	grep -qE '^chase 16 KiB +multichase +1\.95 +2 .*BELOW$' <<<"$output"
}

@test "perf counts a copy once, and the way is chosen before what counts" {
	run "$compare" --no-install --rounds 1 --only "copy, 1 thread, 4K pages     perf"
	echo "$output"
	grep -qE '^copy, 1 thread, 4K pages +perf fast +10 +9 +0\.90 ' <<<"$output"
	rm perfed
	run "$compare" --no-install --rounds 1 --only "store, 1 thread, 4K pages    perf"
	grep -qE '^store, 1 thread, 4K pages +perf fast +5 +9 +1\.80 ' <<<"$output"
}

@test "ways of a peer are compared with ours of the same kind, and named" {
	pretend perf 'ways=stosq:7; [[ $* != *memcpy* ]] || ways="movsq:5 x86-64-movsb:6"
		for way in default:3 x86-64-unrolled:4 x86-64-$ways; do
		printf "# function \047%s\047 (...)\n%s\n" "${way%:*}" "${way#*:}e9"; done'
	pretend stress-ng 'i=1; for way in read64 read128pf write64 write128nt write64nt write64stoq; do
		echo "stress-ng: metrc: [1] memrate $((i++))000 $way MB per sec"; done'
	run "$compare" --no-install --rounds 1 --only "1 thread, 4K pages"
	echo "$output"
	grep -qE "^memset, 1 thread, 4K pages +perf default +3 +9 +3\.00 " <<<"$output"
	grep -qE "^fill, 1 thread, 4K pages +perf x86-64-stosq +7 +9 +1\.29 " <<<"$output"
	grep -qE "^store, 1 thread, 4K pages +perf x86-64-unrolled +4 +9 +2\.25 " <<<"$output"
	grep -qE "^memcpy, 1 thread, 4K pages +perf default +6 +9 +1\.50 " <<<"$output"
	grep -qE "^copy, 1 thread, 4K pages +perf x86-64-unrolled +8 +9 +1\.12 " <<<"$output"
	grep -qE "^copy_string, 1 thread, 4K pages +perf x86-64-movsb +12 +9 " <<<"$output"
	grep -qE "^load, 1 thread, 4K pages +stress-ng read64 " <<<"$output"
	grep -qE "^store, 1 thread, 4K pages +stress-ng write64 " <<<"$output"
	grep -qE "^store_nt, 1 thread, 4K pages +stress-ng write64nt " <<<"$output"
	grep -qE "^fill, 1 thread, 4K pages +stress-ng write64stoq " <<<"$output"
}

@test "hpcc runs once a round for all its figures, and what it did not measure is told" {
	export TMPDIR=$PWD
	run "$compare" --no-install --rounds 2 --only "STREAM_Copy"
	echo "$output"
	[ "$status" -eq 0 ]
	[ "$(wc -l <hpccs)" -eq 2 ]
	grep -qE '^copy, 128 MB, 1 thread +hpcc STREAM_Copy +10 +9 +0\.90 +\(0\.90 \.\. 0\.90\) +BELOW$' <<<"$output"
	run "$compare" --no-install --rounds 1 --only "hpcc"
	echo "$output"
	[[ $output == *"scale, 128 MB, 1 thread"*"no figure of the peer"* ]]
	[ "$(wc -l <hpccs)" -eq 3 ]
}

@test "with --cpu it is the CPU time of further rounds that counts" {
	# a hundredth of a second of work for each round
	pretend likwid-bench 'for ((i = 0; i < ${!#} * 1500; i++)); do :; done'
	pretend affinity '[ "$1" != --version ] || exit 0
		n=$(sed "s/.*passes=\([0-9]*\).*/\1/" <<<"$*"); for ((i = 0; i < n * 1500; i++)); do :; done'
	run "$compare" --no-install --cpu --rounds 1 --only "copy, 1 thread, 4K"
	echo "$output"
	[ "$status" -eq 0 ]
	# both do the same
	[[ $output == *"copy, 1 thread, 4K pages"*"likwid copy_avx "*" ("*" .. "*")"* ]]
	[[ $output != *"no figure"* ]]
}

@test "wrong options are refused" {
	run "$compare" --rounds 0
	[ "$status" -eq 2 ]
	run "$compare" --fast
	[ "$status" -eq 2 ]
	[[ $output == *"unknown option '--fast'"* ]]
}

@test "the loops with AVX-512 take part where the CPU has it" {
	echo 'flags : fpu avx avx2 avx512f' >with
	echo 'flags : fpu avx avx2' >without
	CPUINFO=$PWD/without run "$compare" --no-install --rounds 1 --only "store_nt, 1 thread, 4K"
	[[ $output == *"likwid store_mem_avx "* ]]
	[[ $output != *avx512* ]]
	CPUINFO=$PWD/with run "$compare" --no-install --rounds 1 --only "store_nt, 1 thread, 4K"
	[[ $output == *"likwid store_mem_avx "*"likwid store_mem_avx512"* ]]
	grep -q -- '-t store_mem_avx512 ' calls
}

@test "without the libraries of an engine its rows are left out" {
	AFFINITY_ENGINE=$PWD/bin run "$compare" --no-install --rounds 1 --only decode
	[ "$status" -eq 0 ]
	grep -qE '^decode, 8 bits, 1 thread +llama.cpp +not installed$' <<<"$output"
	run ! grep -q gemv ours
}

@test "an engine is compared with what memory alone allows, too" {
	mkdir libraries
	touch libraries/libllama.so
	pretend gcc 'while [ $# -gt 0 ]; do [ "$1" != -o ] || out=$2; shift; done
		printf "#!/bin/sh\ncase \$1 in --bytes) echo 450000000 ;; --write) echo model >\$2 ;; *) echo 25 ;; esac\n" >"$out"; chmod +x "$out"'
	CC=gcc AFFINITY_ENGINE=$PWD/libraries run "$compare" --no-install --rounds 1 --only "4 bits, 1, memory"
	echo "$output"
	# 9 GB/s through 0.45 GB
	grep -qE '^decode, 4 bits, 1, memory +llama.cpp +25 +20 +0\.80 ' <<<"$output"
	grep -q 'nodePerThread=first\*1 .*sizePerVector=449998848B\*' ours
}

@test "with --cpu an engine has one thread, and its CPU time counts" {
	mkdir libraries
	touch libraries/libllama.so
	pretend gcc 'while [ $# -gt 0 ]; do [ "$1" != -o ] || out=$2; shift; done
		printf "#!/bin/sh\ncase \$1 in --bytes) echo 450000000 ;; --write) echo model >\$2 ;; *) echo \$# >>engines; echo 25 ;; esac\n" >"$out"; chmod +x "$out"'
	CC=gcc AFFINITY_ENGINE=$PWD/libraries run "$compare" --no-install --cpu --rounds 1 --only decode
	echo "$output"
	[ "$(grep -cE '^decode, [48] bits, 1 thread ' <<<"$output")" -eq 2 ]
	[[ $output != *"2 threads"* ]]
	[ "$(sort -u engines)" = 4 ]
	grep -q 'weights=int8' ours
}

# An engine that takes what engine.c gives it for what llama.h says it is, and writes it down.
pretended_engine() {
	cat >llama.c <<-'END'
		#include <stdio.h>
		#include <string.h>
		#include <sys/mman.h>
		#include <unistd.h>
		struct model_parameters { void *devices; int layers; char rest[80]; };
		struct context_parameters { unsigned n; char rest[120]; };
		struct batch { int n; int *token; float *embd; int *pos, *n_seq_id, **seq_id; signed char *logits; };
		static FILE *told;
		static int tokens;
		void ggml_backend_load_all_from_path(const char *folder) { told = fopen("told", "w"); fprintf(told, "%s\n", folder); }
		void llama_backend_init(void) {}
		struct model_parameters llama_model_default_params(void) { return (struct model_parameters){NULL, 77, ""}; }
		struct context_parameters llama_context_default_params(void) { return (struct context_parameters){512, ""}; }
		void *llama_model_load_from_file(const char *path, struct model_parameters p) {
			char magic[5] = "";
			FILE *model = fopen(path, "r");
			char *weights = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fileno(model), 0), line[4096];
			FILE *maps = fopen("/proc/self/maps", "r");
			int mapped = 0;
			while (fgets(line, sizeof(line), maps)) mapped += strstr(line, path) != NULL;
			fprintf(told, "%zu %s %d, %.4s, mapped %d times\n", fread(magic, 1, 4, model), magic, p.layers, weights, mapped);
			return model;
		}
		void *llama_init_from_model(void *model, struct context_parameters p) { fprintf(told, "%u\n", p.n); return model; }
		void llama_set_n_threads(void *context, int one, int many) { fprintf(told, "%d %d\n", one, many); (void)context; }
		struct batch llama_batch_get_one(int *token, int n) { return (struct batch){.n = n, .token = token}; }
		int llama_decode(void *context, struct batch b) {
			(void)context;
			usleep(1000);
			tokens += b.n;
			if (tokens == 72) fprintf(told, "%d tokens, the last one %d\n", tokens, *b.token), fclose(told);
			return *b.token < 0 || *b.token > 4095;
		}
	END
	"${CC:-gcc}" -shared -fPIC -o "$1/libllama.v9.so" llama.c
}

@test "the engine gets a model in its format, and each token alone" {
	local peers=$BATS_TEST_DIRNAME/../../bench/peers
	"${CC:-gcc}" -O2 -Wall -Wextra -Werror -rdynamic -DLAYERS=1 -o engine "$peers"/{engine,model}.c -ldl
	mkdir libraries
	run ./engine libraries no-model 1
	[ "$status" -eq 1 ]
	[ "$output" = "engine: no libllama.so in that folder" ]
	pretended_engine libraries
	./engine --write model.gguf q4
	# two square matrices of a layer, two of keys and values, three to the middle and back; one of the tokens
	[ "$(./engine --bytes q4)" -eq $(((2 * 2048 * 2048 + 2 * 2048 * 256 + 3 * 2048 * 5632 + 2048 * 4096) * 18 / 32)) ]
	[ "$(./engine --bytes q8)" -eq $(((2 * 2048 * 2048 + 2 * 2048 * 256 + 3 * 2048 * 5632 + 2048 * 4096) * 34 / 32)) ]
	[ $(($(stat -c %s model.gguf) - $(./engine --bytes q4) - 2048 * 4096 * 18 / 32 - 3 * 4 * 2048)) -lt 4096 ]
	run ./engine libraries model.gguf 1 cpu # this engine sleeps
	[ "$status" -eq 0 ]
	awk -v rate="$output" 'BEGIN { exit !(rate > 1000) }'
	run ./engine libraries model.gguf 1 clock
	[ "$status" -eq 2 ]
	rm told
	run ./engine libraries model.gguf 3
	[ "$status" -eq 0 ]
	awk -v rate="$output" 'BEGIN { exit !(rate > 0 && rate < 1000) }'
	diff - told <<-END
		libraries
		4 GGUF 77, GGUF, mapped 0 times
		512
		3 3
		72 tokens, the last one 77
	END
	./engine libraries model.gguf 3 mapped
	grep -qx '4 GGUF 77, GGUF, mapped 1 times' told
	./engine libraries model.gguf 1 cpu mapped
	grep -qx '4 GGUF 77, GGUF, mapped 1 times' told
}

# A barrier of OpenMP that takes a millisecond, and counts in a file how often all threads called it.
slow_barrier() {
	cat >slow.c <<-'END'
		#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <stdio.h>
		#include <stdlib.h>
		#include <unistd.h>
		static int calls;
		void GOMP_barrier(void) {
			void (*own)(void) = (void (*)(void))dlsym(RTLD_NEXT, "GOMP_barrier");
			__atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
			usleep(1000);
			own();
		}
		__attribute__((destructor)) static void tell(void) {
			FILE *out = fopen(getenv("CALLS"), "a");
			fprintf(out, "%d\n", calls);
			fclose(out);
		}
	END
	"${CC:-gcc}" -shared -fPIC -o slow.so slow.c -ldl
}

@test "a meeting has one barrier here and with EPCC's method, and its overhead is that of the barrier" {
	local real=$BATS_TEST_DIRNAME/../../affinity peers=$BATS_TEST_DIRNAME/../../bench/peers kind
	[ "$(ldd "$real" | grep -cE 'lib(a|t)san')" -eq 0 ] || skip "a sanitizer has to be loaded first"
	ldd "$real" | grep -q libgomp || skip "no OpenMP of GCC"
	slow_barrier
	"${CC:-gcc}" -O2 -Wall -Wextra -Werror -fopenmp -DREPETITIONS=3 -DMEETINGS=10 -o syncbench "$peers/syncbench.c"
	for kind in barrier reduce; do
		CALLS=their LD_PRELOAD=$PWD/slow.so run -0 ./syncbench $kind 2 100
		echo "$kind: $output"
		awk -v ns="$output" 'BEGIN { exit !(ns >= 1e6) }'
		printf '%s\n' "kernels: $kind" "nodePerThread: first*2" "oversubscribe: yes" "nodePerVector: first" "sizePerVector: 1MiB" \
			"vectorPerThread: all" "work: 100" "rounds: 10" "passes: 1" "samples: 3" "warmup: 0" "placements: 1" \
			"verify: warn" >t.args
		CALLS=more LD_PRELOAD=$PWD/slow.so "$real" --quiet --set rounds=20 --set by=openmp --json out.json t.args out.txt
		CALLS=our LD_PRELOAD=$PWD/slow.so "$real" --quiet --set by=openmp --json out.json t.args out.txt
		# as measured: of the figures what a busy machine took from a sleeping thread is subtracted
		jq -e '[.runs[0].operations[0].threads[].samples[] | .busy_s / .units >= 1e-3] | length == 6 and all' out.json
	done
	# two threads, three repetitions of ten meetings, and the barrier before the clock is read
	diff their - <<<$'66\n66'
	# two threads meet ten times more in each of three samples
	[ "$(paste more our | awk '{ print $1 - $2 }')" = $'60\n60' ]
}

@test "costs of meetings are compared both ways, and more than 10 % between them is told" {
	pretend affinity '[ "$1" != --version ] || { echo affinity 1; exit; }
		ns=50; [[ "$*" != *by=openmp* ]] || ns=$(cat met)
		while [ $# -gt 0 ]; do [ "$1" != --json ] || json=$2; shift; done
		echo "{\"runs\": [{\"operations\": [{\"threads\": [{\"figures\": {\"ns_per_unit\": $ns}}]}]}]}" >"$json"'
	pretend lscpu 'printf "0,0\n1,0\n2,1\n"'
	pretend gcc 'while [ $# -gt 0 ]; do [ "$1" != -o ] || out=$2; shift; done
		printf "#!/bin/sh\necho \$OMP_PLACES \$OMP_WAIT_POLICY \"\$@\" >>asked; echo 200\n" >"$out"; chmod +x "$out"'
	echo 270 >met
	CC=gcc run "$compare" --no-install --rounds 1 --only barrier
	echo "$output"
	grep -qE "^barrier, 2 threads +EPCC's method +200 +220 +0\.91 +\(0\.91 \.\. 0\.91\) +$" <<<"$output"
	[ "$(cat asked)" = "{0},{1} PASSIVE barrier 2 400" ]
	echo 280 >met
	CC=gcc run "$compare" --no-install --rounds 1 --only barrier
	grep -qE "^barrier, 2 threads +EPCC's method +200 +230 .* APART$" <<<"$output"
	echo 220 >met
	CC=gcc run "$compare" --no-install --rounds 1 --only reduce
	grep -qE "^reduce, 2 threads +EPCC's method +200 +170 +1\.18 .* APART$" <<<"$output"
}
