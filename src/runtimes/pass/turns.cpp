/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of loops, and what counts. */
#include "pass/turns.h"

#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "pass/count.h"
#include "pass/insert.h"
#include "pass/reload.h"

using namespace llvm;

namespace
{

enum { BUCKETS = 7 };

/* The linker puts the records of all files of a program or library side by side, and names both
 * ends. */
const char *const SECTION = "affinity_loops";

struct Plan {
	Loop *loop;
	const SCEV *turns; /* null: not known */
	bool exact;
};

class TurnCounter
{
      public:
	TurnCounter(Function &F, ScalarEvolution &SE, DominatorTree &DT, LoopInfo &LI)
	    : F(F), SE(SE), LI(LI), C(SE, DT)
	{
	}

	std::vector<Plan> plans(const Reloads &R);
	void insert(const Plan &P);

      private:
	Function &F;
	ScalarEvolution &SE;
	LoopInfo &LI;
	Counter C;

	Plan plan(Loop *L, const Reloads &R);
	Constant *record(const Plan &P);
	Value *estimate(const SCEV *N, Instruction *At);
	AllocaInst *counter(Loop *L);
	void told(Loop *L, Constant *Record, Value *Estimate, AllocaInst *Count);
};

} // namespace

std::vector<Plan> TurnCounter::plans(const Reloads &R)
{
	std::vector<Plan> All;

	for (Loop *L : LI.getLoopsInPreorder())
		All.push_back(plan(L, R));
	return All;
}

void TurnCounter::insert(const Plan &P)
{
	Constant *Record = record(P);

	if (!P.turns)
		return;
	Value *Estimate = estimate(P.turns, P.loop->getLoopPreheader()->getTerminator());

	told(P.loop, Record, Estimate, counter(P.loop));
}

Plan TurnCounter::plan(Loop *L, const Reloads &R)
{
	Plan P = {L, nullptr, false};
	const Turns T = C.turns(L, L->getHeader());

	if (!T.n || !L->getLoopPreheader() || !L->hasDedicatedExits())
		return P;
	const SCEV *Most = SE.getConstant(T.n->getType(), INT64_MAX);
	const SCEV *N = SE.getSMinExpr(C.atLeast0(T.n, L), Most);

	if (safeAt(SE, N, L->getLoopPreheader()->getTerminator()))
		P = {L, N, T.exact && !R.in(N)};
	return P;
}

/* As struct inserted_loop in src/runtimes/inserted/inserted.h. */
Constant *TurnCounter::record(const Plan &P)
{
	Module &M = *F.getParent();
	Type *Word = Type::getInt32Ty(M.getContext());
	Type *Long = Type::getInt64Ty(M.getContext());
	const DebugLoc Line = P.loop->getStartLoc();
	Constant *Fields[] = {textOf(M, M.getSourceFileName()), textOf(M, F.getName()),
		ConstantInt::get(Word, Line ? Line.getLine() : 0),
		ConstantInt::get(Word, P.loop->getLoopDepth()),
		ConstantInt::get(Word, P.turns != nullptr), ConstantInt::get(Word, P.exact),
		ConstantAggregateZero::get(ArrayType::get(Long, BUCKETS))};
	Constant *Record = ConstantStruct::getAnon(Fields);
	auto *G = new GlobalVariable(
		M, Record->getType(), false, GlobalValue::PrivateLinkage, Record, "affinity.loop");

	G->setSection(SECTION);
	G->setAlignment(Align(8)); /* no more, so that there are no gaps */
	appendToUsed(M, {G});
	return ConstantExpr::getPointerCast(G, bytePointer(M.getContext()));
}

Value *TurnCounter::estimate(const SCEV *N, Instruction *At)
{
	SCEVExpander Expander(SE, F.getParent()->getDataLayout(), "affinity");

	return IRBuilder<>(At).CreateTrunc(
		Expander.expandCodeFor(N, N->getType(), At), IRBuilder<>(At).getInt64Ty());
}

/* 0 before the loop, and one more at each of its turns. */
AllocaInst *TurnCounter::counter(Loop *L)
{
	IRBuilder<> Entry(&*F.getEntryBlock().getFirstInsertionPt());
	AllocaInst *Count = Entry.CreateAlloca(Entry.getInt64Ty());
	IRBuilder<> Before(L->getLoopPreheader()->getTerminator());
	IRBuilder<> Turn(&*L->getHeader()->getFirstInsertionPt());

	Before.CreateStore(Before.getInt64(0), Count);
	Turn.CreateStore(
		Turn.CreateAdd(Turn.CreateLoad(Turn.getInt64Ty(), Count), Turn.getInt64(1)), Count);
	return Count;
}

void TurnCounter::told(Loop *L, Constant *Record, Value *Estimate, AllocaInst *Count)
{
	SmallVector<BasicBlock *, 4> Exits;
	Type *Long = Type::getInt64Ty(F.getContext());
	FunctionCallee Tell = runtimeFunction(*F.getParent(), "affinity_inserted_turns",
		{bytePointer(F.getContext()), Long, Long});

	L->getUniqueExitBlocks(Exits);
	for (BasicBlock *Exit : Exits) {
		if (Exit->getFirstInsertionPt() == Exit->end())
			continue; /* of a catch: its pads come first */
		IRBuilder<> B(&*Exit->getFirstInsertionPt());

		B.CreateCall(Tell, {Record, Estimate, B.CreateLoad(Long, Count)});
	}
}

void countTurns(Function &F, ScalarEvolution &SE, DominatorTree &DT, LoopInfo &LI)
{
	Reloads R(F, SE, DT, LI);

	R.begin();
	TurnCounter T(F, SE, DT, LI);

	for (const Plan &P : T.plans(R))
		T.insert(P);
	R.end();
}

static Constant *endOfSection(Module &M, const char *Which)
{
	const std::string Name = std::string(Which) + SECTION;
	Constant *C = M.getOrInsertGlobal(Name, Type::getInt8Ty(M.getContext()));
	auto *G = cast<GlobalVariable>(C->stripPointerCasts());

	G->setLinkage(GlobalValue::ExternalWeakLinkage);
	G->setVisibility(GlobalValue::HiddenVisibility);
	return ConstantExpr::getPointerCast(G, bytePointer(M.getContext()));
}

static Function *telling(Module &M, const char *Name, const char *Of)
{
	LLVMContext &C = M.getContext();
	Type *Pointer = bytePointer(C);
	Function *Tell = Function::Create(FunctionType::get(Type::getVoidTy(C), false),
		GlobalValue::InternalLinkage, Name, M);
	IRBuilder<> B(BasicBlock::Create(C, "", Tell));
	FunctionCallee Loops = M.getOrInsertFunction(
		Of, FunctionType::get(Type::getVoidTy(C), {Pointer, Pointer}, false));

	B.CreateCall(Loops, {endOfSection(M, "__start_"), endOfSection(M, "__stop_")});
	B.CreateRetVoid();
	return Tell;
}

bool tellOfLoops(Module &M)
{
	if (M.getFunction("affinity.tell"))
		return false;
	appendToGlobalCtors(M, telling(M, "affinity.tell", "affinity_inserted_loops"), 0);
	appendToGlobalDtors(M, telling(M, "affinity.unload", "affinity_inserted_unloaded"), 0);
	return true;
}
