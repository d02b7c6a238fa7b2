#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs a batch of argument files with the driver; usage() below says how.
# the thesis's habit is "sh ejec.sh", whatever sh is
[ -n "${BASH_VERSION-}" ] || exec bash "$0" "$@"
set -euo pipefail
export LC_ALL=C # points in numbers, bytes in sorting

top=$(dirname -- "$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")")
installed=no
[[ -d $top/src ]] || installed=yes
driver=$top/affinity
[[ $installed == no ]] || driver=$(realpath -m -- "$top/../../bin/affinity")
driver=${AFFINITY:-$driver}
me=${0##*/}
root=''
quick=no resume=no dry_run=no show=no report=no thesis=no beside=no first=no
sets=() given=()

# shellcheck source=scripts/private.bash
source "$top/scripts/private.bash"
# shellcheck source=scripts/planning.bash
source "$top/scripts/planning.bash"
# shellcheck source=scripts/earlier.bash
source "$top/scripts/earlier.bash"
# shellcheck source=scripts/slurm.bash
source "$top/scripts/slurm.bash"

files=() # argument files, as the driver is told them
names=() # their experiments: SUITE/EXPERIMENT
state=() # planned, then: ok kept skipped failed stopped
took=()  # milliseconds
guess=() # the same, as the plan has it; 0: it has none
why=()
declare -A seen=() owner=() # canonical path -> 1; experiment -> canonical path

child='' # the driver's process while it runs
scratch='' # a folder of this run's own
signals=0 woken=0 exit_by=0
bound=()

usage() {
	cat <<'END'
usage: ejec.sh [options] [FILE|FOLDER...], installed: affinity-ejec

Measures every argument file given, and every *.args file below a folder given, one after another. A suite
of args/ needs no path: ejec.sh latency; args is all of them. Without a name it lists them with the time that
they take here, and measures nothing. All files are planned before the first is measured: what this machine cannot place is
skipped with its reason, a bad file fails, and neither stops the rest. Results are
results/HOST/SUITE/EXPERIMENT.txt, .json and .csv (and .svg), named after the folder and the file, or
EXPERIMENT.skipped with the reason. Earlier ones are kept in results/.history/HOST/SUITE/EXPERIMENT@DATE.json:
affinity --compare HOST/SUITE/EXPERIMENT@last HOST/SUITE/EXPERIMENT.

  --quick      a few seconds a file: --set quick=yes, and what the file says in lines of the form
               '# quick: KEY=VALUE'; results go to HOST/quick/
  --report     make report.html of the results at the end (scripts/report)
  --first      the machine on one screen, in a minute: args/first, HOST/first.txt and .json, report.html
  --resume     leave out what has whole results newer than the argument file, of the same text and --set
  --dry-run    plan, list what would run, and stop
  --thesis     take every file without a suffix below a folder too, as the thesis's own folders have them;
               files salida... are results, not experiments
  --beside     results beside each file, as in the thesis: FOLDER/salida_FILE.txt, .json and .csv; earlier ones
               are kept in FOLDER/.history/
  --show       print each text report when it is done
  --set K=V    override a key in every file (repeatable)
  -o, --results DIR
               use DIR in place of results/, which is the project's folder, or installed that of the current
               folder; without it, where that cannot be written, results go to a folder affinity of $XDG_STATE_HOME,
               installed of ~/.local/state, or to your own folder affinity-UID of $TMPDIR or /tmp
  --slurm      measure on the nodes of a cluster: a job of Slurm for each, which has the whole node and writes to
               results/NODE/; waits for all. The same command again goes on with jobs that run
  --nodes LIST with --slurm: these nodes, such as n[1-8] (default: all of the partition)
  --sbatch OPTION
               with --slurm: an option for sbatch, such as --partition=fat or --time=60 (repeatable)
  --one-job    with --slurm: one job that has all nodes at once, in place of a job for each
  --confirm    with --slurm: the nodes that affinity-fleet suspects, three times, into results-fresh/
  -h, --help   this text
  -V, --version
               version

Where the machine shows no sizes of caches, they are measured once, into HOST/caches.json, and every file uses them.

AFFINITY=PATH names another driver than the one beside scripts/. Ctrl-C keeps what was measured.

exit  0 all measured or skipped   1 something failed   2 wrong usage   130 Ctrl-C
END
}

say() { printf '%s\n' "$me: $*" >&2; }

# That of the driver.
version() {
	"$driver" --version | sed "s/^affinity/$me/"
}

usage_error() {
	say "$1"
	say "$me --help lists the options"
	exit 2
}

# ---- what to run

parse_options() {
	while (($#)); do
		case $1 in
		--quick) quick=yes ;;
		--resume) resume=yes ;;
		--dry-run) dry_run=yes ;;
		--show) show=yes ;;
		--thesis) thesis=yes ;;
		--beside) beside=yes ;;
		--report) report=yes ;;
		--first) first=yes ;;
		--slurm) slurm=yes ;;
		--confirm) slurm=yes confirm=yes ;;
		--one-job) one_job=yes ;;
		--set | -o | --results | --nodes | --sbatch)
			(($# > 1)) || usage_error "'$1' needs a value"
			take_value "$1" "$2"
			shift
			;;
		-h | --help)
			usage
			exit
			;;
		-V | --version)
			version
			exit
			;;
		--) given+=("${@:2}") && return ;;
		-*) usage_error "unknown option '$1'" ;;
		*) given+=("$1") ;;
		esac
		shift
	done
}

