/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often a loop turns and what its turns add up to, in 128 bits, as expressions of what is known
 * before it. The dissertation (section 3.1) sums with a computer algebra system; here the sums are
 * those of recurrences: {a0,+,a1,+,...} over N turns is the sum of a[j] * C(N, j+1), exactly.
 */
#ifndef PASS_COUNT_H
#define PASS_COUNT_H

#include <cstdint>

#include "pass/compat.h"

/* top / bottom, top without a division where loops depend on each other. */
struct Count {
	const llvm::SCEV *top = nullptr; /* null: not known */
	uint64_t bottom = 1;
	bool exact = true; /* every run has as many */
};

struct Turns {
	const llvm::SCEV *n = nullptr; /* null: not known */
	bool exact = true;
};

/* Turns from skip to n - 1. */
struct Span {
	const llvm::SCEV *n = nullptr;
	uint64_t skip = 0;
	bool exact = true;
};

class Counter
{
      public:
	Counter(llvm::ScalarEvolution &SE, llvm::DominatorTree &DT);

	/* The loop whose guards say which signs numbers have. */
	const llvm::Loop *inside = nullptr;

	/* S in 128 bits, as if nothing wrapped; Exact becomes false where that is not certain. */
	const llvm::SCEV *wide(const llvm::SCEV *S, bool Signed, bool &Exact);

	/* How often Block runs for each entry of L; exits without a count are left out. */
	Turns turns(const llvm::Loop *L, const llvm::BasicBlock *Block);

	/* Q, of each turn, for all N turns of L. Further: to be summed around L, without floors. */
	Count sum(Count Q, const llvm::Loop *L, const llvm::SCEV *N, bool Further);

	/* The largest (Most) or smallest value of S in N turns of L; null: not known. */
	const llvm::SCEV *bound(
		const llvm::SCEV *S, const llvm::Loop *L, const llvm::SCEV *N, bool Most);

	/* Turns of L that are not below 0, of an inner loop's turns Inner that its guard keeps from
	 * being negative: the N turns of L, or those before Inner gets there. */
	const llvm::SCEV *whereInner(
		const llvm::SCEV *Inner, const llvm::Loop *L, const llvm::SCEV *N, bool &Exact);

	/* Those of the N turns of L in which an inner loop with Inner turns runs at all: elsewhere
	 * nothing is touched. */
	Span whereRuns(const llvm::SCEV *Inner, const llvm::Loop *L, const llvm::SCEV *N);

	/* S >= 0 whenever L is entered; without L, always. */
	bool known0(const llvm::SCEV *S, const llvm::Loop *L);

	/* N, or 0 where it is negative. */
	const llvm::SCEV *atLeast0(const llvm::SCEV *N, const llvm::Loop *L);

	/* S with that operand of each minimum and maximum that wins in all N turns of L. */
	const llvm::SCEV *decided(
		const llvm::SCEV *S, const llvm::Loop *L, const llvm::SCEV *N, bool &Exact);

	const llvm::SCEV *number(int64_t N);
	Count add(const Count &A, const Count &B);
	bool uses(const llvm::SCEV *S, const llvm::Loop *L);

      private:
	llvm::ScalarEvolution &SE;
	llvm::DominatorTree &DT;
	llvm::Type *Wide;
	/* Those that the program makes, by what it does not know before: LLVM does not move
	 * divisions, for they can fault. */
	llvm::DenseMap<const llvm::SCEV *, llvm::Value *> divisions;

	const llvm::SCEV *wideCount(const llvm::SCEV *N, bool &Exact);
	const llvm::SCEV *leaf(const llvm::SCEV *S, bool Signed);
	const llvm::SCEV *wideAll(const llvm::SCEV *S, bool Signed, bool &Exact);
	const llvm::SCEV *boundOfAll(
		const llvm::SCEV *S, const llvm::Loop *L, const llvm::SCEV *N, bool Most);
	const llvm::SCEV *boundOfProduct(
		const llvm::SCEVMulExpr *M, const llvm::Loop *L, const llvm::SCEV *N, bool Most);
	const llvm::SCEV *at(const llvm::SCEV *S, const llvm::Loop *L, const llvm::SCEV *Turn);
	friend struct Decider;
};

/* A call that may throw what no handler of the function gets. */
bool throwsOut(const llvm::Instruction &I);

/* The loop runs only where S is not negative: outside of it, S keeps its sign, so that a nest whose
 * inner loop does not run has no turns. */
bool guarded(llvm::ScalarEvolution &SE, const llvm::Loop *L, const llvm::SCEV *S);

/* Whether the test in front of L fails just where L has no turns: a loop can be behind another
 * condition. */
bool guardsTurns(llvm::ScalarEvolution &SE, Counter &C, const llvm::Loop *L);

/* Whether what S is in L follows from one operand of each minimum and maximum, so that bound() is
 * what S reaches. */
bool outOfOnePart(Counter &C, const llvm::SCEV *S, const llvm::Loop *L);

/* Whether N turns may be right only where their loop is entered. */
bool behindGuard(const llvm::SCEV *N);

/* In c - n, n may have been below 0. */
bool negates(const llvm::SCEV *S);

/* S as it is By turns of L later. */
const llvm::SCEV *later(
	llvm::ScalarEvolution &SE, const llvm::SCEV *S, const llvm::Loop *L, uint64_t By);

#endif
