/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From each access outwards, loop by loop. */
#include "pass/nest.h"

#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

Nests::Nests(ScalarEvolution &SE, DominatorTree &DT, LoopInfo &LI, OptimizationRemarkEmitter &ORE,
	const Options &O, const Reloads &R)
    : SE(SE), DT(DT), LI(LI), ORE(ORE), O(O), R(R), C(SE, DT)
{
}

std::string Nests::nameOf(const Value *Base)
{
	const Value *V = Base->stripPointerCasts();

	if (const auto *Load = dyn_cast<LoadInst>(V))
		V = Load->getPointerOperand()->stripPointerCasts();
	if (V->hasName())
		return V->getName().str();
	if (const auto *A = dyn_cast<Argument>(V))
		return "argument " + std::to_string(A->getArgNo() + 1);
	return "array";
}

static unsigned lineOf(const Loop *L)
{
	return L->getStartLoc() ? L->getStartLoc().getLine() : 0;
}

/* The loop inside L for which Block prepares, or behind which it tidies up, where both are behind
 * one test, of whether the loop turns. */
const Loop *Nests::guardedBeside(const BasicBlock *Block, const Loop *L)
{
	for (const Loop *Inner : L->getSubLoops())
		if ((Inner->getLoopPreheader() == Block || Inner->getUniqueExitBlock() == Block) &&
			guardsTurns(SE, C, Inner))
			return Inner;
	return nullptr;
}

/* Whether Block runs in some turns of L only, for another reason than an inner loop without turns:
 * then the test in front of that loop stands for it. */
bool Nests::conditional(const BasicBlock *Block, const Loop *L)
{
	const BasicBlock *Latch = L->getLoopLatch();

	if (const Loop *Inner = guardedBeside(Block, L))
		Block = Inner->getLoopGuardBranch()->getParent();
	return !Latch || !DT.dominates(Block, Latch);
}

bool Nests::known(const ArrayUse &U, Loop *L)
{
	Instruction *At = L->getLoopPreheader()->getTerminator();

	if (const auto *I = dyn_cast<Instruction>(U.base))
		if (!DT.dominates(I, At))
			return false;
	for (const SCEV *S : U.turns)
		if (!safeAt(SE, S, At))
			return false;
	return safeAt(SE, U.first, At) && safeAt(SE, U.last, At) && safeAt(SE, U.here.top, At);
}

bool Nests::reloaded(const ArrayUse &U)
{
	return R.isUnsure(U.base->stripPointerCasts()) || R.in(U.first) || R.in(U.last) ||
	       R.in(U.executions.top);
}

/* The turns of L in which a block beside the loop Inner runs, for then Inner does. */
Span Nests::whereBeside(const Loop *Inner, const Loop *L, const SCEV *N)
{
	const Turns T = C.turns(Inner, Inner->getHeader());
	Span S = {N, 0, false};

	if (!T.n)
		return S;
	if (C.uses(T.n, L))
		S = C.whereRuns(T.n, L, N);
	else /* in all of them or in none */
		S = {SE.getMulExpr(
			N, SE.getSMinExpr(C.atLeast0(T.n, L->getParentLoop()), C.number(1)))};
	S.exact = S.exact && T.exact && !behindGuard(T.n);
	return S;
}

/* Makes of the bytes of a turn of L those of its N turns; Runs: in which an inner loop runs. */
bool Nests::spread(ArrayUse &Now, const Loop *L, const SCEV *N, const Span &Runs)
{
	const SCEV *Left = SE.getMinusSCEV(Runs.n, C.number((int64_t)Runs.skip));
	const SCEV *First = C.bound(later(SE, Now.first, L, Runs.skip), L, Left, false);
	const SCEV *Last = C.bound(later(SE, Now.last, L, Runs.skip), L, Left, true);

	if (C.uses(Now.first, L) || C.uses(Now.last, L))
		Now.executions.exact = Now.executions.exact && Runs.exact && First && Last &&
				       outOfOnePart(C, Now.first, L) &&
				       outOfOnePart(C, Now.last, L);
	if (!First || !Last) {
		First = C.bound(Now.first, L, N, false);
		Last = C.bound(Now.last, L, N, true);
	}
	Now.first = First;
	Now.last = Last;
	return First && Last;
}

/* Makes of what Block's turn of L uses what an entry of L uses. Inner: the turns of the loops
 * inside, as expressions of L's turn. */
