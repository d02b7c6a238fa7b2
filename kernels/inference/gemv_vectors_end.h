/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Undefines what gemv_loops.h and gemv_dots.h need to know of vectors; without a guard, for those
 * of other vectors may follow. */
#undef LANES
#undef VU
#undef VI
#undef VF
#undef ZERO
#undef TOTAL
#undef FLOATS
#undef SCALES
#undef KEEP
#undef KEEP_WORD
