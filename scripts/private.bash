# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Folders of this user alone, for scripts that source this.

# A folder for what has no other place. Anybody may make one of this name before us, or a link: only our own counts, that
# nobody else may use. Fails with a message where there is none.
private_folder() { # NAME
	local folder=${TMPDIR:-/tmp}/$1-$EUID
	mkdir -m 700 -- "$folder" 2>/dev/null || true
	if [[ -L $folder || ! -d $folder || ! -O $folder || $(stat -c %a -- "$folder") != 700 ]]; then
		printf '%s\n' "${0##*/}: '$folder' is no folder of yours alone (mode 700)" \
			"${0##*/}:   hint: remove it, or name another place: TMPDIR=DIR" >&2
		return 1
	fi
	printf '%s' "$folder"
}

# Where what was fetched is kept.
user_cache() {
	local parent=${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}
	if [[ -n ${AFFINITY_CACHE:-$parent} ]]; then
		printf '%s' "${AFFINITY_CACHE:-$parent/affinity}"
	else
		private_folder affinity-cache
	fi
}
