/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies of loads, and back. */
#include "pass/reload.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/Loads.h>
#include <llvm/Analysis/MustExecute.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;

/* A pointer, its base behind a pointer, and a bound behind that. */
enum { ROUNDS = 3 };

Reloads::Reloads(Function &F, ScalarEvolution &SE, DominatorTree &DT, LoopInfo &LI)
    : F(F), SE(SE), DT(DT), LI(LI)
{
}

static const Value *objectOf(const Value *Pointer)
{
	return getUnderlyingObject(Pointer);
}

/* Functions of OpenMP's runtime that write a thread's part of a loop, and do not keep its address.
 */
static bool dealsTurns(const CallBase *Call)
{
	const Function *F = Call->getCalledFunction();
	const StringRef Name = F ? F->getName() : "";

	return Name.find("__kmpc_for_static_init") == 0 || Name.find("__kmpc_dispatch_next") == 0;
}

/* A variable on the stack that only the function's own loads and stores reach, and the calls that
 * deal turns: no store elsewhere changes it, whatever types say. */
static bool ofDealtTurns(const Value *Variable)
{
	return all_of(Variable->users(), [Variable](const User *U) {
		if (const auto *Store = dyn_cast<StoreInst>(U))
			return Store->getValueOperand() != Variable;
		if (const auto *Call = dyn_cast<CallBase>(U))
			return Call->isLifetimeStartOrEnd() || dealsTurns(Call);
		return isa<LoadInst>(U) || (isa<BitCastInst>(U) && ofDealtTurns(U));
	});
}

/* What the loop surely changes is no bound of it: a store to the same place, or a call that gets
 * its object. Of objects on the stack only those of ofDealtTurns() are known well enough. */
bool Reloads::stable(const LoadInst *Load, const SCEV *Address, const Loop *L)
{
	const Value *Object = objectOf(Load->getPointerOperand());

	if (isa<AllocaInst>(Object) && !ofDealtTurns(Object))
		return false;
	for (const BasicBlock *Block : L->blocks())
		for (const Instruction &I : *Block) {
			if (const auto *Store = dyn_cast<StoreInst>(&I)) {
				auto *To = const_cast<Value *>(Store->getPointerOperand());

				if (SE.getSCEV(To) == Address)
					return false;
			}
			const auto *Call = dyn_cast<CallBase>(&I);

			if (Call && any_of(Call->args(), [Object](const Use &A) {
				    return A->getType()->isPointerTy() && objectOf(A) == Object;
			    }))
				return false;
		}
	return true;
}

/* A load that the program might not make must not fault: of a variable of the file, or one that
 * every entry of the loop makes. */
bool Reloads::safe(const LoadInst *Load, const Loop *L)
{
	SimpleLoopSafetyInfo Info;

	if (isDereferenceablePointer(
		    Load->getPointerOperand(), Load->getType(), F.getParent()->getDataLayout()))
		return true;
	Info.computeLoopSafetyInfo(L);
	return Info.isGuaranteedToExecute(*Load, &DT, L);
}

Loop *Reloads::outermost(LoadInst *Load, const SCEV *Address)
{
	Loop *Best = nullptr;

	for (Loop *L = LI.getLoopFor(Load->getParent()); L; L = L->getParentLoop()) {
		BasicBlock *Before = L->getLoopPreheader();

		if (!Before || !SE.isLoopInvariant(Address, L) || !stable(Load, Address, L))
			break;
		if (safe(Load, L) && safeAt(SE, Address, Before->getTerminator()))
			Best = L;
	}
	return Best;
}

void Reloads::replace(Use &U, Value *With)
{
	const auto *Call = dyn_cast<CallBase>(U.getUser());

	uses.push_back({U.getUser(), U.getOperandNo(), Call && Call->isCallee(&U), U.get()});
	U.set(With);
}

