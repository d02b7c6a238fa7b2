/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts the turns of every loop beside their estimate (word "count"), as tables 1 and 2 of Piccoli
 * et al. (PACT 2014) do; nothing else is inserted then. */
#ifndef PASS_TURNS_H
#define PASS_TURNS_H

#include "pass/compat.h"

/* A record for each loop; where the estimate is known in front of it, each instance is told. */
void countTurns(
	llvm::Function &F, llvm::ScalarEvolution &SE, llvm::DominatorTree &DT, llvm::LoopInfo &LI);

/* The module tells of its records when it is loaded, and when it goes. */
bool tellOfLoops(llvm::Module &M);

#endif
