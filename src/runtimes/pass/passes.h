/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the pass does to a function and to a module. */
#ifndef PASS_PASSES_H
#define PASS_PASSES_H

#include "pass/nest.h"

/* Calls and releases for all that is understood. */
void migrate(llvm::Function &F, llvm::ScalarEvolution &SE, llvm::DominatorTree &DT,
	llvm::LoopInfo &LI, llvm::OptimizationRemarkEmitter &ORE, const Options &O);

/* Starts the runtime first in main; false: there is none in this module. */
bool beginInMain(llvm::Module &M);

#endif
