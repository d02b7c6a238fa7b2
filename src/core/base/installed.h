/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of the project's files in what a user is told. Messages name them as they are in the
 * sources, args/matrix/latency.args and scripts/ejec.sh; where make install has put the running
 * program, they have other names there.
 */
#ifndef INSTALLED_H
#define INSTALLED_H

/* "PREFIX/share/affinity/" if the running program lies in PREFIX/bin and the experiments there,
 * else NULL. To be freed. */
char *installed_folder(void);

/* The folder args of the program that runs: the installed one, or that of the sources above it;
 * NULL: there is none. To be freed. */
char *installed_args(void);

/* The text with the installed names: args/FILE is FOLDER/args/FILE unless the text's reader has one
 * in the current folder, scripts/NAME the program affinity-NAME without its suffix. A copy without
 * changes if folder is NULL. To be freed. */
char *installed_names(const char *text, const char *folder);

#endif
