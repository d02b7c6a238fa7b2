#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Placement on a machine whose memory is near and far: ring4 with tests/numa/distance_plugin.c, a model that counts what the
# program really did. What that costs in the model is in tests/turns/distance.bats.

bats_require_minimum_version 1.5.0

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/distance.bash
source "$BATS_TEST_DIRNAME/../distance.bash"

setup_file() {
	driver_setup
	find_distance_lack nm jq readelf
	[ -n "$LACKING" ] || run_all
}

# The runs of the program have numbers, in this order.
run_all() {
	build_distance
	cat >guest.sh <<-END
		$guest_begins
		affinity $strided --json /out/matrix.json --csv /out/matrix.csv matrix.args /out/matrix.txt 2>/out/messages || exit
		for name in ll lr rr; do
			affinity --quiet $strided --set opType=read --set numIter=4 --json /out/\$name.json \$name.args /out/\$name.txt || exit
		done
		affinity --quiet $strided --set opType=write --json /out/write.json lr.args /out/write.txt || exit
		for name in replicate slices; do
			affinity --quiet $strided --set opType=read --set nodePerVector=\$name --set 'vectorPerThread=0 1' \
				--json /out/\$name.json lr.args /out/\$name.txt || exit
		done
		$(weights_script)
		unset AFFINITY_SIMULATED
		affinity --quiet $strided --set opType=read --json /out/unnamed.json ll.args /out/unnamed.txt || exit
	END
	boot out guest.sh
}

# The weights of a model, row after row: what is read from where in each placement.
weights_script() {
	local name
	for name in replicate slices X weighted:0=15,2=1; do
		echo "sed '/^baseline/d; /^table.*speedup/d; /^table.*crossing/d' decode.args >weights.args"
		echo "affinity --quiet $few_weights --set samples=2 --set 'sweep=n = 8' --set 'sweep=placement = $name'" \
			"--json /out/weights_${name%:*}.json weights.args /out/weights.txt || exit"
	done
}

setup() {
	driver_setup
	[ -z "$LACKING" ] || skip "$LACKING"
	cd "$BATS_FILE_TMPDIR" || return 1
}

# What affinity says: "KERNEL cpu C node N COUNT" for each kernel, CPU and node of a vector.
told() { # JSON-FILE
	jq -r '.runs[] | . as $run | .operations[] | .threads[] |
		$run.threads[.thread] as $thread | $run.vectors[$thread.vectors[0]] as $vector |
		"\(.kernel) cpu \($thread.cpu) node \($vector.asked_node | sub(".*:"; "")) \([.samples[].units] | add)"' "$1" | sort
}

# What the plugin counted in the K-th run of the program: loads where the kernel only reads, else stores. Loads of
# other kernels are for a constant, too.
counted() { # K
	sed -n "/^run $1\$/,/^run $(($1 + 1))\$/p" counts_out | awk '/^loop/ {
		kernel = $1
		sub(/^loop_/, "", kernel); sub(/_double$/, "", kernel)
		print kernel, $2, $3, $4, $5, kernel == "read" ? $7 : $9
	}' | sort
}

@test "every access goes from the CPU asked to the node asked, and none elsewhere" {
	[ "$(told out/matrix.json | wc -l)" -eq 64 ] # 4 nodes x 4 nodes x 4 kernels
	diff <(told out/matrix.json) <(counted 1)
}

@test "two threads that share a vector both go to its node" {
	local k=1 name
	for name in ll lr rr; do
		k=$((k + 1))
		diff <(told "out/$name.json") <(counted $k)
	done
}

@test "copies and slices are read on the reader's own node, where a shared vector is read from afar" {
	local k=5 name
	for name in replicate slices; do
		k=$((k + 1))
		cat <(counted $k)
		diff <(told "out/$name.json") <(counted $k)
		[ "$(counted $k | awk '{ print $5 }' | paste -sd ' ')" = "0 2" ]
		same "$(told out/lr.json | cut -d ' ' -f 3)" "$(counted $k | cut -d ' ' -f 3)"
		[ "$(jq -c '[.runs[0].vectors[] | [.asked_node, (.found.pages_on_node | keys[0])]]' "out/$name.json")" = \
			'[["'$name':0","0"],["'$name':2","2"]]' ]
	done
	# what is told of the shared vector would not be taken for it
	run ! diff <(told out/lr.json) <(counted 6)
}

# weights K: "CPU NODE LOADS" of gemv's loop in the K-th run of the program: of weights, and of the thread's own
# activations as many. A sum is stored to the stack, which may be elsewhere.
weights() {
	sed -n "/^run $1\$/,/^run $(($1 + 1))\$/p" counts_out | awk '/^gemv/ && $7 { print $3, $5, $7 }' | sort -n
}

# What affinity says of the same, with weights on the node that PLACE, jq's, finds for a $thread of the $run.
weights_told() { # NAME PLACE
	jq -r ".runs[0] as \$run | \$run.operations[0].threads[] | (\$run.threads[.thread]) as \$thread
		| ([.samples[].units] | add) as \$units | $2 as \$there
		| if \$there == \$thread.node then [[\$there, 2 * \$units]] else [[\$there, \$units], [\$thread.node, \$units]] end
		| sort[] | \"\(\$thread.cpu) \(.[0]) \(.[1])\"" "out/weights_$1.json" | sort -n
}

@test "weights in copies and in slices are read on the own node, on one node from afar" {
	# shellcheck disable=SC2016 # jq's variables
	local name k=7 vector='$run.vectors[$thread.vectors[0]].asked_node | sub(".*:"; "") | tonumber'
	for name in replicate slices X; do
		k=$((k + 1))
		weights $k
		[ "$(weights $k | awk '{ print $1 }' | sort -u | wc -l)" -eq 8 ]
		same "$(weights_told $name "($vector)")" "$(weights $k)"
	done
	for name in replicate slices; do
		# shellcheck disable=SC2016
		same "$(weights_told $name '$thread.node')" "$(weights_told $name "($vector)")"
	done
	# all that is far is seen: of 16 pages one, which is that of a thread on node 3
	weights 11
	jq -e '.runs[0].vectors[0].found.pages_on_node == {"0": 15, "2": 1}' out/weights_weighted.json
	run ! same "$(weights_told X 0)" "$(weights 11)"
	same "$((2 * 4096 / 4))" "$(awk '$2 == 2 && $1 != 4 && $1 != 5 { n += $3 } END { print n }' <(weights 11))"
}

@test "a kernel that only reads stores nothing, one that writes stores once an access" {
	awk '/^loop_read_double/ { reads++; if ($9) exit 1 } /^loop_write_double/ && $7 && $9 != $11 - $7 { exit 1 }
		END { exit reads < 16 }' counts_out
}

@test "every output says that the machine is simulated" {
	local file
	for file in out/*.txt; do
		[[ $(head -n 1 "$file") == 'simulated machine: '* ]]
	done
	for file in out/*.json; do
		jq -e '.simulated' "$file"
	done
	[ "$(tail -n +2 out/matrix.csv | grep -cv '^simulated machine ')" -eq 0 ]
	grep -q 'warning: this is a simulated machine' out/messages
	grep -q 'distances by a model' out/matrix.txt
}

@test "QEMU's emulation is known by itself, where nothing tells" {
	jq -e '.simulated and (.environment.simulated | contains("TCG"))' out/unnamed.json
}
