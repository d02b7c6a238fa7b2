# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# ejec.sh --slurm, which sources this: a job of Slurm for each node runs ejec.sh there. What was submitted is in
# RESULTS/.slurm until its end is told, so that the same command goes on where an earlier one ended.
#
# A job a node, not an array: tasks of an array cannot be told which node they get.

slurm=no confirm=no asked_nodes=''
sbatch_options=()
nodes=()              # to be measured
declare -A job=()     # of a node: its id
declare -A outcome=() # of a node: waiting running done failed skipped
declare -A because=() # of a node: why it failed or is skipped
declare -A lost=()    # how often a job was missing that has not told its end
slurm_name=affinity-ejec
poll_s=1

check_slurm_options() {
	if [[ $slurm == no ]]; then
		[[ -z $asked_nodes && ${#sbatch_options[@]} == 0 ]] || usage_error "--nodes and --sbatch need --slurm"
		return 0
	fi
	[[ $beside == no && $show == no ]] || usage_error "--slurm writes to one folder for each node; leave out --beside and --show"
	[[ $confirm == no || -z $asked_nodes ]] || usage_error "--confirm measures the suspects of affinity-fleet; leave out --nodes"
	command -v sbatch >/dev/null && command -v squeue >/dev/null && return
	say "no Slurm here: sbatch and squeue are not in PATH"
	exit 1
}

# ---- nodes

# The partition of --sbatch, else the default one.
partition() {
	local option found=''
	for option in "${sbatch_options[@]}"; do
		[[ $option != --partition=* ]] || found=${option#*=}
	done
	[[ -n $found ]] || found=$(sinfo -h -o %P 2>/dev/null | sed -n 's/\*$//p')
	printf '%s' "$found"
}

list_nodes() { # one a line
	local name found
	if [[ $confirm == yes ]]; then
		found=$(command -v -- "$driver")
		"${found%/*}/affinity-fleet" --suspects "$root"
	elif [[ -n $asked_nodes ]]; then
		scontrol show hostnames "$asked_nodes"
	else
		name=$(partition)
		sinfo -h -N -p "$name" -o %N | sort -u
	fi
}

# Nodes that take no jobs are skipped.
find_nodes() {
	local node state list
	if ! list=$(list_nodes 2>"$scratch/messages"); then
		say "which nodes? $(<"$scratch/messages")"
		exit 1
	fi
	[[ -z $list ]] || mapfile -t nodes <<<"$list"
	while read -r node state; do
		[[ -z ${outcome[$node]-} && $state =~ ^(down|drain|drng|fail|maint|unk|boot) || $state == *'*' ]] || continue
		outcome[$node]=skipped because[$node]="is $state"
	done < <(sinfo -h -N -o '%N %t')
}

# ---- jobs

record_of() { printf '%s/.slurm/%s' "$root" "$1"; } # NAME

# What the jobs of a batch do.
job_command() { # RESULTS
	local command=("$top/scripts/ejec.sh")
	[[ $quick == no ]] || command+=(--quick)
	[[ $resume == no ]] || command+=(--resume)
	[[ $thesis == no ]] || command+=(--thesis)
	printf '%q ' "${command[@]}" "${sets[@]}" -o "$1" -- "${given[@]}"
}

job_script() { # NODE
	local runs=("$root") status each
	[[ $confirm == no ]] || runs=("$root-fresh/1" "$root-fresh/2" "$root-fresh/3")
	status=$(record_of "$1.status")
	printf '#!/usr/bin/env bash\ncode=0\n'
	for each in "${runs[@]}"; do
		printf '%s || code=$?\n' "$(job_command "$each")"
	done
	printf 'echo "$code" >%q.new && mv -- %q.new %q\n' "$status" "$status" "$status"
}

# All memory and all CPUs, once: a node that fails is told, not tried again.
sbatch_words() { # NODE
	printf '%s\n' --parsable "--job-name=$slurm_name" "--comment=$root" --nodes=1 --ntasks=1 "--nodelist=$1" --exclusive \
		--mem=0 --no-requeue "--output=$root/.slurm/$1.out" "${sbatch_options[@]}"
}

submit() { # NODE
	local words id code=0
	mapfile -t words < <(sbatch_words "$1")
	rm -f -- "$root/.slurm/$1.status"
	id=$(job_script "$1" | sbatch "${words[@]}" 2>"$scratch/messages") || code=$?
	if ((code)); then
		outcome[$1]=failed because[$1]="not submitted: $(tr '\n' ' ' <"$scratch/messages")"
		return 0
	fi
	job[$1]=${id%%;*} outcome[$1]=waiting
	printf '%s %s\n' "$1" "${job[$1]}" >>"$root/.slurm/batch"
}

batch_identity() {
	printf '%s' "# $quick $confirm $resume $thesis ${sets[*]} ${given[*]}" | tr '\n' ' '
}

# Jobs of this batch that an earlier ejec.sh submitted: those that it wrote down, and the last one if it was killed before.
adopt() {
	local node id comment first
	first=$(head -n 1 "$root/.slurm/batch")
	if [[ $first != "$(batch_identity)" ]]; then
		say "'$root/.slurm/batch' is of another batch, whose jobs may still run"
		say "  hint: the command that began it goes on with it; or scancel --name=$slurm_name --me, and remove the file"
		exit 1
	fi
	while read -r node id; do
		[[ $node == '#' ]] || job[$node]=$id
	done <"$root/.slurm/batch"
	while IFS='|' read -r id node comment; do
		[[ $comment != "$root" || -n ${job[$node]-} ]] || job[$node]=$id
	done < <(squeue --me -h -n "$slurm_name" -o '%A|%n|%k')
	for node in "${!job[@]}"; do
		outcome[$node]=waiting
		[[ " ${nodes[*]} " == *" $node "* ]] || nodes+=("$node")
	done
	say "goes on with ${#job[@]} jobs that were submitted before"
}

submit_all() {
	local node
	mkdir -p -- "$root/.slurm"
	if ! (set -C && batch_identity >"$root/.slurm/batch" && echo >>"$root/.slurm/batch") 2>/dev/null; then
		adopt
	fi
	for node in "${nodes[@]}"; do
		((!signals)) || return 0
		[[ -n ${outcome[$node]-} ]] || submit "$node"
	done
}

# ---- waiting

# The end of a job that Slurm no longer lists, or that ends just now.
job_ended() { # NODE
	local state=''
	if [[ -s $root/.slurm/$1.status ]]; then
		case $(<"$root/.slurm/$1.status") in
		0) outcome[$1]=done ;;
		*) outcome[$1]=failed because[$1]="something failed there: $(shown "$root/.slurm/$1.out")" ;;
		esac
		return
	fi
	lost[$1]=$((${lost[$1]-0} + 1))
	((lost[$1] > 2)) || return 0 # a file of another machine may be late
	state=$(scontrol -o show job "${job[$1]}" 2>/dev/null | sed -n 's/.* JobState=\([A-Z_]*\) .*/\1/p')
	[[ $state != COMPLETING && $state != RUNNING ]] || return 0
	outcome[$1]=failed because[$1]="job ${job[$1]} ended early: ${state:-unknown to Slurm}; $(shown "$root/.slurm/$1.out")"
}

look_at_jobs() {
	local id state reason node
	declare -A listed=() why_waits=()
	squeue --me -h -n "$slurm_name" -o '%A|%t|%r' >"$scratch/queue" 2>/dev/null || return 0 # Slurm is away: later
	while IFS='|' read -r id state reason; do
		listed[$id]=$state why_waits[$id]=$reason
	done <"$scratch/queue"
	for node in "${!job[@]}"; do
		[[ ${outcome[$node]} == @(waiting|running) ]] || continue
		id=${job[$node]}
		case ${listed[$id]-} in
		PD) outcome[$node]=waiting because[$node]=${why_waits[$id]} ;;
		R) outcome[$node]=running ;;
		*) job_ended "$node" ;;
		esac
	done
}

