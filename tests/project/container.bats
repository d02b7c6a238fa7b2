#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# A real container with its default rights, made by podman of this host's own /usr, so that nothing is downloaded. Its
# root and the project can only be read, and there is a small tmpfs.

bats_require_minimum_version 1.5.0 # run --separate-stderr

setup() {
	root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	cd "$BATS_TEST_TMPDIR" || return 1
	[[ ${AFFINITY_BUILD:-build} == build ]] || skip "only the usual build is tried in a container"
	command -v podman >/dev/null || skip "there is no podman: apt-get install podman runc"
	make_folder
	find_podman
}

make_folder() {
	local link
	mkdir -p folder/{usr,etc,tmp,proc,sys,dev,run,var,work}
	chmod 1777 folder/tmp
	for link in /bin /sbin /lib /lib64; do
		[[ ! -L $link ]] || cp -d "$link" folder/
	done
	for link in /etc/alternatives /etc/ld.so.cache /etc/passwd /etc/group; do
		[[ ! -e $link ]] || cp -a "$link" folder/etc/
	done
}

# Many machines need no options; some have limits and control groups that podman's own choices do not suit.
find_podman() {
	local try why
	for try in '' '--cgroup-manager=cgroupfs' '--cgroup-manager=cgroupfs --runtime=runc'; do
		read -ra podman <<<"podman $try"
		! why=$(contained true 2>&1) || return 0
	done
	skip "podman makes no container here: $(tail -n 1 <<<"$why")"
}

# contained [OPTION]... COMMAND...: with podman's default rights, and what `options` holds.
contained() {
	timeout "${patience:-300}" "${podman[@]}" run --rm --network none --ulimit nofile=20000:20000 --ulimit nproc=4096:4096 --read-only \
		--tmpfs "/tmp:size=${tmp:-16m}" -v /usr:/usr:ro -v "$root:/work:ro" -w /work "${options[@]}" --rootfs "$PWD/folder" "$@"
}

# try [COMMAND]...: as bats's run, with what it printed.
try() {
	run --separate-stderr contained "$@"
	# shellcheck disable=SC2154 # set by run --separate-stderr
	printf 'exit %s, output:\n%s\nerrors:\n%s\n' "$status" "$output" "$stderr"
}

# The screen has what one thread measures, and no file failed.
shown() {
	[ "$status" -eq 0 ]
	[[ $output == *"own memory, node "*"bandwidth, GB/s"*"load in random order, ns"* ]]
	[[ $stderr != *failed:* ]]
}

@test "make run measures in a container with default rights, a read-only root and a small tmpfs" {
	try make run
	shown
	[[ $stderr == *"ejec.sh: results/ cannot be written; results go to /tmp/affinity-"* ]]
	[[ $output == *"results: /tmp/affinity-"[0-9]*/first.txt* ]]
}

@test "make run measures there as any user" {
	options=(--user 12345:12345)
	try make run
	shown
}

@test "make run measures there on one CPU" {
	try taskset -c "$(sed -n 's/^Cpus_allowed_list:\s*\([0-9]*\).*/\1/p' /proc/self/status)" make run
	shown
}

@test "what the default rights refuse is told once, with the option that gives it; with that option nothing is" {
	try sh -c './affinity --set numIter=1 --set warmup=0 --set placements=1 --set tamPerVector=64KiB* args/quickstart/1_one_thread.args -'
	[ "$status" -eq 0 ]
	if [[ $output == *"(shown by move_pages"* ]]; then
		skip "this podman's default rights include move_pages"
	fi
	[ "$(grep -c 'the kernel does not say where each page is' <<<"$stderr")" -eq 1 ]
	[[ $stderr == *"--security-opt seccomp=unconfined lets affinity ask for each page"* ]]
	options=(--security-opt seccomp=unconfined)
	try sh -c './affinity --set numIter=1 --set warmup=0 --set placements=1 --set tamPerVector=64KiB* args/quickstart/1_one_thread.args -'
	[ "$status" -eq 0 ]
	[[ $output == *"(shown by move_pages"* ]]
	[[ $stderr != *"does not say where each page is"* ]]
}

@test "every shipped file plans in the container as it does outside, and what moves pages unseen is refused" {
	options=(-e HWLOC_THISSYSTEM=1)
	cd "$root" || return 1
	# shellcheck disable=SC2016 # for the shell of the container
	plan_all='for f in args/*/*.args; do
		why=$(./affinity --plan --set quick=yes $f 2>&1 >/dev/null); status=$?
		case $why in *"does not tell where each page is: move_pages: "*) [ $status = 0 ] || status=unseen ;; esac
		echo "$status $f"; done'
	sh -c "$plan_all" >"$BATS_TEST_TMPDIR/outside"
	cd "$BATS_TEST_TMPDIR" || return 1
	try sh -c "$plan_all"
	sed -n 's/^unseen //p' <<<"$output" >unseen
	[ "$(grep -vc '^args/migration/' unseen)" -eq 0 ]
	diff <(grep -vFf unseen outside) <(grep -v '^unseen ' <<<"$output")
}

# Those that measure, prove and refuse; with AFFINITY_CONTAINED=all all of them, which takes minutes.
@test "the tests of behaviour pass in the container" {
	local files=(tests/behaviour/{memories,places,refused,timed}.bats)
	[ -d "$root/build/shims" ] || skip "the shims are not built: make test"
	[[ ${AFFINITY_CONTAINED-} != all ]] || mapfile -t files < <(cd "$root" && ls tests/behaviour/*.bats)
	tmp=1g patience=3000
	try scripts/check "${files[@]}"
	[ "$status" -eq 0 ]
	[[ $output == *"Result: PASS"* ]]
}
