/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the versions of LLVM differ (14 to 21 were tried). */
#ifndef PASS_COMPAT_H
#define PASS_COMPAT_H

#include <llvm/Analysis/DomTreeUpdater.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

/* Pointers have types up to 14: one of bytes serves all. */
inline llvm::PointerType *bytePointer(llvm::LLVMContext &C)
{
#if LLVM_VERSION_MAJOR < 15
	return llvm::Type::getInt8PtrTy(C);
#else
	return llvm::PointerType::get(C, 0);
#endif
}

inline bool safeAt(llvm::ScalarEvolution &SE, const llvm::SCEV *S, llvm::Instruction *At)
{
#if LLVM_VERSION_MAJOR < 15
	return llvm::isSafeToExpandAt(S, At, SE);
#else
	return llvm::SCEVExpander(SE, At->getModule()->getDataLayout(), "affinity")
		.isSafeToExpandAt(S, At);
#endif
}

/* A new block that runs before At if Condition holds; returns its end. */
inline llvm::Instruction *splitIf(
	llvm::Value *Condition, llvm::Instruction *At, llvm::DominatorTree &DT, llvm::LoopInfo &LI)
{
#if LLVM_VERSION_MAJOR < 15
	return llvm::SplitBlockAndInsertIfThen(Condition, At, false, nullptr, &DT, &LI);
#else
	llvm::DomTreeUpdater Updater(DT, llvm::DomTreeUpdater::UpdateStrategy::Eager);

	return llvm::SplitBlockAndInsertIfThen(Condition, At, false, nullptr, &Updater, &LI);
#endif
}

#endif
