/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The programs' exit codes (manual/command-line.md, "Exit codes"). */
#ifndef STATUS_H
#define STATUS_H

enum status {
	STATUS_OK = 0,
	STATUS_FAILED = 1, /* could not measure: out of memory, an output that cannot be written */
	STATUS_USAGE = 2,  /* bad arguments: the file or the command line must change */
	STATUS_PLACEMENT = 3, /* placement impossible on this machine, or not obtained */
	STATUS_COUNTERS = 4,  /* required counters are absent */
	STATUS_SIGNAL = 128,  /* plus a signal's number: it ended the measurement early */
	STATUS_READER_LEFT =
		141 /* the reader of standard output is gone (SIGPIPE), as in `| head` */
};

#endif
