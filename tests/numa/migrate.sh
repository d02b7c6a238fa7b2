# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=dash
# Sourced after lib.sh: the runtime of page migration, which tests/tools/migrate.c calls.

# Pages begin on node 0. What the kernel says afterwards, page by page and in numa_maps, is compared.
migrate_to() { # 'RUNS OF PAGES' 'ANSWERS' PAGES STEP...
	local expect=$1 answers=$2
	shift 2
	migrate "$@" show >moved 2>&1 || wrong "exit status $?: $(cat moved)"
	same 'pages of nodes' "$expect" "$(sed -n 's/^nodes //p' moved)"
	same 'the sums of numa_maps' "$(sums "$expect" '*')" "$(sums "$(sed -n 's/^numa_maps //p' moved)" '=')"
	same answers "$answers" "$(sed '/^nodes/,$d' moved | tr '\n' ' ' | sed 's/ $//')"
	same 'pages that are accounted for' "$(counted 8)" "$(counted 9 10 11 12)"
}

sums() { # 'RUNS' SIGN: pages of each node
	echo "$1" | tr ' ' '\n' | tr -d N | awk -F"[$2]" 'NF == 2 && /^[0-9]/ { n[$1] += $2 }
		END { for (i = 0; i < 4; i++) if (n[i]) printf "%d:%d ", i, n[i] }'
}

counted() { # COLUMN...: their sum over all threads
	awk -v columns="$*" '/^thread node/ { on = 1; next }
		on { n = split(columns, c, " "); for (i = 1; i <= n; i++) sum += $c[i] } END { print sum + 0 }' moved
}
