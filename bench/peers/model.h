/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A model of random weights in llama.cpp's format, GGUF. It has the shape of one of 1.1 billion
 * weights (22 layers of 2048 columns, 5632 in between, 4 heads of keys and values for 32), and 4096
 * tokens without a text.
 */
#ifndef MODEL_H
#define MODEL_H

enum { TOKENS = 4096 };
enum ggml_type { TYPE_F32 = 0, TYPE_Q4 = 2, TYPE_Q8 = 8 };

/* 0, or 1 and a message where the file cannot be written. */
int write_model(const char *path, enum ggml_type type);

/* Prints the bytes of the matrices that a token is multiplied with; returns 0. */
int print_bytes(enum ggml_type type);

#endif
