/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the runtime says of its blocks. Include it after fake.h. */
#ifndef RHP_PARTS_H
#define RHP_PARTS_H

static struct rhp_counts total(struct rhp *r)
{
	static struct rhp_counts counts;

	rhp_total(r, &counts);
	return counts;
}

/* The block has these parts. */
static void parts_are(struct rhp *r, const void *block, const struct rhp_part *expected, size_t n)
{
	struct rhp_part parts[8];

	assert_int_equal(rhp_parts(r, block, parts, 8), n);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(parts[i].node, expected[i].node);
		assert_int_equal(parts[i].bytes, expected[i].bytes);
	}
}

#endif
