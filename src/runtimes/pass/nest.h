/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The accesses of a function's loops: of which array, which bytes, how often, and in front of which
 * loop all of that is known. */
#ifndef PASS_NEST_H
#define PASS_NEST_H

#include <vector>

#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/IR/ValueHandle.h>

#include "pass/count.h"
#include "pass/options.h"
#include "pass/reload.h"

/* Bytes that are touched where runs is above 0. */
struct Part {
	const llvm::SCEV *first, *last, *runs;
};

/* All accesses of one array in one nest, or one of them. first and last are bytes from base, both
 * inclusive; all are known in front of loop. */
struct ArrayUse {
	llvm::Loop *loop = nullptr; /* null: not understood */
	llvm::WeakTrackingVH base;  /* a call may become another instruction */
	const llvm::SCEV *first = nullptr, *last = nullptr;
	std::vector<Part> parts; /* what first and last are made of */
	Count executions;        /* of loop */
	Count here; /* while it climbs: of the loop that it has reached, see Counter::sum() */
	bool behindGuard = false;               /* loop's turns are right only behind its guard */
	uint64_t elementSize = 0, smallest = 0; /* of its accesses: the largest and the smallest */
	uint64_t passes = 0; /* over its bytes, of one loop; 0: no limit is known */
	std::vector<const llvm::SCEV *> turns; /* the most of each loop, from the inside out */
	std::vector<llvm::Instruction *> accesses;
	const char *why = "";        /* why not, or why not further out; "" if outermost */
	llvm::Loop *where = nullptr; /* the loop at which it stopped */
};

/* Executions * elementSize / bytes is no more than this, whatever the loop's turns; 0: not known.
 */
uint64_t mostReuse(const ArrayUse &U);

class Nests
{
      public:
	Nests(llvm::ScalarEvolution &SE, llvm::DominatorTree &DT, llvm::LoopInfo &LI,
		llvm::OptimizationRemarkEmitter &ORE, const Options &O, const Reloads &R);

	/* One use for each array and loop; remarks for what is not understood. */
	std::vector<ArrayUse> find(llvm::Function &F);

	/* A name for messages. */
	static std::string nameOf(const llvm::Value *Base);

      private:
	llvm::ScalarEvolution &SE;
	llvm::DominatorTree &DT;
	llvm::LoopInfo &LI;
	llvm::OptimizationRemarkEmitter &ORE;
	const Options &O;
	const Reloads &R;
	Counter C;

	ArrayUse follow(llvm::Instruction *I, llvm::Value *Address, uint64_t Size);
	bool climb(ArrayUse &Now, std::vector<const llvm::SCEV *> &Inner, llvm::Loop *L,
		const llvm::BasicBlock *Block);
	Span whereBeside(const llvm::Loop *Inner, const llvm::Loop *L, const llvm::SCEV *N);
	bool spread(ArrayUse &Now, const llvm::Loop *L, const llvm::SCEV *N, const Span &Runs);
	void behindInnerGuards(ArrayUse &U);
	const llvm::Loop *guardedBeside(const llvm::BasicBlock *Block, const llvm::Loop *L);
	bool conditional(const llvm::BasicBlock *Block, const llvm::Loop *L);
	bool known(const ArrayUse &U, llvm::Loop *L);
	bool reloaded(const ArrayUse &U);
	void merge(std::vector<ArrayUse> &All, ArrayUse U);
	void remark(const ArrayUse &U, const std::vector<ArrayUse> &All);
};

#endif
