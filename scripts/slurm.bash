# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# ejec.sh --slurm, which sources this: a job of Slurm for each node runs ejec.sh there. What was submitted is in
# RESULTS/.slurm until its end is told, so that the same command goes on where an earlier one ended.
#
# A job a node, not an array: tasks of an array cannot be told which node they get. With --one-job one job has all nodes, and
# a task on each.

slurm=no confirm=no one_job=no asked_nodes=''
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
		[[ -z $asked_nodes && ${#sbatch_options[@]} == 0 && $one_job == no ]] || usage_error "--nodes, --sbatch and --one-job need --slurm"
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

# What runs on a node, which tells its end in the file NODE.status.
node_script() {
	local runs=("$root") records each
	[[ $confirm == no ]] || runs=("$root-fresh/1" "$root-fresh/2" "$root-fresh/3")
	records=$(record_of '')
	printf 'code=0\n'
	for each in "${runs[@]}"; do
		printf '%s || code=$?\n' "$(job_command "$each")"
	done
	printf 'status=%q$SLURMD_NODENAME.status\n' "$records"
	printf 'echo "$code" >"$status.new" && mv -- "$status.new" "$status"\n'
}

# A task that fails leaves the others alone, and so does a node that is lost.
job_script() {
	printf '#!/usr/bin/env bash\n'
	if [[ $one_job == no ]]; then
		node_script
	else
		printf 'srun --ntasks-per-node=1 --cpu-bind=none --wait=0 --kill-on-bad-exit=0 --no-kill bash -c %q\n' \
			"$(printf 'exec >%q$SLURMD_NODENAME.out 2>&1\n' "$(record_of '')" && node_script)"
	fi
}

# All memory and all CPUs, once: a node that fails is told, not tried again. From Slurm 24 on it refuses a job that is to
# have its node alone and to share it. In the name of its output, Slurm takes %j and such for words of its own.
sbatch_words() { # NODE...; each ended by a NUL
	local list output=$1 alone=(--exclusive)
	[[ " ${sbatch_options[*]} " != *' --oversubscribe '* && " ${sbatch_options[*]} " != *' -s '* ]] || alone=()
	list=$(IFS=, && printf '%s' "$*")
	[[ $one_job == no ]] || output=job
	[[ $one_job == no ]] || printf '%s\0' --no-kill
	printf '%s\0' --parsable "--job-name=$slurm_name" "--comment=$(batch_comment)" "--nodes=$#" "--ntasks=$#" "--nodelist=$list" \
		"${alone[@]}" --mem=0 --no-requeue "--output=${root//%/%%}/.slurm/$output.out" "${sbatch_options[@]}"
}

submit() { # NODE...
	local words id node code=0
	mapfile -d '' -t words < <(sbatch_words "$@")
	for node; do
		rm -f -- "$root/.slurm/$node.status"
	done
	id=$(job_script | sbatch "${words[@]}" 2>"$scratch/messages") || code=$?
	for node; do
		if ((code)); then
			outcome[$node]=failed because[$node]="not submitted: $(tr '\n' ' ' <"$scratch/messages")"
		else
			job[$node]=${id%%;*} outcome[$node]=waiting
			printf '%s %s\n' "$node" "${job[$node]}" >>"$root/.slurm/batch"
		fi
	done
}

# What squeue shows of each job, on one line.
batch_comment() { printf '%q' "$root"; }

batch_identity() {
	printf '%s' "# $one_job $quick $confirm $resume $thesis ${sets[*]} ${given[*]}" | tr '\n' ' '
}

# Jobs of this batch that an earlier ejec.sh submitted: those that it wrote down, and the last one if it was killed before.
adopt() {
	local node id list comment first
	first=$(head -n 1 "$root/.slurm/batch")
	if [[ $first != "$(batch_identity)" ]]; then
		say "'$root/.slurm/batch' is of another batch, whose jobs may still run"
		say "  hint: the command that began it goes on with it; or scancel --name=$slurm_name --me, and remove the file"
		exit 1
	fi
	while read -r node id; do
		[[ $node == '#' ]] || job[$node]=$id
	done <"$root/.slurm/batch"
	while IFS='|' read -r id list comment; do
		[[ $comment == "$(batch_comment)" ]] || continue
		for node in $(scontrol show hostnames "$list"); do
			[[ -n ${job[$node]-} ]] || job[$node]=$id
		done
	done < <(squeue --me -h -n "$slurm_name" -o '%A|%n|%k')
	for node in "${!job[@]}"; do
		outcome[$node]=waiting
		[[ " ${nodes[*]} " == *" $node "* ]] || nodes+=("$node")
	done
	say "goes on with the jobs of ${#job[@]} nodes that were submitted before"
}

# Another one that does not know yet what this one has submitted would submit it, too. The lock ends with this process: what
# it starts and waits for for long, has none.
lock_batch() {
	local code=0
	mkdir -p -- "$root/.slurm"
	exec 8>>"$root/.slurm/lock"
	flock -n -E 9 8 2>/dev/null || code=$?
	((code == 9)) || return 0
	say "another $me --slurm is at work in '$(shown "$root")'; nothing was submitted"
	say "  hint: wait for it, or name another folder: --results DIR"
	exit 1
}

submit_all() {
	local node free=()
	lock_batch
	if ! (set -C && batch_identity >"$root/.slurm/batch" && echo >>"$root/.slurm/batch") 2>/dev/null; then
		adopt
	fi
	for node in "${nodes[@]}"; do
		[[ -n ${outcome[$node]-} ]] || free+=("$node")
	done
	if [[ $one_job == yes && ${#free[@]} -gt 0 ]]; then
		submit "${free[@]}"
		return
	fi
	for node in "${free[@]}"; do
		((!signals)) || return 0
		submit "$node"
	done
}

# ---- waiting

# The end of a job that Slurm no longer lists, or that ends just now.
job_ended() { # NODE
	local state='' output=$1
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
	[[ -e $root/.slurm/$1.out ]] || output=job
	outcome[$1]=failed because[$1]="job ${job[$1]} ended early: ${state:-unknown to Slurm}; $(shown "$root/.slurm/$output.out")"
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
		R)
			outcome[$node]=running
			[[ ! -s $root/.slurm/$node.status ]] || job_ended "$node" # others of its job may run
			;;
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
		sleep 5 8>&- || true
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
		sleep "$poll_s" 8>&- || true
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

plan_job() { # NODE...
	local words
	mapfile -d '' -t words < <(sbatch_words "$@")
	printf 'run     %s: sbatch %s\n' "$*" "${words[*]}"
}

slurm_plan() {
	local node free=()
	for node in "${nodes[@]}"; do
		if [[ -n ${outcome[$node]-} ]]; then
			printf 'skipped %s: %s\n' "$node" "${because[$node]}"
		elif [[ $one_job == yes ]]; then
			free+=("$node")
		else
			plan_job "$node"
		fi
	done
	((!${#free[@]})) || plan_job "${free[@]}"
}

run_slurm() {
	local code=0 node folders=()
	root=$(realpath -m -- "$root")
	if [[ $root == *\\* ]]; then
		say "Slurm does not write to a folder with a backslash in its name: '$root'; --results DIR names another one"
		exit 1
	fi
	find_nodes
	if ((!${#nodes[@]})); then
		[[ $confirm == no ]] || { say "affinity-fleet suspects no node"; exit; }
		say "Slurm has no nodes in partition '$(partition)'; sinfo lists what there is"
		exit 1
	fi
	[[ $dry_run == no ]] || { slurm_plan; exit; }
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
