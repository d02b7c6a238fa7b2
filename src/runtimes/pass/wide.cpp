/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions in 128 bits, and their bounds over the turns of a loop. */
#include "pass/count.h"

using namespace llvm;

/* Addresses and 64-bit numbers do not reach half of their range. */
const SCEV *Counter::leaf(const SCEV *S, bool Signed)
{
	if (S->getType()->isPointerTy())
		S = SE.getPtrToIntExpr(S, SE.getEffectiveSCEVType(S->getType()));
	if (Signed || SE.getTypeSizeInBits(S->getType()) >= 64)
		return SE.getSignExtendExpr(S, Wide);
	return SE.getZeroExtendExpr(S, Wide);
}

/* An extension without a sign of a difference, such as zext(b - a), is meant with its signs; one of
 * a single unknown, such as zext(n - 1), is not. */
static bool severalUnknowns(const SCEV *S)
{
	const SCEV *Seen = nullptr;

	return SCEVExprContains(S, [&Seen](const SCEV *Part) {
		if (!isa<SCEVUnknown>(Part))
			return false;
		const bool Another = Seen && Seen != Part;

		Seen = Part;
		return Another;
	});
}

bool negates(const SCEV *S)
{
	return SCEVExprContains(S, [](const SCEV *Part) {
		const auto *M = dyn_cast<SCEVMulExpr>(Part);
		const auto *By = M ? dyn_cast<SCEVConstant>(M->getOperand(0)) : nullptr;

		return By && By->getAPInt().isNegative();
	});
}

const SCEV *Counter::wideAll(const SCEV *S, bool Signed, bool &Exact)
{
	SmallVector<const SCEV *, 8> Parts;

	for (const SCEV *Part : cast<SCEVNAryExpr>(S)->operands())
		Parts.push_back(wide(Part, Signed, Exact));
	switch (S->getSCEVType()) {
	case scAddExpr:
		return SE.getAddExpr(Parts);
	case scMulExpr:
		return SE.getMulExpr(Parts);
	case scSMaxExpr:
	case scUMaxExpr:
		return SE.getSMaxExpr(Parts);
	case scAddRecExpr:
		return SE.getAddRecExpr(
			Parts, cast<SCEVAddRecExpr>(S)->getLoop(), SCEV::FlagAnyWrap);
	default:
		return SE.getSMinExpr(Parts);
	}
}

/* Fewer bits come of a mask or of a narrow type, such as the index i & 7 or i % 7 & 7: LLVM leaves
 * the extension outside where it cannot exclude that what is inside comes back to its start. */
static bool comesBack(ScalarEvolution &SE, const SCEV *S)
{
	if (!isa<SCEVZeroExtendExpr>(S) && !isa<SCEVSignExtendExpr>(S))
		return false;
	const uint64_t Bits = SE.getTypeSizeInBits(cast<SCEVCastExpr>(S)->getOperand()->getType());

	return Bits < 64 && Bits != 32;
}

/* A sum of 32 bits that changes in a loop: LLVM leaves the extension outside where it could wrap.
 */
static bool mayWrap(const SCEV *Inside)
{
	return isa<SCEVNAryExpr>(Inside) &&
	       SCEVExprContains(Inside, [](const SCEV *Part) { return isa<SCEVAddRecExpr>(Part); });
}

const SCEV *Counter::wide(const SCEV *S, bool Signed, bool &Exact)
{
	if (comesBack(SE, S))
		return leaf(S, isa<SCEVSignExtendExpr>(S));
	switch (S->getSCEVType()) {
	case scConstant:
		return SE.getSignExtendExpr(S, Wide);
	case scSignExtend:
		Exact = Exact && !mayWrap(cast<SCEVCastExpr>(S)->getOperand());
		return wide(cast<SCEVCastExpr>(S)->getOperand(), true, Exact);
	case scZeroExtend: {
		const SCEV *Inside = cast<SCEVCastExpr>(S)->getOperand();
		const bool Several = severalUnknowns(Inside) || negates(Inside);

		Exact = Exact && !Several && !mayWrap(Inside);
		return wide(Inside, Several || guarded(SE, inside, Inside), Exact);
	}
	case scUDivExpr: {
		const auto *D = cast<SCEVUDivExpr>(S);

		const SCEV *By = wide(D->getRHS(), Signed, Exact);

		if (Value *Quotient = divisions.lookup(S))
			return leaf(SE.getUnknown(Quotient), false);
		/* the loop would not run, but the call may be in front of that test */
		if (!SE.isKnownNonZero(By))
			By = SE.getSMaxExpr(By, number(1));
		return SE.getUDivExpr(wide(D->getLHS(), Signed, Exact), By);
	}
	default:
		return isa<SCEVNAryExpr>(S) ? wideAll(S, Signed, Exact) : leaf(S, Signed);
	}
}

