/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turns of loops and their sums. */
#include "pass/count.h"

using namespace llvm;

Counter::Counter(ScalarEvolution &SE, DominatorTree &DT)
    : SE(SE), DT(DT), Wide(Type::getIntNTy(SE.getContext(), 128))
{
	for (BasicBlock &Block : *DT.getRoot()->getParent())
		for (Instruction &I : Block)
			if (I.getOpcode() == Instruction::UDiv && !isa<Constant>(I.getOperand(1)))
				divisions.insert({SE.getSCEV(&I), &I});
}

const SCEV *Counter::number(int64_t N)
{
	return SE.getConstant(Wide, (uint64_t)N, true);
}

bool Counter::uses(const SCEV *S, const Loop *L)
{
	return SCEVExprContains(S, [L](const SCEV *Part) {
		const auto *R = dyn_cast<SCEVAddRecExpr>(Part);

		return R && R->getLoop() == L;
	});
}

/* ---- turns of a loop */

static const SCEV *exitCount(ScalarEvolution &SE, const Loop *L, BasicBlock *Exiting, bool &Exact)
{
	const SCEV *Count = SE.getExitCount(L, Exiting);

	if (!isa<SCEVCouldNotCompute>(Count))
		return Count;
	Exact = false;
	Count = SE.getExitCount(L, Exiting, ScalarEvolution::SymbolicMaximum);
	if (isa<SCEVCouldNotCompute>(Count))
		return nullptr;
	/* LLVM falls back to what the type can hold. */
	const auto *Fixed = dyn_cast<SCEVConstant>(Count);

	return Fixed && Fixed->getAPInt().getActiveBits() > 24 ? nullptr : Count;
}

/* N + 1. A division is without sign: where the loop's guard fails it must not see what is below 0.
 */
static const SCEV *onceMore(ScalarEvolution &SE, Counter &C, const SCEV *N)
{
	const auto *D = dyn_cast<SCEVUDivExpr>(N);

	if (!D || !isa<SCEVConstant>(D->getRHS()) || isa<SCEVAddRecExpr>(D->getLHS()))
		return SE.getAddExpr(N, C.number(1));
	const SCEV *Top = SE.getAddExpr(D->getLHS(), D->getRHS());

	return SE.getUDivExpr(SE.getSMaxExpr(Top, C.number(0)), D->getRHS());
}

bool throwsOut(const Instruction &I)
{
	const auto *Call = dyn_cast<CallInst>(&I);

	return Call && !Call->doesNotThrow() && !Call->isInlineAsm() && !Call->isMustTailCall();
}

static bool leavesByThrow(const Loop *L)
{
	return !L->getHeader()->getParent()->doesNotThrow() &&
	       any_of(L->blocks(), [](const BasicBlock *B) { return any_of(*B, throwsOut); });
}

Turns Counter::turns(const Loop *L, const BasicBlock *Block)
{
	SmallVector<BasicBlock *, 4> Exits;
	Turns T;

	inside = L;
	L->getExitingBlocks(Exits);
	T.exact = Exits.size() == 1 && !leavesByThrow(L);
	for (BasicBlock *Exiting : Exits) {
		const SCEV *Count = exitCount(SE, L, Exiting, T.exact);

		if (!Count)
			continue;
		const SCEV *N = isa<SCEVConstant>(Count) ? SE.getZeroExtendExpr(Count, Wide)
							 : wideCount(Count, T.exact);

		/* a block before the exit's test runs once more than the loop goes back */
		if (Exiting == Block || !DT.dominates(Exiting, Block))
			N = onceMore(SE, *this, N);
		T.n = T.n ? SE.getSMinExpr(T.n, N) : N;
	}
	return T;
}

/* ---- facts */

/* Small enough that what is computed of it here does not wrap. */
static bool fits(const SCEVConstant *C)
{
	return C->getAPInt().isSignedIntN(32);
}

bool Counter::known0(const SCEV *S, const Loop *L)
{
	return SE.isKnownNonNegative(S) || (L && SE.isKnownNonNegative(SE.applyLoopGuards(S, L)));
}

const SCEV *Counter::at(const SCEV *S, const Loop *L, const SCEV *Turn)
{
	const auto *R = dyn_cast<SCEVAddRecExpr>(S);

	if (!R || R->getLoop() != L)
		return uses(S, L) ? nullptr : S;
	return R->evaluateAtIteration(Turn, SE);
}

/* A and B are straight lines: what holds in the first turn and in the last holds in all. That
 * operand which does not change is taken where none is known to win. */
struct Decider : SCEVRewriteVisitor<Decider> {
	Counter &C;
	const Loop *L;
	const SCEV *N;
	bool Exact = true;

	Decider(Counter &C, const Loop *L, const SCEV *N)
	    : SCEVRewriteVisitor(C.SE), C(C), L(L), N(N)
	{
	}

