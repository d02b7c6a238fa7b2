/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The configuration's fields by name. */
#ifndef SPM_CONFIG_H
#define SPM_CONFIG_H

#include "spm/spm.h"

/* Adds a line to the text in message, as far as it has room. */
__attribute__((format(printf, 3, 4))) void spm_say(
	char *message, size_t size, const char *format, ...);

/* Returns 0, or -1 with a line for each field that is out of range. */
int spm_config_check(const struct spm_config *config, char *message, size_t size);

/* "# name: value", a line for each field, with a decimal point in every locale. */
void spm_config_print(const struct spm_config *config, FILE *out);

#endif
