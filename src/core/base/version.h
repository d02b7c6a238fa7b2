/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts about the build; the Makefile writes build/version.c. */
#ifndef VERSION_H
#define VERSION_H

extern const char AFFINITY_VERSION[]; /* from git, or from the VERSION file */
extern const char AFFINITY_COMPILER[];
extern const char AFFINITY_CLANG[];     /* of loop_compiler: clang and policy: compiled; "": none */
extern const char AFFINITY_FLAGS[];     /* of the kernels, the only code that is measured */
extern const char AFFINITY_LIBRARIES[]; /* versions built against */

#endif