	bool wins(const SCEV *A, const SCEV *B)
	{
		const SCEV *Ahead = SE.getMinusSCEV(A, B);
		const SCEV *First = C.at(Ahead, L, C.number(0));
		const SCEV *Last = C.at(Ahead, L, SE.getMinusSCEV(N, C.number(1)));
		const auto *R = dyn_cast<SCEVAddRecExpr>(Ahead);

		if (!First || !Last || (R && !R->isAffine()))
			return false;
		const SCEV *Step = R ? R->getStepRecurrence(SE) : C.number(0);

		/* of a line that is known to rise or to fall, the lower end */
		return (SE.isKnownNonPositive(Step) || C.known0(First, L)) &&
		       (SE.isKnownNonNegative(Step) || C.known0(Last, L));
	}

	const SCEV *decide(const SCEVNAryExpr *E, bool Most)
	{
		const SCEV *Same = nullptr, *Any = nullptr;
		SmallVector<const SCEV *, 4> Operands;

		if (!C.uses(E, L))
			return E;
		for (const SCEV *A : E->operands()) /* inside out: only a line has ends */
			Operands.push_back(visit(A));
		for (const SCEV *A : Operands) {
			bool All = true;

			for (const SCEV *B : Operands)
				All = All && (A == B || (Most ? wins(A, B) : wins(B, A)));
			if (All)
				return A;
			if (A->isZero()) /* no turns at all are a bad guess */
				continue;
			Any = A;
			if (!C.uses(A, L))
				Same = A;
		}
		Exact = false;
		return Same ? Same : Any;
	}

	const SCEV *visitSMaxExpr(const SCEVSMaxExpr *E)
	{
		return decide(E, true);
	}
	const SCEV *visitSMinExpr(const SCEVSMinExpr *E)
	{
		return decide(E, false);
	}
};

const SCEV *Counter::decided(const SCEV *S, const Loop *L, const SCEV *N, bool &Exact)
{
	Decider D(*this, L, N);
	const SCEV *Result = D.visit(S);

	Exact = Exact && D.Exact;
	return Result;
}

const SCEV *Counter::atLeast0(const SCEV *N, const Loop *L)
{
	return known0(N, L) ? N : SE.getSMaxExpr(N, number(0));
}

/* The turns of R's loop before R, which goes down by a constant, is 0. */
static const SCEV *above0(ScalarEvolution &SE, Counter &C, const SCEVAddRecExpr *R)
{
	const SCEV *Down = SE.getNegativeSCEV(R->getStepRecurrence(SE));
	const SCEV *Up = SE.getAddExpr(R->getStart(), SE.getMinusSCEV(Down, C.number(1)));

	return SE.getUDivExpr(SE.getSMaxExpr(Up, C.number(0)), Down);
}

const SCEV *Counter::whereInner(const SCEV *Inner, const Loop *L, const SCEV *N, bool &Exact)
{
	const SCEV *Line = decided(Inner, L, N, Exact);
	const auto *R = dyn_cast<SCEVAddRecExpr>(Line);

	if (!R || R->getLoop() != L || !R->isAffine()) {
		Exact = Exact && !uses(Line, L);
		return N;
	}
	const SCEV *Step = R->getStepRecurrence(SE);
	const SCEV *Start = R->getStart();

	if (SE.isKnownNonNegative(Step)) {
		Exact = Exact && known0(Start, L);
		return N;
	}
	if (known0(at(R, L, SE.getMinusSCEV(N, number(1))), L))
		return N;
	if (!isa<SCEVConstant>(Step)) {
		Exact = false;
		return N;
	}
	return SE.getSMinExpr(N, above0(SE, *this, R));
}

/* What is left out in front is a number that is known here, and a small one: each turn is a step of
 * the compiler. */
enum { MOST_SKIPPED = 64 };

Span Counter::whereRuns(const SCEV *Inner, const Loop *L, const SCEV *N)
{
	Span All = {N};
	const SCEV *Line = decided(Inner, L, N, All.exact);
	const auto *R = dyn_cast<SCEVAddRecExpr>(Line);

	if (!uses(Line, L))
		return All;
	const SCEV *Step = R && R->getLoop() == L && R->isAffine() ? R->getStepRecurrence(SE) : N;
	const SCEV *End = R ? at(R, L, SE.getMinusSCEV(N, number(1))) : nullptr;
	const auto *By = dyn_cast<SCEVConstant>(Step);

	if (!By || !End || !fits(By))
		return {N, 0, false};
	const int64_t Each = By->getAPInt().getSExtValue();
	const SCEV *Least = Each > 0 ? R->getStart() : End;
	const auto *Known = dyn_cast<SCEVConstant>(Least);

	if (known0(SE.getMinusSCEV(Least, number(1)), L))
		return All;
	if (!Known || !fits(Known))
		return Each > 0 ? Span{N, 0, false}
				: Span{SE.getSMinExpr(N, above0(SE, *this, R)), 0, All.exact};
	const int64_t Idle = -Known->getAPInt().getSExtValue() / std::abs(Each) + 1;

	if (Each < 0)
		return {SE.getMinusSCEV(N, number(Idle))};
	return Idle > MOST_SKIPPED ? Span{N, 0, false} : Span{N, (uint64_t)Idle};
}