# Jobs that wait for nodes that take none, when nothing else is left.
give_up_waiting() {
	local node
	[[ " ${outcome[*]} " != *' running '* ]] || return 0
	for node in "${!job[@]}"; do
		[[ ${outcome[$node]} != waiting || ${because[$node]-} == *@(ReqNodeNotAvail|DOWN|DRAINED)* ]] || return 0
	done
	for node in "${!job[@]}"; do
		[[ ${outcome[$node]} == waiting ]] || continue
		scancel "${job[$node]}" 2>/dev/null || true
		outcome[$node]=failed
	done
}

tell_progress() {
	local each line several=''
	declare -A count=([waiting]=0 [running]=0 [done]=0 [failed]=0 [skipped]=0)
	for each in "${outcome[@]}"; do
		count[$each]=$((count[$each] + 1))
	done
	((${#nodes[@]} == 1)) || several=s
	line="${#nodes[@]} node$several: ${count[done]} done, ${count[running]} running, ${count[waiting]} waiting, ${count[failed]} failed, ${count[skipped]} skipped"
	[[ $line != "${told_progress-}" ]] || return 0
	told_progress=$line
	say "$line"
}

# The first Ctrl-C leaves the jobs, a second one cancels them.
leave_jobs() {
	if ((signals == 1 && exit_by == 130)); then
		say "the jobs go on, and the same command finds them again; Ctrl-C within 5 seconds cancels them"
		sleep 5 || true
	fi
	if ((signals > 1)); then
		scancel "${job[@]}" || true
		rm -f -- "$root/.slurm/batch"
		say "the jobs are cancelled"
	fi
	exit "$exit_by"
}

wait_for_jobs() {
	while true; do
		look_at_jobs
		give_up_waiting
		tell_progress
		[[ " ${outcome[*]} " == *@(' waiting '|' running ')* ]] || return 0
		sleep "$poll_s" || true
		((!signals)) || leave_jobs
		((poll_s >= 10)) || poll_s=$((poll_s + 1))
	done
}

# ---- the end

nodes_summary() {
	local node failed=0
	for node in "${nodes[@]}"; do
		[[ ${outcome[$node]} != failed ]] || failed=1
		[[ ${outcome[$node]} != done ]] || because[$node]=''
		printf '%-16s  %-7s  %s\n' "$node" "${outcome[$node]}" "${because[$node]-}" | sed 's/ *$//'
	done
	if [[ $confirm == yes ]]; then
		printf 'results: %s-fresh/; affinity-fleet %s --fresh %s-fresh says which node is slow\n' "$root" "$root" "$root"
	else
		printf 'results: %s/NODE/; affinity-fleet %s compares the nodes\n' "$root" "$root"
	fi
	return "$failed"
}

slurm_plan() {
	local node words
	for node in "${nodes[@]}"; do
		if [[ -n ${outcome[$node]-} ]]; then
			printf 'skipped %s: %s\n' "$node" "${because[$node]}"
			continue
		fi
		mapfile -t words < <(sbatch_words "$node")
		printf 'run     %s: sbatch %s\n' "$node" "${words[*]}"
	done
}

run_slurm() {
	local code=0 node folders=()
	root=$(realpath -m -- "$root")
	find_nodes
	if ((!${#nodes[@]})); then
		[[ $confirm == no ]] || { say "affinity-fleet suspects no node" && exit 0; }
		say "Slurm has no nodes in partition '$(partition)'; sinfo lists what there is"
		exit 1
	fi
	[[ $dry_run == no ]] || { slurm_plan && exit 0; }
	submit_all
	wait_for_jobs
	rm -f -- "$root/.slurm/batch"
	nodes_summary || code=1
	for node in "${nodes[@]}"; do
		[[ ${outcome[$node]} != done ]] || folders+=("$root/$node$([[ $quick == no ]] || echo /quick)")
	done
	if [[ $report == yes && ${#folders[@]} -gt 0 ]]; then
		"$top/scripts/report" --out "$root/report.html" "${folders[@]}" || code=1
	fi
	exit "$code"
}
