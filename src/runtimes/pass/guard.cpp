/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the test in front of a loop says of its turns. */
#include "pass/count.h"

using namespace llvm;

/* Whether the test in front of L compares S with its sign: LLVM extends it without one where what
 * passes the test is not negative. */
static bool testedSigned(ScalarEvolution &SE, const Loop *L, const SCEV *S)
{
	const BranchInst *Guard = L->getLoopGuardBranch();
	const auto *Test = Guard ? dyn_cast<ICmpInst>(Guard->getCondition()) : nullptr;

	return Test && Test->isSigned() &&
	       any_of(Test->operands(), [&SE, S](Value *V) { return SE.getSCEV(V) == S; });
}

bool guarded(ScalarEvolution &SE, const Loop *L, const SCEV *S)
{
	const SCEV *Zero = SE.getZero(S->getType());

	return L && (SE.isLoopEntryGuardedByCond(L, ICmpInst::ICMP_SGE, S, Zero) ||
			    testedSigned(SE, L, S));
}

static bool atLeastZero(const SCEV *S)
{
	const auto *M = dyn_cast<SCEVSMaxExpr>(S);

	return M && M->getOperand(0)->isZero();
}

/* The number of turns holds behind the loop's guard only: in front of it, the larger of two ends is
 * one turn, too, where there is none. Right in front of the guard, too, are a number of turns that
 * is not below 0, and what onceMore() divides. 1 + max(0, n) is not. */
bool behindGuard(const SCEV *N)
{
	SmallPtrSet<const SCEV *, 4> Right;

	if (atLeastZero(N))
		Right.insert(N);
	return SCEVExprContains(N, [&Right](const SCEV *Part) {
		const auto *D = dyn_cast<SCEVUDivExpr>(Part);

		if (D && atLeastZero(D->getLHS()))
			Right.insert(D->getLHS());
		return isa<SCEVMinMaxExpr>(Part) && !Right.count(Part);
	});
}

/* Of few bits, and nothing says that it keeps its sign from turn to turn of an outer loop. */
static bool wraps(const SCEV *N, bool Signed)
{
	return SCEVExprContains(N, [Signed](const SCEV *Part) {
		const auto *R = dyn_cast<SCEVAddRecExpr>(Part);

		return R && !(Signed ? R->hasNoSignedWrap() : R->hasNoUnsignedWrap());
	});
}

/* Numbers of few bits: a difference is meant with its signs, which nothing says; others are where
 * the loop runs only if they are not negative, so that in front of that test they may be. */
const SCEV *Counter::wideCount(const SCEV *N, bool &Exact)
{
	if (SE.getTypeSizeInBits(N->getType()) >= 64)
		return wide(N, false, Exact);
	const bool Difference = negates(N), Signed = Difference || guarded(SE, inside, N);

	Exact = Exact && !Difference && !wraps(N, Signed);
	return wide(N, Signed, Exact);
}

/* T with that operand of each maximum, as if it had won. */
struct Chooser : SCEVRewriteVisitor<Chooser> {
	unsigned Which;

	Chooser(ScalarEvolution &SE, unsigned Which) : SCEVRewriteVisitor(SE), Which(Which)
	{
	}

	const SCEV *visitSMaxExpr(const SCEVSMaxExpr *E)
	{
		return visit(E->getOperand(std::min<unsigned>(Which, E->getNumOperands() - 1)));
	}
};

/* Without its division by the loop's step, which rounds up. */
static const SCEV *undivided(ScalarEvolution &SE, Counter &C, const SCEV *N)
{
	const auto *D = dyn_cast<SCEVUDivExpr>(N);

	if (!D || !isa<SCEVConstant>(D->getRHS()))
		return N;
	return SE.getAddExpr(SE.getMinusSCEV(D->getLHS(), D->getRHS()), C.number(1));
}

/* What is above 0 where the branch goes to the loop; null: nothing known. */
static const SCEV *tested(
	ScalarEvolution &SE, Counter &C, const BranchInst *Guard, bool Enters, bool &Both)
{
	const auto *Test = dyn_cast<ICmpInst>(Guard->getCondition());

	if (!Test || !Test->getOperand(0)->getType()->isIntegerTy())
		return nullptr;
	const auto Holds = Enters ? Test->getPredicate() : Test->getInversePredicate();
	const bool Signed = ICmpInst::isSigned(Holds);
	bool Exact = true;
	const SCEV *A = C.wide(SE.getSCEV(Test->getOperand(0)), Signed, Exact);
	const SCEV *B = C.wide(SE.getSCEV(Test->getOperand(1)), Signed, Exact);

	Both = Holds == ICmpInst::ICMP_NE;
	if (Holds == ICmpInst::ICMP_EQ)
		return nullptr;
	if (!Both && (Holds == ICmpInst::ICMP_SLT || Holds == ICmpInst::ICMP_ULT ||
			     Holds == ICmpInst::ICMP_SLE || Holds == ICmpInst::ICMP_ULE))
		std::swap(A, B);
	return SE.getAddExpr(
		SE.getMinusSCEV(A, B), C.number(!Both && ICmpInst::isNonStrictPredicate(Holds)));
}

bool guardsTurns(ScalarEvolution &SE, Counter &C, const Loop *L)
{
	const BranchInst *Guard = L->getLoopGuardBranch();
	const Turns T = Guard ? C.turns(L, L->getHeader()) : Turns();
	bool Both = false;
	const SCEV *Above = nullptr;

	if (T.n)
		Above = tested(SE, C, Guard, Guard->getSuccessor(0) == L->getLoopPreheader(), Both);
	if (!Above)
		return false;
	for (unsigned Which = 0; Which < 2; Which++) {
		const SCEV *N = undivided(SE, C, Chooser(SE, Which).visit(T.n));

		if (N == Above || (Both && N == SE.getNegativeSCEV(Above)))
			return true;
	}
	return false;
}