struct Shifter : SCEVRewriteVisitor<Shifter> {
	const Loop *L;

	Shifter(ScalarEvolution &SE, const Loop *L) : SCEVRewriteVisitor(SE), L(L)
	{
	}

	const SCEV *visitAddRecExpr(const SCEVAddRecExpr *R)
	{
		return R->getLoop() == L ? R->getPostIncExpr(SE) : R;
	}
};

const SCEV *later(ScalarEvolution &SE, const SCEV *S, const Loop *L, uint64_t By)
{
	for (; By; By--)
		S = Shifter(SE, L).visit(S);
	return S;
}

/* ---- sums */

/* Divisions by a constant of what changes in L are put below the line: at most one turn in each row
 * is lost by a floor. */
static Count withoutFloor(ScalarEvolution &SE, Counter &Of, const SCEV *S, const Loop *L)
{
	Count C;

	if (!Of.uses(S, L)) {
		C.top = S;
		return C;
	}
	if (const auto *D = dyn_cast<SCEVUDivExpr>(S)) {
		const auto *By = dyn_cast<SCEVConstant>(D->getRHS());

		if (!By || By->getAPInt().getActiveBits() > 16)
			return C;
		C = withoutFloor(SE, Of, D->getLHS(), L);
		C.bottom *= By->getAPInt().getZExtValue();
		C.exact = false;
		return C;
	}
	if (isa<SCEVAddRecExpr>(S)) {
		C.top = S;
		return C;
	}
	const bool Sum = isa<SCEVAddExpr>(S);

	if (!Sum && !isa<SCEVMulExpr>(S))
		return C;
	C.top = Of.number(Sum ? 0 : 1);
	for (const SCEV *Part : cast<SCEVNAryExpr>(S)->operands()) {
		Count P = withoutFloor(SE, Of, Part, L);

		if (!P.top || C.bottom > UINT64_C(1) << 20)
			return Count();
		if (Sum)
			C = Of.add(C, P);
		else
			C = {SE.getMulExpr(C.top, P.top), C.bottom * P.bottom, C.exact && P.exact};
	}
	return C;
}

Count Counter::add(const Count &A, const Count &B)
{
	if (A.bottom == B.bottom)
		return {SE.getAddExpr(A.top, B.top), A.bottom, A.exact && B.exact};
	return {SE.getAddExpr(SE.getMulExpr(A.top, number((int64_t)B.bottom)),
			SE.getMulExpr(B.top, number((int64_t)A.bottom))),
		A.bottom * B.bottom, A.exact && B.exact};
}

static uint64_t factorial(uint64_t N)
{
	return N < 2 ? 1 : N * factorial(N - 1);
}

static uint64_t power(uint64_t Base, uint64_t N)
{
	return N ? Base * power(Base, N - 1) : 1;
}

/* The sum of a[j] C(n, j+1) with n = N.top / N.bottom: C(n, j) = FF / (bottom^j j!), where FF is
 * the product of N.top - t bottom for t < j. */
static Count sumOfRecurrence(
	ScalarEvolution &SE, Counter &C, const SCEVAddRecExpr *R, const Count &N)
{
	const uint64_t Terms = R->getNumOperands();
	const SCEV *Falling = C.number(1), *Sum = C.number(0);

	for (uint64_t J = 1; J <= Terms; J++) {
		const uint64_t Share = factorial(Terms) / factorial(J) * power(N.bottom, Terms - J);
		const SCEV *Less = C.number((int64_t)((J - 1) * N.bottom));

		Falling = SE.getMulExpr(Falling, SE.getMinusSCEV(N.top, Less));
		Sum = SE.getAddExpr(Sum,
			SE.getMulExpr(R->getOperand(J - 1), Falling, C.number((int64_t)Share)));
	}
	return {Sum, factorial(Terms) * power(N.bottom, Terms), N.exact};
}

Count Counter::sum(Count Q, const Loop *L, const SCEV *Turns, bool Further)
{
	const bool Was = Q.exact;
	const Loop *Outer = L->getParentLoop();
	Count N;

	Q.top = decided(Q.top, L, Turns, Q.exact);
	Count P = withoutFloor(SE, *this, Q.top, L);

	N.top = Turns;
	if (Further && Outer && uses(Turns, Outer))
		N = withoutFloor(SE, *this, Turns, Outer);
	if (!P.top || !N.top)
		return Count();
	P.bottom *= Q.bottom;
	P.exact = P.exact && Q.exact && Was && N.exact;
	if (!uses(P.top, L))
		return {SE.getMulExpr(P.top, N.top), P.bottom * N.bottom, P.exact};
	const auto *R = dyn_cast<SCEVAddRecExpr>(P.top);

	if (!R || R->getLoop() != L || R->getNumOperands() > 6)
		return Count();
	if (N.bottom > 64 || P.bottom > UINT64_C(1) << 20)
		return Count();
	Count All = sumOfRecurrence(SE, *this, R, N);

	All.bottom *= P.bottom;
	All.exact = P.exact;
	return All;
}
