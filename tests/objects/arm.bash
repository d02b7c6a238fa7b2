# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# The compiler for 64-bit Arm, for tests of what it makes of the kernels.

# Skips where there is none.
need_arm() {
	command -v aarch64-linux-gnu-gcc >/dev/null || skip "aarch64-linux-gnu-gcc is not installed (make setup installs it)"
}

# Sets arm, a command that compiles with a C library: the compiler's own or that of scripts/fetch. Debian's compiler
# comes without.
need_arm_library() {
	need_arm
	local sysroot
	arm=(aarch64-linux-gnu-gcc)
	! echo '#include <stdio.h>' | "${arm[@]}" -E - >/dev/null 2>&1 || return 0
	sysroot=$(scripts/fetch --check aarch64 2>&1) || skip "${sysroot#fetch: }"
	arm+=("--sysroot=$sysroot")
}
