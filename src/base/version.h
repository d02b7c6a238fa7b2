/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the build knows of itself; build/version.c is written by the Makefile. */
#ifndef VERSION_H
#define VERSION_H

extern const char AFFINITY_VERSION[]; /* of git, or of the VERSION file */
extern const char AFFINITY_COMPILER[];
extern const char AFFINITY_FLAGS[];     /* of the kernels, the only code that is measured */
extern const char AFFINITY_LIBRARIES[]; /* versions built against */

#endif