/* ---- bounds */

/* How many operands of S change in L. */
static size_t changing(Counter &C, const SCEV *S, const Loop *L)
{
	return (size_t)count_if(cast<SCEVNAryExpr>(S)->operands(),
		[&C, L](const SCEV *Part) { return C.uses(Part, L); });
}

bool outOfOnePart(Counter &C, const SCEV *S, const Loop *L)
{
	return !SCEVExprContains(S, [&C, L](const SCEV *Part) {
		return isa<SCEVMinMaxExpr>(Part) && changing(C, Part, L) > 1;
	});
}

/* Each operand's bound. Two that change together, such as those of i - i / 10 * 10, give a sum that
 * is wider than what it has been: bytes that the loop does not touch. */
const SCEV *Counter::boundOfAll(const SCEV *S, const Loop *L, const SCEV *N, bool Most)
{
	SmallVector<const SCEV *, 8> Parts;

	if (isa<SCEVAddExpr>(S) && changing(*this, S, L) > 1)
		return nullptr;
	for (const SCEV *Part : cast<SCEVNAryExpr>(S)->operands()) {
		Parts.push_back(bound(Part, L, N, Most));
		if (!Parts.back())
			return nullptr;
	}
	switch (S->getSCEVType()) {
	case scAddExpr:
		return SE.getAddExpr(Parts);
	case scSMaxExpr:
		return SE.getSMaxExpr(Parts);
	case scSMinExpr:
		return SE.getSMinExpr(Parts);
	default:
		return nullptr;
	}
}

/* A recurrence whose steps have one sign is largest at one end; where the sign shows only when it
 * runs, its steps count that are positive then. (Not the larger end: in no turns there is none.) */
static const SCEV *boundOfRecurrence(
	ScalarEvolution &SE, Counter &C, const SCEVAddRecExpr *R, const SCEV *N, bool Most)
{
	const SCEV *First = R->getStart(), *Turns = SE.getMinusSCEV(N, C.number(1));
	bool Up = true, Down = true;

	for (unsigned I = 1; I < R->getNumOperands(); I++) {
		Up = Up && C.known0(R->getOperand(I), R->getLoop());
		Down = Down && C.known0(SE.getNegativeSCEV(R->getOperand(I)), R->getLoop());
	}
	if (Up || Down)
		return Up == Most ? R->evaluateAtIteration(Turns, SE) : First;
	if (!R->isAffine())
		return nullptr;
	const SCEV *Step = R->getStepRecurrence(SE), *Zero = C.number(0);

	Step = Most ? SE.getSMaxExpr(Step, Zero) : SE.getSMinExpr(Step, Zero);
	return SE.getAddExpr(First, SE.getMulExpr(Step, Turns));
}

/* One factor that changes; the sign of the others says which of its bounds counts. */
const SCEV *Counter::boundOfProduct(const SCEVMulExpr *M, const Loop *L, const SCEV *N, bool Most)
{
	const SCEV *Changes = nullptr, *Others = number(1);

	for (const SCEV *Factor : M->operands()) {
		if (!uses(Factor, L))
			Others = SE.getMulExpr(Others, Factor);
		else if (Changes)
			return nullptr;
		else
			Changes = Factor;
	}
	const SCEV *High = bound(Changes, L, N, true), *Low = bound(Changes, L, N, false);

	if (!High || !Low)
		return nullptr;
	if (known0(Others, L))
		return SE.getMulExpr(Others, Most ? High : Low);
	if (known0(SE.getNegativeSCEV(Others), L))
		return SE.getMulExpr(Others, Most ? Low : High);
	High = SE.getMulExpr(Others, High);
	Low = SE.getMulExpr(Others, Low);
	return Most ? SE.getSMaxExpr(High, Low) : SE.getSMinExpr(High, Low);
}

const SCEV *Counter::bound(const SCEV *S, const Loop *L, const SCEV *N, bool Most)
{
	if (!uses(S, L))
		return S;
	if (const auto *R = dyn_cast<SCEVAddRecExpr>(S)) {
		if (R->getLoop() != L)
			return nullptr;
		return boundOfRecurrence(SE, *this, R, N, Most);
	}
	if (const auto *D = dyn_cast<SCEVUDivExpr>(S)) {
		const SCEV *Top = bound(D->getLHS(), L, N, Most);

		return Top && isa<SCEVConstant>(D->getRHS()) ? SE.getUDivExpr(Top, D->getRHS())
							     : nullptr;
	}
	if (isa<SCEVMulExpr>(S))
		return boundOfProduct(cast<SCEVMulExpr>(S), L, N, Most);
	return isa<SCEVNAryExpr>(S) ? boundOfAll(S, L, N, Most) : nullptr;
}
