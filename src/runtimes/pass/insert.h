/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts calls of the runtime (src/runtimes/inserted) in front of loops and behind their exits. */
#ifndef PASS_INSERT_H
#define PASS_INSERT_H

#include "pass/nest.h"

class Inserter
{
      public:
	Inserter(llvm::Function &F, llvm::ScalarEvolution &SE, llvm::DominatorTree &DT,
		llvm::LoopInfo &LI, llvm::OptimizationRemarkEmitter &ORE, const Options &O);
	void insert(const ArrayUse &U);

      private:
	llvm::Function &F;
	llvm::ScalarEvolution &SE;
	llvm::DominatorTree &DT;
	llvm::LoopInfo &LI;
	llvm::OptimizationRemarkEmitter &ORE;
	const Options &O;

	/* What the calls get, and whether they are made. */
	struct Range {
		llvm::Value *site, *base, *first, *last, *worth;
	};

	llvm::Value *expand(const llvm::SCEV *S, llvm::Instruction *At);
	llvm::Value *executions(const ArrayUse &U, llvm::Instruction *At);
	llvm::Value *tooMany(const ArrayUse &U, llvm::Instruction *At);
	std::pair<llvm::Value *, llvm::Value *> ends(const ArrayUse &U, llvm::Instruction *At);
	llvm::Value *site(const ArrayUse &U);
	Range range(const ArrayUse &U, llvm::Instruction *At);
	llvm::Value *setting(llvm::StringRef Name, llvm::Instruction *At);
	Range behindTest(const ArrayUse &U, llvm::Instruction *At);
	void call(const ArrayUse &U, const Range &R, llvm::Instruction *At);
	void check(const ArrayUse &U, const Range &R, llvm::Instruction *At);
	void release(const ArrayUse &U, const Range &R);
	void touch(const ArrayUse &U, const Range &R);
	void remark(const ArrayUse &U);
};

/* A function of the runtime, which neither throws nor touches memory that the program sees. */
llvm::FunctionCallee runtimeFunction(
	llvm::Module &M, llvm::StringRef Name, llvm::ArrayRef<llvm::Type *> Parameters);

/* A constant of the file, such as the description of a place; texts may be shared. */
llvm::Constant *constantOf(llvm::Module &M, llvm::Constant *Value);
llvm::Constant *textOf(llvm::Module &M, llvm::StringRef Text);

#endif
