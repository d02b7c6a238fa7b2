/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bases and bounds that a loop loads again in each turn, because a store might change them: while
 * the loops are analysed they count as loaded once, before the outermost loop where the load's
 * address is known. As in the dissertation (section 3.1.2), which does it for globals, the calls
 * use the copies; the program itself keeps its loads.
 *
 * So it is with what a sanitizer's checks hide: a pointer that is frozen for them counts as it is,
 * and their reports as calls that return.
 */
#ifndef PASS_RELOAD_H
#define PASS_RELOAD_H

#include <vector>

#include <llvm/IR/ValueHandle.h>

#include "pass/compat.h"

class Reloads
{
      public:
	Reloads(llvm::Function &F, llvm::ScalarEvolution &SE, llvm::DominatorTree &DT,
		llvm::LoopInfo &LI);

	/* The program uses the copies until end(). */
	void begin();
	void end();

	/* Whether S depends on a copy, so that it is no more than what was true before the loop:
	 * not on those of what nothing else can change. */
	bool in(const llvm::SCEV *S) const;
	bool isUnsure(const llvm::Value *V) const;

      private:
	llvm::Function &F;
	llvm::ScalarEvolution &SE;
	llvm::DominatorTree &DT;
	llvm::LoopInfo &LI;
	std::vector<llvm::LoadInst *> copies;
	llvm::SmallPtrSet<const llvm::Value *, 8> unsure; /* of the copies */
	/* A call may become another instruction in between, with operands of its own. */
	struct Replaced {
		llvm::WeakTrackingVH user;
		unsigned operand;
		bool callee;
		llvm::WeakTrackingVH was;
	};
	std::vector<Replaced> uses;
	std::vector<llvm::WeakTrackingVH> checks;

	bool stable(const llvm::LoadInst *Load, const llvm::SCEV *Address, const llvm::Loop *L);
	bool safe(const llvm::LoadInst *Load, const llvm::Loop *L);
	llvm::Loop *outermost(llvm::LoadInst *Load, const llvm::SCEV *Address);
	bool copy(llvm::LoadInst *Load);
	bool round();
	void replace(llvm::Use &U, llvm::Value *With);
	bool seeThroughChecks();
};

#endif
