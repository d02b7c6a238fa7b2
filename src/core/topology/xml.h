/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For topo.c only: which hwloc wrote an XML file. */
#ifndef TOPO_XML_H
#define TOPO_XML_H

#include <stdbool.h>
#include <stddef.h>

/* Writes into writer the version of hwloc that wrote the file, as far as the file says: "2.12.0",
 * or of the format only "3.0". True if it is newer than `linked` ("2.9.0"); else, and when the file
 * cannot be read or does not say, writer is "". */
bool topo_xml_newer(const char *path, const char *linked, char *writer, size_t n);

#endif
