/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks with move_pages(), hidden pages as well. */
#include "page_nodes.h"

#include <numaif.h>

#include "hidden_pages.h"

static int ask(size_t n, void **pages, int *status)
{
	return move_pages(0, n, pages, NULL, status, 0) ? -1 : 0;
}

int page_nodes(size_t n, void **pages, int *status)
{
	return hidden_pages_find(ask, n, pages, status);
}
