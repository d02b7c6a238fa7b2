/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The name where no main.c defines one: the linker takes this from the archive only then, so
 * nothing else belongs into this file. */
#include "base/name.h"

const char PROGRAM_NAME[] = "affinity";