bool Nests::climb(ArrayUse &Now, std::vector<const SCEV *> &Inner, Loop *L, const BasicBlock *Block)
{
	Turns T = C.turns(L, Block);
	const SCEV *N = T.n;
	bool &Exact = Now.executions.exact;

	if (!N)
		return Now.why = "the loop has no number of turns that is known before it", false;
	Exact = Exact && T.exact;
	for (Loop *Outer = L->getParentLoop(); Outer; Outer = Outer->getParentLoop())
		if (const SCEV *Turns = C.turns(Outer, Outer->getHeader()).n)
			N = C.decided(N, Outer, Turns, Exact);
	/* a constant that was none: one operand won in every turn, perhaps against the guard */
	Exact = Exact && !Now.behindGuard;
	Now.behindGuard = behindGuard(N) || (isa<SCEVConstant>(N) && behindGuard(T.n));
	T.n = N;
	Span Runs = {N};

	if (Inner.empty()) {
		if (const Loop *Beside = guardedBeside(Block, L))
			Runs = whereBeside(Beside, L, N);
		N = SE.getMinusSCEV(Runs.n, C.number((int64_t)Runs.skip));
		Exact = Exact && Runs.exact;
	}
	for (const SCEV *&Of : Inner) {
		const SCEV *Most = C.bound(Of, L, T.n, true);
		const Span Here = C.whereRuns(Of, L, T.n);

		Runs = {Here.n == T.n ? Runs.n : SE.getSMinExpr(Runs.n, Here.n),
			std::max(Runs.skip, Here.skip), Runs.exact && Here.exact};
		N = C.whereInner(Of, L, N, Exact);
		if (!Most)
			return Now.why = "the turns of an inner loop have no bound", false;
		/* where L depends on it, L's turns have been chosen for it */
		if (C.uses(Of, L))
			Most = C.atLeast0(Most, L);
		Of = Most;
	}
	if (conditional(Block, L)) {
		Exact = false;
		Now.executions.bottom *= O.half ? 2 : 1;
	}
	if (!spread(Now, L, T.n, Runs))
		return Now.why = "its bytes are no linear function of the loop's turns", false;
	/* what an outer loop makes negative belongs to its turns, see whereInner() */
	bool Fixed = true;

	for (const Loop *Outer = L->getParentLoop(); Outer; Outer = Outer->getParentLoop())
		Fixed = Fixed && !C.uses(N, Outer);
	/* L's own guard does not hold in front of an outer loop */
	if (L->getParentLoop() && Fixed)
		N = C.atLeast0(N, L->getParentLoop());
	Now.here = C.sum(Now.executions, L, N, false);
	Now.executions = C.sum(Now.executions, L, N, true);
	Inner.push_back(N);
	Now.turns = Inner;
	if (!Now.executions.top)
		return Now.why = "its turns have no sum", false;
	return true;
}

/* Turns that depend on loops further out may be below 0, where the inner loop's guard fails.
 * whereInner() leaves such turns of those loops out, but the call is inside of them. */
void Nests::behindInnerGuards(ArrayUse &U)
{
	for (size_t I = 0; I + 1 < U.turns.size(); I++) {
		const SCEV *Of = U.turns[I];
		bool Varies = false;

		for (Loop *Outer = U.loop->getParentLoop(); Outer; Outer = Outer->getParentLoop())
			Varies = Varies || C.uses(Of, Outer);
		if (Varies && !C.known0(Of, U.loop))
			U.executions.top = SE.getMulExpr(U.executions.top,
				SE.getSMinExpr(C.atLeast0(Of, U.loop), C.number(1)));
	}
}

uint64_t mostReuse(const ArrayUse &U)
{
	return U.passes * ((U.elementSize + U.smallest - 1) / U.smallest);
}

/* Whether each turn of L has bytes of its own. */
static bool passesOnce(ScalarEvolution &SE, const SCEV *Address, const Loop *L, uint64_t Size)
{
	const auto *R = dyn_cast<SCEVAddRecExpr>(Address);
	const auto *Step = R && R->getLoop() == L && R->isAffine()
				   ? dyn_cast<SCEVConstant>(R->getStepRecurrence(SE))
				   : nullptr;

	return Step && Step->getAPInt().abs().uge(Size);
}

ArrayUse Nests::follow(Instruction *I, Value *Address, uint64_t Size)
{
	const SCEV *Where = SE.getSCEV(Address);
	const auto *Base = dyn_cast<SCEVUnknown>(SE.getPointerBase(Where));
	const BasicBlock *Block = I->getParent();
	std::vector<const SCEV *> Inner;
	ArrayUse Now, Best;

	Best.where = LI.getLoopFor(Block);
	Best.why = "its address has no base";
	Best.accesses = {I};
	if (!Base || !Base->getType()->isPointerTy())
		return Best;
	Now.base = Base->getValue();
	C.inside = Best.where;
	Now.first = C.wide(SE.removePointerBase(Where), true, Now.executions.exact);
	Now.last = SE.getAddExpr(Now.first, C.number((int64_t)Size - 1));
	Now.executions.top = C.number(1);
	Now.elementSize = Now.smallest = Size;
	Now.accesses = {I};
	for (Loop *L = Best.where; L; L = L->getParentLoop()) {
		Best.where = L;
		if (!L->getLoopPreheader() || !L->hasDedicatedExits()) {
			Now.why = "the loop has no single entry, or exits that others share";
		} else if (climb(Now, Inner, L, Block)) {
			Block = L->getLoopPreheader();
			Best.why = "its base or bounds are not known before the loop";
			if (!known(Now, L))
				continue;
			Best = Now;
			Best.executions = Now.here;
			Best.loop = L;
			Best.passes = Inner.size() == 1 && passesOnce(SE, Where, L, Size);
			behindInnerGuards(Best);
			Best.executions.exact = Best.executions.exact && !reloaded(Best);
			continue;
		}
		Best.why = Now.why;
		return Best;
	}
	if (Best.loop && !Best.loop->getParentLoop())
		Best.why = "";
	return Best;
}