bool Reloads::copy(LoadInst *Load)
{
	const SCEV *Address = SE.getSCEV(Load->getPointerOperand());
	Loop *L = outermost(Load, Address);

	if (!L)
		return false;
	Instruction *At = L->getLoopPreheader()->getTerminator();
	SCEVExpander Expander(SE, F.getParent()->getDataLayout(), "affinity");
	Value *Pointer = Expander.expandCodeFor(Address, Load->getPointerOperand()->getType(), At);
	LoadInst *Copy = IRBuilder<>(At).CreateAlignedLoad(
		Load->getType(), Pointer, Load->getAlign(), "affinity.before");

	Copy->setDebugLoc(Load->getDebugLoc());
	copies.push_back(Copy);
	if (!isa<AllocaInst>(objectOf(Pointer)))
		unsure.insert(Copy);
	for (Use &U : make_early_inc_range(Load->uses()))
		replace(U, Copy);
	return true;
}

bool Reloads::round()
{
	std::vector<LoadInst *> Loads;
	bool Changed = false;

	for (BasicBlock &Block : F)
		for (Instruction &I : Block) {
			auto *Load = dyn_cast<LoadInst>(&I);
			Type *Of = I.getType();

			if (Load && Load->isSimple() && !Load->use_empty() &&
				LI.getLoopFor(&Block) && (Of->isPointerTy() || Of->isIntegerTy()))
				Loads.push_back(Load);
		}
	for (LoadInst *Load : Loads)
		Changed = copy(Load) || Changed;
	if (Changed)
		SE.forgetAllLoops();
	return Changed;
}

/* A report of UndefinedBehaviorSanitizer from which the program goes on. */
static bool isReport(const Instruction &I)
{
	const auto *Call = dyn_cast<CallInst>(&I);
	const Function *F = Call ? Call->getCalledFunction() : nullptr;

	return F && F->getName().find("__ubsan_handle_") == 0 && !Call->doesNotReturn() &&
	       !Call->hasFnAttr(Attribute::WillReturn);
}

/* What LLVM concludes from it must not reach the program: nothing may move in front of a report. */
bool Reloads::seeThroughChecks()
{
	for (BasicBlock &Block : F)
		for (Instruction &I : Block) {
			if (!LI.getLoopFor(&Block))
				continue;
			if (isReport(I)) {
				cast<CallInst>(I).addFnAttr(Attribute::WillReturn);
				checks.push_back(&I);
			}
			if (isa<FreezeInst>(I))
				for (Use &U : make_early_inc_range(I.uses()))
					replace(U, I.getOperand(0));
		}
	return !checks.empty() || !uses.empty();
}

void Reloads::begin()
{
	if (seeThroughChecks())
		SE.forgetAllLoops();
	for (int I = 0; I < ROUNDS && round(); I++)
		;
}

void Reloads::end()
{
	/* the last first: a use that got the copy of a copy goes back in two steps */
	for (auto Use = uses.rbegin(); Use != uses.rend(); ++Use)
		if (Use->callee)
			cast<CallBase>(Use->user)->setCalledOperand(Use->was);
		else
			cast<User>(Use->user)->setOperand(Use->operand, Use->was);
	for (WeakTrackingVH &Check : checks)
		cast<CallBase>(Check)->removeFnAttr(Attribute::WillReturn);
	checks.clear();
	/* one whose address needs another takes that along */
	SmallVector<WeakTrackingVH, 8> Dead(copies.begin(), copies.end());

	RecursivelyDeleteTriviallyDeadInstructionsPermissive(Dead);
	uses.clear();
	copies.clear();
	unsure.clear();
}

bool Reloads::isUnsure(const Value *V) const
{
	return unsure.count(V);
}

bool Reloads::in(const SCEV *S) const
{
	return SCEVExprContains(S, [this](const SCEV *Part) {
		const auto *Unknown = dyn_cast<SCEVUnknown>(Part);

		return Unknown && isUnsure(Unknown->getValue());
	});
}
