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

# Lines as the driver writes them into JSON: control characters as \uHHHH, bytes that are no UTF-8 as \\xHH.
as_json() {
	awk '
		BEGIN {
			for (i = 1; i < 256; i++)
				coded[sprintf("%c", i)] = sprintf(i < 32 ? "\\u%04X" : "\\\\x%02x", i)
			coded["\b"] = "\\b"; coded["\f"] = "\\f"; coded["\r"] = "\\r"; coded["\t"] = "\\t"
			coded["\""] = "\\\""; coded["\\"] = "\\\\"
			next_byte = "[\200-\277]"
			plain = "^([ !#-[]|[]-\177]|[\302-\337]" next_byte "|\340[\240-\277]" next_byte "|[\341-\354\356\357]" next_byte \
				next_byte "|\355[\200-\237]" next_byte "|\360[\220-\277]" next_byte next_byte "|[\361-\363]" next_byte \
				next_byte next_byte "|\364[\200-\217]" next_byte next_byte ")+"
		}
		{
			for (done = ""; $0 != ""; $0 = substr($0, n + 1)) {
				n = match($0, plain) ? RLENGTH : 1
				done = done (RSTART ? substr($0, 1, n) : coded[substr($0, 1, 1)])
			}
			print done
		}'
}

# Is a result of this very text? Another file of the same name, or an earlier state of the file, may have made it, and
# dates of files do not tell.
is_of_text() { # JSON-FILE ARGUMENT-FILE
	local text
	text=$({ cat -- "$2" && printf .; } | as_json) # the dot keeps ends of lines
	text=${text%.}
	grep -qF -- " \"text\": \"${text//$'\n'/\\n}\"," "$1"
}

# Newer than the argument file and of its text, complete, not interrupted, and made with the same --set: a short trial
# must not count as the measurement.
has_results() { # INDEX
	local json wanted
	json=$(result_of "$1").json
	wanted=$(printf '%s\n' "${overrides[@]}" | sed '/^--set$/d' | as_json)
	[[ $json -nt ${files[$1]} && -s ${json%.json}.txt && $(tail -n 1 -- "$json") == '}' ]] &&
		grep -q '^ *"interrupted": false' "$json" && ! grep -q '^ *"lost": true' "$json" && [[ $(recorded_sets "$json") == "$wanted" ]] &&
		is_of_text "$json" "${files[$1]}"
}