/* The use of the same array, in front of a loop further out, that stands for U: one that would stay
 * in a loop, and touches each element no more than its accesses say. */
static const ArrayUse *outside(const ArrayUse &U, const std::vector<ArrayUse> &All)
{
	if (!U.loop || U.turns.size() > 1)
		return nullptr;
	for (const ArrayUse &Other : All)
		if (Other.base == U.base && Other.loop != U.loop && Other.loop->contains(U.loop))
			return &Other;
	return nullptr;
}

void Nests::remark(const ArrayUse &U, const std::vector<ArrayUse> &All)
{
	const Instruction *I = U.accesses[0];

	ORE.emit([&] {
		if (const ArrayUse *Other = outside(U, All))
			return OptimizationRemarkMissed(
				       "affinity", "Outside", I->getDebugLoc(), I->getParent())
			       << "the call of its array before the loop of line "
			       << ore::NV("Line", lineOf(Other->loop))
			       << " stands for this access: " << U.why;
		return OptimizationRemarkMissed("affinity", U.loop ? "Inside" : "NotUnderstood",
			       I->getDebugLoc(), I->getParent())
		       << (U.loop ? "the call stays inside an outer loop: "
				  : "no page migration for this access: ")
		       << U.why << " (loop of line " << ore::NV("Line", lineOf(U.where)) << ")";
	});
}

static void mergeParts(ScalarEvolution &SE, std::vector<Part> &All, const Part &P)
{
	for (Part &Other : All)
		if (Other.first == P.first && Other.last == P.last) {
			Other.runs =
				Other.runs == P.runs ? P.runs : SE.getSMaxExpr(Other.runs, P.runs);
			return;
		}
	All.push_back(P);
}

void Nests::merge(std::vector<ArrayUse> &All, ArrayUse U)
{
	for (ArrayUse &Other : All) {
		if (Other.loop != U.loop || Other.base != U.base)
			continue;
		mergeParts(SE, Other.parts, U.parts[0]);
		Other.first = SE.getSMinExpr(Other.first, U.first);
		Other.last = SE.getSMaxExpr(Other.last, U.last);
		Other.executions = C.add(Other.executions, U.executions);
		Other.elementSize = std::max(Other.elementSize, U.elementSize);
		Other.smallest = std::min(Other.smallest, U.smallest);
		Other.passes = Other.passes && U.passes ? Other.passes + U.passes : 0;
		Other.accesses.push_back(U.accesses[0]);
		if (U.turns.size() > Other.turns.size())
			Other.turns = U.turns;
		return;
	}
	All.push_back(U);
}

static bool oneElement(const ArrayUse &U, ScalarEvolution &SE)
{
	const auto *Bytes = dyn_cast<SCEVConstant>(SE.getMinusSCEV(U.last, U.first));

	return Bytes && Bytes->getAPInt().slt((int64_t)U.elementSize);
}

/* The address and type of a load or store that may be counted: volatile ones and atomics are left
 * alone. */
static bool accessOf(Instruction &I, Value *&Address, Type *&Of)
{
	if (auto *Load = dyn_cast<LoadInst>(&I)) {
		Address = Load->getPointerOperand();
		Of = Load->getType();
		return Load->isSimple();
	}
	if (auto *Store = dyn_cast<StoreInst>(&I)) {
		Address = Store->getPointerOperand();
		Of = Store->getValueOperand()->getType();
		return Store->isSimple();
	}
	return false;
}

std::vector<ArrayUse> Nests::find(Function &F)
{
	const DataLayout &Layout = F.getParent()->getDataLayout();
	std::vector<ArrayUse> All, Kept, Missed;

	for (BasicBlock &Block : F) {
		if (!LI.getLoopFor(&Block) || !DT.isReachableFromEntry(&Block))
			continue;
		for (Instruction &I : Block) {
			Value *Address;
			Type *Of;

			if (!accessOf(I, Address, Of))
				continue;
			ArrayUse U = follow(&I, Address, Layout.getTypeStoreSize(Of));

			U.parts = {{U.first, U.last, U.executions.top}};
			if (U.loop && isa<AllocaInst>(U.base)) {
				U.where = U.loop;
				U.loop = nullptr;
				U.why = "the array is on the stack";
			}
			if (U.loop)
				merge(All, U);
			if (*U.why)
				Missed.push_back(U);
		}
	}
	for (ArrayUse &U : Missed)
		remark(U, All);
	for (ArrayUse &U : All)
		if (!oneElement(U, SE) && !outside(U, All))
			Kept.push_back(U);
	return Kept;
}