# affinity first starts it so.
take_first() {
	[[ $first == yes ]] || return 0
	((!${#given[@]})) || usage_error "'${given[0]}': affinity first takes no file: it measures args/first"
	[[ $beside == no && $slurm == no ]] || usage_error "--first needs the results of one machine in one folder"
	given=("$top/args/first")
}

take_value() { # OPTION VALUE
	if [[ $1 == --nodes ]]; then
		asked_nodes=$2
	elif [[ $1 == --sbatch ]]; then
		sbatch_options+=("$2")
	elif [[ $1 != --set ]]; then
		[[ -n $2 ]] || usage_error "'$1' needs the name of a folder"
		root=$2
	elif [[ $2 == ?*=* ]]; then
		sets+=(--set "$2")
	else
		usage_error "--set '$2' is not of the form KEY=VALUE"
	fi
}

# ---- running the driver

# The driver runs in a session of its own, so that a Ctrl-C of the terminal reaches only this script. The script
# passes it on once, and also passes on a signal that it alone received. If the script is killed, the driver keeps what
# it has and ends (`bound`). Without `trap -` bash would start it with SIGINT ignored.
run_child() { # COMMAND...; returns its exit status
	local before code
	(trap - INT QUIT && exec "${bound[@]}" setsid "$@") </dev/null &
	child=$!
	while true; do
		before=$woken code=0
		wait "$child" || code=$?
		((woken == before)) && break # else a signal ended wait, not the driver
	done
	child=''
	return "$code"
}

# bash up to 5.2 cannot run a trap while it reads the $(...) of a command: it complains of a missing `)` and ends with 2. So
# no command here has two of them, the second of which is read when the first was interrupted, and a signal in the
# instants that are left ends the batch as Ctrl-C does.
leave() { # EXIT-STATUS
	rm -rf -- "$scratch"
	(($1 == 2)) || return 0
	[[ -z $child ]] || kill -s INT "$child" 2>/dev/null || true
	say "stopped by a signal; what was measured is kept, and --resume goes on"
	exit 130
}

# When a terminal closes, both the system and the shell send SIGHUP: the second one asks for nothing new.
on_signal() { # NUMBER
	woken=$((woken + 1))
	(($1 != 1 || signals == 0)) || return 0
	signals=$((signals + 1)) exit_by=$((128 + $1))
	local name=INT
	((signals == 1)) || name=TERM # it was asked politely before
	[[ -z $child ]] || kill -s "$name" "$child" 2>/dev/null || true
}

# The first message in a file of messages, without file and line, which the summary has already.
first_message() { # FILE
	local line
	while IFS= read -r line || [[ -n $line ]]; do
		line=${line#"$1:"}
		[[ $line =~ ^([0-9]+:)?\ *(affinity:\ )?(.*)$ ]]
		line=${BASH_REMATCH[3]}
		[[ $line =~ ^($|hint:|warning:) ]] && continue
		printf '%s' "$line"
		return
	done <"$scratch/messages"
}

reason() { # FILE EXIT-STATUS
	local known=('' 'could not measure' 'bad arguments' 'placement not obtained' 'counters required, absent'
		[129]=interrupted [130]=interrupted [143]=interrupted [152]=interrupted)
	local text
	text=$(first_message "$1")
	[[ -n $text ]] || text=${known[$2]-}
	# SIGILL
	(($2 != 132)) || text="this CPU lacks an instruction of the build; build on a machine of its kind, or without -march in CFLAGS"
	[[ -n ${known[$2]-} ]] || text="exit status $2${text:+: $text}"
	printf '%s' "$text"
}

now_ms() { date +%s%3N; }

shown() { printf '%s' "${1#"$PWD/"}"; } # PATH

# ---- measuring

# What a state of the machine spoils is told once a batch, not for each file.
tell_messages() {
	awk 'FILENAME == ARGV[1] { told[$0]; next }
		!/^  hint: / { known = /^affinity: warning: .*: [a-z_]+ = [^=]*$/ && $0 in told } !known' "$scratch/told" "$scratch/messages" >&2
	cat -- "$scratch/messages" >>"$scratch/told"
}

# On a terminal the driver's progress line needs standard error; elsewhere its messages also give the reason.
measure() { # INDEX
	local result code=0 overrides far limit
	result=$(result_of "$1")
	limit_first "$1"
	find_overrides "$1"
	choose_matrix "$1"
	local command=("${limit[@]}" "$driver" "${overrides[@]}" "${far[@]}" --json "$result.json" --csv "$result.csv" "${files[$1]}" "$result.txt")
	: >"$scratch/messages" && : >>"$scratch/told" && : >"$scratch/begun"
	mkdir -p -- "$(dirname -- "$result")" 2>"$scratch/messages" || return 1
	keep_earlier "$result" || return 1
	if [[ -t 2 && $first == no ]]; then
		run_child "${command[@]}" || code=$?
	else
		run_child "${command[@]}" 2>"$scratch/messages" || code=$?
		[[ $first == yes ]] || tell_messages
	fi
	return "$code"
}

settle() { # INDEX EXIT-STATUS
	local i=$1 code=$2
	[[ $first == no || $signals -gt 0 || $code -ne 130 || ! $(result_of "$i").txt -nt $scratch/begun ]] || code=0
	if ((code == 0)); then
		state[i]=ok why[i]=$(found_in "$(result_of "$i").txt")
		[[ $show == no ]] || { cat -- "$(result_of "$i").txt" && echo; }
	elif ((signals)); then
		state[i]=stopped why[i]='by a signal; what it finished is kept'
	else
		why[i]=$(reason "${files[i]}" "$code")
		state[i]=failed
		((code != 4)) || state[i]=skipped
	fi
}

measure_all() {
	local i begin start code todo ran=0
	tally
	begin=$(now_ms) todo=${number[planned]}
	for i in "${!files[@]}"; do
		[[ ${state[i]} == planned ]] || continue
		((!signals)) || return 0
		start=$(now_ms) code=0
		say "[$((ran + 1))/$todo] ${names[i]} (elapsed $(clock $((start - begin))), remaining $(time_left $((start - begin)) "$ran" "$todo"))"
		measure "$i" || code=$?
		took[i]=$(($(now_ms) - start)) ran=$((ran + 1))
		settle "$i" "$code"
		renew_matrix "$i"
	done
}

# ---- notes for the report besides results

# EXPERIMENT.skipped says why there is no result of this batch; an earlier result stays beside it.
record_outcome() { # INDEX
	local note
	note=$(result_of "$1").skipped
	case ${state[$1]} in
	ok | kept) rm -f -- "$note" ;;
	skipped | failed)
		mkdir -p -- "$(dirname -- "$note")" 2>/dev/null || return 0
		# on a full disk the summary still says it
		{ printf '%s: %s\n' "${state[$1]}" "${why[$1]}" >"$note"; } 2>/dev/null || rm -f -- "$note"
		;;
	esac
}

record_all() {
	local i
	for i in "${!files[@]}"; do
		record_outcome "$i"
	done
	[[ -d $results ]] && command -v lstopo-no-graphics >/dev/null || return 0
	# lstopo does not notice a full disk, cp does
	if ! { lstopo-no-graphics --no-io --no-legend --of svg >"$scratch/topology.svg" &&
		cp -- "$scratch/topology.svg" "$results/topology.svg"; } 2>/dev/null; then
		rm -f -- "$results/topology.svg"
	fi
}

# A node of a cluster may have another CPU than the one that built, or lack a library: every file would fail.
check_driver() {
	local code=0
	[[ -n ${SLURM_JOB_ID-} ]] || return 0
	"$driver" --version >/dev/null 2>"$scratch/messages" || code=$?
	((code)) || return 0
	say "the driver does not run on this node: $(reason '' "$code")"
	exit 1
}

# Inside a job of Slurm: which part of the node it has, which is the machine for all that is placed.
tell_job() {
	[[ -n ${SLURM_JOB_ID-} ]] || return 0
	local mine all
	mine=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)
	all=$(cat /sys/devices/system/cpu/online 2>/dev/null || true)
	if [[ $mine == "$all" || -z $all ]]; then
		say "job $SLURM_JOB_ID on ${SLURMD_NODENAME-}: all CPUs of the node"
	else
		say "job $SLURM_JOB_ID on ${SLURMD_NODENAME-}: CPUs $mine of $all, which are the machine here; --exclusive gives all"
	fi
}

# ---- the summary

# On a terminal the last column is folded; where it would be narrow, the others stand above it.
row() { # EXPERIMENT STATUS SECONDS REASON-OR-VERDICT
	local line indent=$((width + 21)) text=$4
	printf -v line '%-*s  %-7s  %8s  ' "$width" "$1" "$2" "$3"
	if ((columns && indent + ${#text} > columns)); then
		if ((columns - indent < 30)); then
			printf '%s\n' "${line%"${line##*[! ]}"}"
			indent=4 line='    '
		fi
		text=$(fold -s -w $((columns - indent)) <<<"$text" | sed "2,\$s/^/$(printf '%*s' "$indent" '')/")
	fi
	line+=$text
	printf '%s\n' "${line%"${line##*[! ]}"}"
}

summary() {
	local i name width=10 columns=0
	tally
	[[ ! -t 1 ]] || columns=$(stty size <&1 | cut -d ' ' -f 2)
	for name in "${names[@]}"; do
		((${#name} <= width)) || width=${#name}
	done
	row experiment status seconds 'reason, or what was found'
	for i in "${!names[@]}"; do
		[[ ${state[i]} != planned ]] || continue
		row "${names[i]}" "${state[i]}" $((took[i] / 1000)).$((took[i] % 1000 / 100)) "${why[i]}"
	done
	[[ ${number[planned]} == 0 ]] || printf '%d not run\n' "${number[planned]}"
	if [[ $beside == yes ]]; then
		printf 'results: beside each file, salida_FILE.{txt,json,csv}\n'
	else
		printf 'results: %s/EXPERIMENT.{txt,json,csv}\n' "$(shown "$results")"
	fi
}

# Sets limit, the command that ends a file of args/first in its share of the time, with what it has: where others use the
# machine, all takes longer than planned. Half a minute more than a minute is waited for on large machines only.
limit_first() { # INDEX
	local i rest=0 now budget=60000
	limit=()
	[[ $first == yes ]] || return 0
	now=$(now_ms)
	: "${first_begin:=$now}"
	for i in "${!files[@]}"; do
		[[ ${state[i]} != planned ]] || rest=$((rest + ${guess[i]:-0} + 2000)) # its start, which no plan counts
	done
	: "${first_end:=$((first_begin + (rest * 5 / 4 > budget ? rest * 5 / 4 : budget)))}"
	budget=$((first_end > now ? first_end - now : 0))
	budget=$((budget * (${guess[$1]:-0} + 2000) / rest))
	# --foreground: it passes a signal to the driver alone, not once more to its own group; the second would kill
	limit=(timeout --foreground --preserve-status -s INT $((budget / 1000 + 1)))
}

# What args/first measured, on one screen; of a batch that was stopped nothing is whole, and what was not measured now is
# not shown as if it were.
screen() {
	local screen=$results/first i result page=''
	((!signals)) || { say "stopped: what was measured is in $(shown "$screen"); affinity first --resume goes on" && return 0; }
	for i in "${!files[@]}"; do
		result=$(result_of "$i")
		[[ ${state[i]} == ok || ${state[i]} == kept ]] || { keep_earlier "$result" && rm -f -- "$result".{txt,json,csv}; }
		[[ ${state[i]} != failed ]] || say "${names[i]} failed: ${why[i]}"
	done
	keep_earlier "$screen" || { cat -- "$scratch/messages" >&2 && return 1; }
	"$driver" --quiet --show "$screen" --json "$screen.json" "$screen.txt" || return 1
	if "$top/scripts/report" "$results" >/dev/null 2>"$scratch/messages"; then
		page=', report.html'
	else
		cat -- "$scratch/messages" >&2
	fi
	# again where there may be colours; else it is a copy
	if [[ -t 1 ]]; then "$driver" --quiet --show "$screen"; else cat -- "$screen.txt"; fi
	printf 'results: %s.txt (to send), first.json%s\n' "$(shown "$screen")" "$page"
}

finish() {
	local failed=no
	if [[ $dry_run == yes ]]; then
		list_plan
	elif [[ $first == yes ]]; then
		record_all
		screen || failed=yes
	else
		record_all
		summary
		[[ $report == no ]] || "$top/scripts/report" "$results" || failed=yes
	fi
	((!signals)) || exit "$exit_by"
	[[ $failed == no && " ${state[*]} " != *' failed '* ]] || exit 1
}

main() {
	parse_options "$@"
	[[ $beside == no || $report == no ]] || usage_error "--report needs the results in one folder; leave out --beside"
	check_slurm_options
	take_first
	((!${#given[@]})) || collect
	command -v -- "$driver" >/dev/null || { say "no driver at '$driver'; run make first" && exit 1; }
	((${#given[@]})) || list_suites
	find_root
	results=$root/${SLURMD_NODENAME:-$(uname -n | cut -d. -f1)} # several nodes may be one host
	[[ $quick == no ]] || results+=/quick
	trap 'leave $?' EXIT
	trap 'on_signal 1' HUP
	trap 'on_signal 2' INT
	trap 'on_signal 3' QUIT # else the driver, in its own session, would stay behind
	trap 'on_signal 15' TERM
	bound=(setpriv --pdeathsig INT)
	"${bound[@]}" true 2>/dev/null || bound=()
	# a signal that came between the folder and its name would leave it behind
	scratch=$(trap '' HUP INT QUIT TERM && mktemp -d)
	[[ $slurm == no ]] || run_slurm
	tell_job
	check_driver
	lock_results
	find_caches
	find_matrix
	plan_all
	[[ $dry_run == yes ]] || measure_all
	finish
}

main "$@"
