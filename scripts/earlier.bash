# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Results that are there already, for ejec.sh, which sources this: they are kept before they are replaced, and --resume
# goes by them. It uses ejec.sh's options and result_of().

# Two batches into one folder would mix the files of their results, and disturb each other. The lock is on the folder
# where the results are kept: the driver, which locks those that it writes to, never writes there, and holds the lock, too,
# should this script be killed. Where the file system has no locks, the batch goes on.
lock_results() {
	local code=0 lock kept
	[[ $dry_run == no && $beside == no ]] || return 0
	kept=$(kept_of "$results")
	mkdir -p -- "$results" "$kept" 2>/dev/null && [[ -r $kept ]] || return 0
	exec {lock}<"$kept"
	flock -n -E 9 "$lock" 2>/dev/null || code=$?
	((code == 9)) || return 0
	say "another batch writes to '$(shown "$results")'; nothing was run"
	say "  hint: wait for it, or name another folder: --results DIR"
	exit 1
}

# Where earlier results are kept, without date and ending.
kept_of() { # RESULT
	if [[ $beside == yes ]]; then
		printf '%s/.history/%s' "$(dirname -- "$1")" "${1##*/}"
	else
		printf '%s/.history/%s' "$root" "${1#"$root/"}"
	fi
}

# When it was measured; where it does not say so, as one that was cut off, when its file was written. Nothing: there is
# no result.
date_of() { # RESULT
	local date='' ending
	if [[ -s $1.json ]]; then
		date=$(sed -n '/^ *"date": "[0-9TZ:-]*"/{ s/.*: "//; s/".*//p; q; }' "$1.json" 2>/dev/null || true)
	fi
	for ending in json txt csv; do
		[[ -n $date || ! -s $1.$ending ]] || date=$(date -u -r "$1.$ending" +%Y-%m-%dT%H:%M:%SZ)
	done
	printf '%s' "$date"
}

# Is another result kept under this name?
is_taken() { # RESULT NAME
	local ending
	for ending in txt csv json; do
		[[ ! -f $1.$ending || ! -e $2.$ending || $1.$ending -ef $2.$ending ]] ||
			cmp -s -- "$1.$ending" "$2.$ending" || return 0
	done
	return 1
}

# What is there already is kept by its date: as a link, because the driver replaces files and never changes them. Fails,
# with the reason in the messages, where it cannot be kept: what follows would replace it.
keep_earlier() { # RESULT
	local date name ending
	date=$(date_of "$1")
	[[ -n $date ]] || return 0
	name=$(kept_of "$1")@$date
	while is_taken "$1" "$name"; do
		name+=_ # two in a second
	done
	for ending in txt csv json; do
		[[ ! -f $1.$ending || -e $name.$ending ]] || keep_file "$1.$ending" "$name.$ending" || return 1
	done
}

keep_file() { # FILE KEPT
	local message=''
	if mkdir -p -- "${2%/*}" 2>"$scratch/kept" &&
		{ ln -- "$1" "$2" 2>/dev/null || cp -p -- "$1" "$2" 2>"$scratch/kept"; }; then
		return 0
	fi
	rm -f -- "$2" 2>/dev/null || true # a part of it
	read -r message <"$scratch/kept" || true
	printf 'its earlier result would be lost, as it cannot be kept: %s\n' "$message" >"$scratch/messages"
	return 1
}

# The overrides of a result, one on each line, as the driver recorded them.
recorded_sets() { # JSON-FILE
	sed -n '/^ *"set": \[$/,/^ *\]/ s/^ *"\(.*\)",\{0,1\}$/\1/p' "$1"
}

# Is a result of this very text? Another file of the same name, or an earlier state of the file, may have made it, and
# dates of files do not tell.
is_of_text() { # JSON-FILE ARGUMENT-FILE
	local text
	IFS= read -r -d '' text <"$2" || true
	text=${text//\\/\\\\}
	text=${text//\"/\\\"}
	text=${text//$'\n'/\\n}
	text=${text//$'\t'/\\t}
	text=${text//$'\r'/\\r}
	grep -qF -- " \"text\": \"$text\"," "$1"
}

# Newer than the argument file and of its text, complete, not interrupted, and made with the same --set: a short trial
# must not count as the measurement.
has_results() { # INDEX
	local json wanted
	json=$(result_of "$1").json
	wanted=$(printf '%s\n' "${overrides[@]}" | sed '/^--set$/d')
	[[ $json -nt ${files[$1]} && -s ${json%.json}.txt && $(tail -n 1 -- "$json") == '}' ]] &&
		grep -q '^ *"interrupted": false' "$json" && [[ $(recorded_sets "$json") == "$wanted" ]] &&
		is_of_text "$json" "${files[$1]}"
}
