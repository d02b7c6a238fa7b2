# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Planning the batch of ejec.sh, which sources this: its files, the overrides of each, and what will be measured, kept,
# skipped or failed, and how long that takes. It uses ejec.sh's options, its table of files, run_child() and
# reason().

matrix=()             # --matrix FILE, if there are results of args/matrix/latency that the driver can use
declare -A refused=() # results of it that the driver cannot use, once they are told
declare -A number=()  # of files in each state
measured_caches=''    # the file of measured caches, where the machine shows none

# ---- what to run

# Results of the project's own files are named after their place below args/, others after their folder;
# if two would share a name, the second one gets its whole path, with its suffix only where that tells two apart.
experiment_name() { # CANONICAL-PATH
	local path=${1%.args} name
	if [[ $path == "$top/args/"* ]]; then
		name=${path#"$top/args/"}
	else
		name=$(basename -- "$(dirname -- "$path")")/${path##*/}
	fi
	name=${name#/}
	[[ -z ${owner[$name]-} ]] || name=${path#/}
	[[ -z ${owner[$name]-} ]] || name=${1#/}
	printf '%s' "$name"
}

add_file() { # FILE
	local real name
	real=$(realpath -- "$1")
	[[ -z ${seen[$real]-} ]] || return 0
	name=$(experiment_name "$real")
	seen[$real]=1 owner[$name]=$real
	files+=("$1") names+=("$name") state+=(planned) took+=(0) why+=('')
}

# The argument files below a folder, each ended by a NUL.
find_files() { # FOLDER yes|no: those without a suffix, too
	local names=(-name '*.args')
	[[ $2 == no ]] || names+=(-o ! -name '*.*' ! -name 'salida*')
	find -H "$1/" -type d ! \( -readable -executable \) -prune -o \( "${names[@]}" \) ! -type d -print0
}

# The first folder on the way to a path that may not be entered, or that it is and may not be read; fails if there is none.
closed_folder() { # PATH
	local at=$1 folder=''
	while [[ $at == */* ]]; do
		folder+=${at%%/*}/ at=${at#*/}
		[[ ! -d $folder || -x $folder ]] || { printf '%s' "${folder%/}" && return; }
	done
	[[ -d $1 && ! (-r $1 && -x $1) ]] && printf '%s' "$1"
}

say_closed() { # FOLDER WHAT-FOLLOWS
	say "$1: the folder cannot be read: permission denied$2"
	say "  hint: its owner can let you read it: chmod a+rx '$1'"
}

add_folder() { # FOLDER
	local folder=${1%/} found closed
	mapfile -d '' -t closed < <(find -H "$folder/" -type d ! \( -readable -executable \) -prune -print0 | sort -z)
	for found in "${closed[@]}"; do
		say_closed "$folder/${found#"$folder/"}" "; what is in it is left out"
	done
	mapfile -d '' -t found < <(find_files "$folder" "$thesis" | sort -z)
	((${#found[@]})) || return 1
	local file
	for file in "${found[@]}"; do
		if [[ -p $file || -S $file || -c $file || -b $file ]]; then
			say "'$file' is a pipe or a device, no argument file: left out"
			continue
		fi
		add_file "$folder/${file#"$folder/"}"
	done
}

# A file of the thesis is known by its first key, which every argument file must have.
hint_thesis() { # FOLDER
	local file
	[[ $thesis == no && -d $1 ]] || return 0
	while IFS= read -r -d '' file; do
		if grep -qsE '^[[:blank:]]*(kernels|opType)[[:blank:]]*:' "$file"; then
			say "  hint: '$file' looks like an argument file: --thesis takes files without a suffix"
			return
		fi
	done < <(find_files "$1" yes | sort -z)
}

# All of them take hours: nobody starts that by looking what there is.
list_suites() {
	"$driver" --experiments || true
	say "nothing is measured: name suites, files or folders; args is all of them"
	exit 2
}

collect() {
	local path closed bad=0
	for path in "${given[@]}"; do
		[[ -e $path || ! -d $top/args/$path ]] || path=$top/args/$path
		[[ -e $path || $path != args?(/*) || ! -e $top/$path ]] || path=$top/$path
		[[ $path != -* ]] || path=./$path # no option of find or of the driver
		if closed=$(closed_folder "$path"); then
			say_closed "$closed" '' && bad=1
		elif [[ -f $path ]]; then
			add_file "$path"
		elif [[ ! -e $path ]]; then
			say "'$path' does not exist" && bad=1
		elif [[ ! -d $path ]] || ! add_folder "$path"; then
			say "'$path' holds no *.args file" && bad=1
			hint_thesis "$path"
		fi
	done
	((!bad)) || usage_error "nothing was run"
}

# ---- planning

# Sets overrides, the --set of a file. The later one of two wins, so the user's come last; measured caches would also
# win over the file's own.
find_overrides() { # INDEX
	local line
	overrides=()
	if [[ $quick == yes ]]; then
		overrides=(--set quick=yes)
		while IFS= read -r line; do
			overrides+=(--set "$line")
		done < <(sed -n 's/^# quick: *//p' "${files[$1]}" 2>/dev/null)
	fi
	if [[ -n $measured_caches ]] && ! grep -qsE '^[[:blank:]]*caches[[:blank:]]*:' "${files[$1]}"; then
		overrides+=(--set "caches=measured:$measured_caches")
	fi
	overrides+=("${sets[@]}")
}

# The suites use the pair of nodes with the dearest access; where it has been measured, far() goes by that. A trial
# (--quick) is mostly too short for such a measurement, so it may use that of a whole batch.
find_matrix() {
	local file message files=("$results/matrix/latency.json")
	matrix=()
	if [[ $quick == yes ]]; then
		files+=("${results%/quick}/matrix/latency.json")
		[[ ${files[0]} -nt ${files[1]} ]] || files=("${files[1]}" "${files[0]}")
	fi
	for file in "${files[@]}"; do
		[[ -s $file ]] || continue
		if "$driver" --quiet --matrix "$file" --topology >/dev/null 2>"$scratch/messages"; then
			matrix=(--matrix "$file")
			return
		fi
		if [[ -z ${refused[$file]-} ]]; then
			message=$(first_message "$file")
			say "far() and near() cannot go by '${file#"$PWD/"}': $message"
		fi
		refused[$file]=told
	done
}

# The batch may have measured the matrix anew: what follows goes by it, if the driver can use it.
renew_matrix() { # INDEX
	local before=${matrix[1]-}
	[[ $(result_of "$1").json -ef $results/matrix/latency.json ]] || return 0
	refused[$results/matrix/latency.json]=''
	find_matrix
	[[ ${matrix[1]-} != "$before" ]] || return 0
	if ((${#matrix[@]})); then
		say "from here on far() and near() go by '$(shown "${matrix[1]}")'"
	else
		say "from here on far() and near() go by the node distances"
	fi
}

# Sets far, the --matrix of a file: none for the measurement of the matrix, which replaces it; and --bandwidths, where it
# weighs nodes by them.
choose_matrix() { # INDEX
	local file
	far=("${matrix[@]}")
	[[ ! $(result_of "$1").json -ef ${matrix[1]-} ]] || far=()
	[[ " ${sets[*]}" == *weighted:measured* ]] || grep -qs '^[^#]*weighted:measured' "${files[$1]}" || return 0
	for file in "$results"/matrix/bandwidth{,_one}.json "${results%/quick}"/matrix/bandwidth{,_one}.json; do
		bandwidths_usable "$file" || continue
		far+=(--bandwidths "$file")
		return
	done
}

# Those of a trial mostly are not: they show caches. Says once why not.
bandwidths_usable() { # FILE
	[[ -s $1 && -z ${refused[$1]-} ]] || return 1
	! "$driver" --quiet --export-memattrs "$scratch/attributes.xml" "$1" >/dev/null 2>"$scratch/messages" || return 0
	say "weighted:measured cannot go by '${1#"$PWD/"}': $(first_message "$1")"
	refused[$1]=told
	return 1
}

# Where a user's results go that have no place of their own. That of the home is for an installed program: make run
# writes to no home.
state_folder() {
	local home=${HOME:-/nowhere}/.local/state
	if [[ -n ${XDG_STATE_HOME-} ]]; then
		printf '%s/affinity' "$XDG_STATE_HOME"
	elif [[ $installed == yes ]] && mkdir -p -- "$home" 2>/dev/null && [[ -w $home ]]; then
		printf '%s/affinity' "$home"
	else
		private_folder affinity
	fi
}

# Sets root, the folder of results. It cannot be written in a container with a read-only root, for one.
find_root() {
	local asked=$root own=$top/results
	[[ $installed == no ]] || own=$PWD/results
	root=${asked:-$own}
	[[ $dry_run == no && $beside == no ]] || return 0
	if ! mkdir -p -- "$root" 2>/dev/null || [[ ! -w $root ]]; then
		[[ -z $asked ]] || { say "'$root' is no folder that can be written; nothing was run" && exit 1; }
		root=$(state_folder) || exit 1
		say "results/ cannot be written; results go to $root; --results DIR names another folder"
	fi
}

# Where the results of a file go, without their suffix.
result_of() { # INDEX
	local file=${files[$1]}
	if [[ $beside == yes ]]; then
		file=${file%.args}
		printf '%s/salida_%s' "$(dirname -- "$file")" "${file##*/}"
	else
		printf '%s/%s' "$results" "${names[$1]}"
	fi
}

plan() { # INDEX
	local i=$1 code=0 overrides far
	find_overrides "$i"
	choose_matrix "$i"
	if [[ $resume == yes ]] && has_results "$i"; then
		state[i]=kept why[i]='its results are newer'
		return
	fi
	run_child "$driver" "${overrides[@]}" "${far[@]}" --plan "${files[$i]}" >"$scratch/plan" 2>"$scratch/messages" || code=$?
	guess[i]=$(awk '/^about / { ms = $2 * 1000 } END { printf "%.0f", ms }' "$scratch/plan")
	((code)) || return 0
	((!signals)) || return 0 # it was not judged: not run, and nothing is recorded
	why[i]=$(reason "${files[$i]}" "$code")
	# a machine may be too large for a file of args/first, which is no fault of the file
	if ((code == 3 || code == 4)) || [[ $first == yes && ${why[i]} == 'the sweeps make more than '* ]]; then
		state[i]=skipped
	else
		state[i]=failed
		cat -- "$scratch/messages" >&2
	fi
}

# What neither the kernel nor the processor says is measured once, and kept with the results. Without it files are planned
# as they are: those that need no caches do.
find_caches() {
	local kept=${results%/quick}/caches.json
	[[ " ${sets[*]}" != *" caches="* ]] || return 0
	"$driver" --topology 2>/dev/null | grep '^caches: the machine shows none' >/dev/null || return 0
	if [[ -e $kept && ! -r $kept ]]; then
		say "cannot read '${kept#"$PWD/"}': permission denied; the files are planned without its caches"
		return
	fi
	if [[ ! -e $kept && $dry_run == no ]]; then
		say "the machine shows no caches: they are measured, into ${kept#"$PWD/"}"
		mkdir -p -- "${kept%/*}" 2>/dev/null || true
		run_child "$driver" --quiet --measure-caches "$kept" >&2 || true
	fi
	# one without steps would fail every file, also those that need no caches
	if [[ -e $kept ]] && ! "$driver" --quiet --set "caches=measured:$kept" --plan "${files[0]}" 2>&1 |
		grep 'have no step' >/dev/null; then
		measured_caches=$kept
	fi
}

clock() { # MILLISECONDS -> 1:02:03
	local s=$((($1 + 500) / 1000))
	printf '%d:%02d:%02d' $((s / 3600)) $((s / 60 % 60)) $((s % 60))
}

# By the cost of what is left, as the plans guess it and by how wrong they were so far; by number where a plan has none.
time_left() { # ELAPSED RAN OF
	local i rest=0 done=0 all=yes
	for i in "${!files[@]}"; do
		case ${state[i]} in
		planned) rest=$((rest + ${guess[i]:-0})) && ((${guess[i]:-0})) || all=no ;;
		kept | skipped) ;;
		*) done=$((done + ${guess[i]:-0})) ;;
		esac
	done
	if [[ $all == yes ]] && ((!$2)); then
		clock "$rest"
	elif [[ $all == yes ]] && ((done)); then
		clock $(($1 * rest / done))
	elif (($2)); then
		clock $(($1 * ($3 - $2) / $2))
	else
		printf 'not known yet'
	fi
}

# ", about 0:02:03" of all that is planned; nothing where a plan has no guess.
guessed_total() {
	local i all=0
	for i in "${!files[@]}"; do
		[[ ${state[i]} != planned ]] || { ((${guess[i]:-0})) && all=$((all + guess[i])); } || return 0
	done
	((!all)) || printf ', about %s' "$(clock "$all")"
}

# How many files are in each state, in `number`.
tally() {
	local each
	number=([planned]=0 [kept]=0 [skipped]=0 [failed]=0)
	for each in "${state[@]}"; do
		number[$each]=$((${number[$each]-0} + 1))
	done
}

plan_all() {
	local i
	for i in "${!files[@]}"; do
		((!signals)) || return 0
		plan "$i"
	done
	tally
	say "${number[planned]} to run, ${number[kept]} kept, ${number[skipped]} skipped, ${number[failed]} failed$(guessed_total)"
}

list_plan() {
	local i
	for i in "${!files[@]}"; do
		case ${state[i]} in
		planned) printf 'run     %s -> %s.txt\n' "${files[$i]}" "$(shown "$(result_of "$i")")" ;;
		*) printf '%-7s %s: %s\n' "${state[$i]}" "${files[$i]}" "${why[$i]}" ;;
		esac
	done
}

# The verdict of a text report, what was found and how far it can be trusted, in a line; nothing where it has none.
found_in() { # REPORT
	sed -n '/^+ Verdict$/,/^$/s/^ - //p' "$1" 2>/dev/null | paste -sd ' ' || true
}
