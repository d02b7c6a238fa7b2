/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops that an exception leaves together with their function. */
#ifndef PASS_UNWIND_H
#define PASS_UNWIND_H

#include <vector>

#include "pass/nest.h"

/* Gives the loops of All an exit for each such call, as that of a destructor, so that a release can
 * stand there. All stays valid. */
void addUnwindingExits(llvm::Function &F, const std::vector<ArrayUse> &All, llvm::DominatorTree &DT,
	llvm::LoopInfo &LI);

#endif
