/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Landing pads that go on with the exception. */
#include "pass/unwind.h"

#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;

/* Without one, the function has no clean-up of its own: C's does for what C++ throws, too. */
static void needPersonality(Function &F)
{
	Module &M = *F.getParent();
	Type *Word = Type::getInt32Ty(M.getContext());

	if (F.hasPersonalityFn())
		return;
	for (const Function &Other : M)
		if (Other.hasPersonalityFn())
			return F.setPersonalityFn(Other.getPersonalityFn());
	F.setPersonalityFn(cast<Constant>(
		M.getOrInsertFunction("__gcc_personality_v0", FunctionType::get(Word, true))
			.getCallee()));
}

static BasicBlock *newPad(Function &F)
{
	BasicBlock *Pad = BasicBlock::Create(F.getContext(), "affinity.unwind", &F);
	IRBuilder<> B(Pad);
	Type *Exception = StructType::get(bytePointer(F.getContext()), B.getInt32Ty());
	LandingPadInst *Landing = B.CreateLandingPad(Exception, 0);

	Landing->setCleanup(true);
	B.CreateResume(Landing);
	return Pad;
}

/* L or the next loop around it that is one of Of. */
static Loop *nextOf(const SmallPtrSetImpl<Loop *> &Of, Loop *L)
{
	while (L && !Of.count(L))
		L = L->getParentLoop();
	return L;
}

void addUnwindingExits(
	Function &F, const std::vector<ArrayUse> &All, DominatorTree &DT, LoopInfo &LI)
{
	DomTreeUpdater Updater(DT, DomTreeUpdater::UpdateStrategy::Eager);
	SmallPtrSet<Loop *, 8> Released;
	std::vector<CallInst *> Calls;
	DenseMap<Loop *, BasicBlock *>
		Pads; /* each loop has its own, for exits must not be shared */

	for (const ArrayUse &U : All)
		Released.insert(U.loop);
	for (BasicBlock &Block : F)
		for (Instruction &I : Block)
			if (nextOf(Released, LI.getLoopFor(&Block)) && throwsOut(I))
				Calls.push_back(cast<CallInst>(&I));
	if (F.doesNotThrow() || Calls.empty())
		return;
	needPersonality(F);
	for (CallInst *Call : Calls) {
		Loop *Inside = LI.getLoopFor(Call->getParent());
		BasicBlock *&Pad = Pads[nextOf(Released, Inside)];

		if (!Pad)
			Pad = newPad(F);
		BasicBlock *Rest = changeToInvokeAndSplitBasicBlock(Call, Pad, &Updater);

		Inside->addBasicBlockToLoop(Rest, LI);
	}
}
