/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls, releases and what they get. */
#include "pass/insert.h"

using namespace llvm;

FunctionCallee runtimeFunction(Module &M, StringRef Name, ArrayRef<Type *> Parameters)
{
	LLVMContext &C = M.getContext();
	FunctionCallee Callee = M.getOrInsertFunction(
		Name, FunctionType::get(Type::getVoidTy(C), Parameters, false));

	if (auto *F = dyn_cast<Function>(Callee.getCallee())) {
		F->setDoesNotThrow();
		F->setOnlyAccessesInaccessibleMemory();
		F->addFnAttr(Attribute::Cold);
		F->addFnAttr(Attribute::WillReturn);
	}
	return Callee;
}

Constant *constantOf(Module &M, Constant *Value)
{
	auto *G = new GlobalVariable(
		M, Value->getType(), true, GlobalValue::PrivateLinkage, Value, "affinity.constant");

	return ConstantExpr::getPointerCast(G, bytePointer(M.getContext()));
}

Constant *textOf(Module &M, StringRef Text)
{
	Constant *C = constantOf(M, ConstantDataArray::getString(M.getContext(), Text));

	cast<GlobalVariable>(C->stripPointerCasts())
		->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
	return C;
}

Inserter::Inserter(Function &F, ScalarEvolution &SE, DominatorTree &DT, LoopInfo &LI,
	OptimizationRemarkEmitter &ORE, const Options &O)
    : F(F), SE(SE), DT(DT), LI(LI), ORE(ORE), O(O)
{
}

Value *Inserter::expand(const SCEV *S, Instruction *At)
{
	SCEVExpander Expander(SE, F.getParent()->getDataLayout(), "affinity");

	return Expander.expandCodeFor(S, S->getType(), At);
}

/* At, as all sums do, least with 128 bits: true where a product of the loops' turns could exceed
 * them. null: it never can. */
Value *Inserter::tooMany(const ArrayUse &U, Instruction *At)
{
	IRBuilder<> B(At);
	unsigned Bits = Log2_64(U.executions.bottom) + 1 + 3;
	Value *Product = ConstantFP::get(B.getDoubleTy(), (double)U.executions.bottom * 8);

	for (const SCEV *N : U.turns)
		Bits += SE.getSignedRangeMax(N).getActiveBits() + 1;
	if (Bits < 126)
		return nullptr;
	for (const SCEV *N : U.turns) {
		Value *Turns = B.CreateSIToFP(expand(N, At), B.getDoubleTy());

		Product = B.CreateFMul(
			Product, B.CreateFAdd(Turns, ConstantFP::get(B.getDoubleTy(), 2)));
	}
	return B.CreateFCmpOGT(Product, ConstantFP::get(B.getDoubleTy(), 0x1p126));
}

/* 0 to INT64_MAX. */
Value *Inserter::executions(const ArrayUse &U, Instruction *At)
{
	Value *TooMany = tooMany(U, At);
	const SCEV *Zero = SE.getZero(U.executions.top->getType());
	const SCEV *Top = SE.getSMaxExpr(U.executions.top, Zero);
	const SCEV *Bottom = SE.getConstant(Top->getType(), U.executions.bottom);
	const SCEV *Most = SE.getConstant(Top->getType(), INT64_MAX);
	Value *Number = expand(SE.getUMinExpr(SE.getUDivExpr(Top, Bottom), Most), At);
	IRBuilder<> B(At);

	Number = B.CreateTrunc(Number, B.getInt64Ty());
	return TooMany ? B.CreateSelect(TooMany, B.getInt64(INT64_MAX), Number) : Number;
}

/* As struct inserted_site in src/runtimes/inserted/inserted.h. */
Value *Inserter::site(const ArrayUse &U)
{
	Module &M = *F.getParent();
	LLVMContext &C = M.getContext();
	DebugLoc Line = U.loop->getStartLoc();
	Type *Word = Type::getInt32Ty(C);
	Constant *Fields[] = {textOf(M, M.getSourceFileName()), textOf(M, F.getName()),
		textOf(M, Nests::nameOf(U.base)), ConstantInt::get(Word, Line ? Line.getLine() : 0),
		ConstantInt::get(Word, U.elementSize), ConstantInt::get(Word, U.executions.exact)};

	return constantOf(M, ConstantStruct::getAnon(Fields));
}

/* The smallest first and the largest last byte of those parts that run; a part that does not has
 * no bytes. */
std::pair<Value *, Value *> Inserter::ends(const ArrayUse &U, Instruction *At)
{
	IRBuilder<> B(At);
	Type *Wide = U.first->getType();
	Value *First = ConstantInt::get(Wide, INT64_MAX);
	Value *Last = ConstantInt::getSigned(Wide, INT64_MIN);

	if (U.parts.size() == 1 ||
		all_of(U.parts, [this](const Part &P) { return SE.isKnownPositive(P.runs); }))
		return {expand(U.first, At), expand(U.last, At)};
	for (const Part &P : U.parts) {
		Value *From = expand(P.first, At), *To = expand(P.last, At);
		Value *Runs = B.CreateICmpSGT(expand(P.runs, At), ConstantInt::get(Wide, 0));

		First = B.CreateSelect(
			B.CreateAnd(Runs, B.CreateICmpSLT(From, First)), From, First);
		Last = B.CreateSelect(B.CreateAnd(Runs, B.CreateICmpSGT(To, Last)), To, Last);
	}
	return {First, Last};
}

Inserter::Range Inserter::range(const ArrayUse &U, Instruction *At)
{
	auto [First, Last] = ends(U, At);
	IRBuilder<> B(At);
	Range R = {site(U), B.CreatePointerCast(U.base, bytePointer(F.getContext())),
		B.CreateTrunc(First, B.getInt64Ty(), "affinity.first"),
		B.CreateTrunc(Last, B.getInt64Ty(), "affinity.last"), nullptr};

	if (!O.check)
		R.worth = B.CreateICmpSGE(B.CreateSub(R.last, R.first),
			setting("affinity_inserted_least", At), "affinity.worth");
	return R;
}

/* What the runtime says of its tests. */
Value *Inserter::setting(StringRef Name, Instruction *At)
{
	IRBuilder<> B(At);
	Constant *Of = F.getParent()->getOrInsertGlobal(Name, B.getInt64Ty());
	LoadInst *Now = B.CreateAlignedLoad(B.getInt64Ty(), Of, Align(8));

	Now->setAtomic(AtomicOrdering::Unordered);
	return Now;
}

/* A loop of few turns costs less than a call of the runtime. Most calls are rejected for their few
 * bytes, so the program tests those itself, and counts the executions only behind that test. */
void Inserter::call(const ArrayUse &U, const Range &R, Instruction *At)
{
	Instruction *Inside = splitIf(R.worth, At, DT, LI);
	Value *Executions = executions(U, Inside);
	IRBuilder<> B(Inside);
	Type *Long = B.getInt64Ty(), *Pointer = bytePointer(F.getContext());
	FunctionCallee Call = runtimeFunction(
		*F.getParent(), "affinity_inserted_call", {Pointer, Pointer, Long, Long, Long});

	B.CreateCall(Call, {R.site, R.base, R.first, R.last, Executions})
		->setDebugLoc(At->getDebugLoc());
}

void Inserter::release(const ArrayUse &U, const Range &R)
{
	SmallVector<BasicBlock *, 4> Exits;
	Type *Long = Type::getInt64Ty(F.getContext()), *Pointer = bytePointer(F.getContext());
	FunctionCallee Release = runtimeFunction(*F.getParent(),
		O.check ? "affinity_inserted_checked" : "affinity_inserted_release",
		{Pointer, Pointer, Long, Long});

	U.loop->getUniqueExitBlocks(Exits);
	for (BasicBlock *Exit : Exits) {
		if (Exit->getFirstInsertionPt() == Exit->end())
			continue; /* of a catch: its pads come first */
		Instruction *At = &*Exit->getFirstInsertionPt();
		IRBuilder<> B(R.worth ? splitIf(R.worth, At, DT, LI) : At);

		B.CreateCall(Release, {R.site, R.base, R.first, R.last});
	}
}

/* In place of a call: of all ranges, however small. */
void Inserter::check(const ArrayUse &U, const Range &R, Instruction *At)
{
	Value *Executions = executions(U, At);
	IRBuilder<> B(At);
	Type *Long = B.getInt64Ty(), *Pointer = bytePointer(F.getContext());
	Value *Runs = B.CreateAnd(B.CreateICmpNE(Executions, B.getInt64(0)),
		B.CreateICmpSGE(R.last, R.first), "affinity.runs");
	FunctionCallee Check = runtimeFunction(
		*F.getParent(), "affinity_inserted_check", {Pointer, Pointer, Long, Long, Long});

	if (!isa<ConstantInt>(Runs))
		B.SetInsertPoint(splitIf(Runs, At, DT, LI));
	else if (cast<ConstantInt>(Runs)->isZero())
		return;
	B.CreateCall(Check, {R.site, R.base, R.first, R.last, Executions});
}

/* V of the block Then, which ends in At's block and runs in some cases only; else 0. */
static Value *orZero(Value *V, BasicBlock *Before, BasicBlock *Then, Instruction *At)
{
	PHINode *Either =
		PHINode::Create(V->getType(), 2, "affinity.or", &*At->getParent()->begin());

	Either->addIncoming(Constant::getNullValue(V->getType()), Before);
	Either->addIncoming(V, Then);
	return Either;
}

/* Of one loop that goes over its bytes a few times the reuse is so little that the runtime never
 * moves them, with the threshold that it usually has: that is known before anything is computed. */
Inserter::Range Inserter::behindTest(const ArrayUse &U, Instruction *At)
{
	BasicBlock *Before = At->getParent();
	IRBuilder<> B(At);
	Value *Enough = B.CreateICmpSLT(setting("affinity_inserted_reuse", At),
		B.getInt64(mostReuse(U)), "affinity.enough");
	Instruction *Inside = splitIf(Enough, At, DT, LI);
	Range R = range(U, Inside);

	call(U, R, Inside);
	for (Value **V : {&R.base, &R.first, &R.last, &R.worth})
		*V = orZero(*V, Before, Inside->getParent(), At);
	return R;
}

/* Only to prove the estimates: each access that they count says so. */
void Inserter::touch(const ArrayUse &U, const Range &R)
{
	Type *Long = Type::getInt64Ty(F.getContext()), *Pointer = bytePointer(F.getContext());
	FunctionCallee Touch = runtimeFunction(
		*F.getParent(), "affinity_inserted_touch", {Pointer, Pointer, Long});
	const DataLayout &Layout = F.getParent()->getDataLayout();

	for (Instruction *I : U.accesses) {
		IRBuilder<> B(I);
		Type *Of = isa<StoreInst>(I) ? I->getOperand(0)->getType() : I->getType();
		Value *At = const_cast<Value *>(getLoadStorePointerOperand(I));

		B.CreateCall(Touch, {R.site, B.CreatePointerCast(At, Pointer),
					    B.getInt64(Layout.getTypeStoreSize(Of))});
	}
}

void Inserter::remark(const ArrayUse &U)
{
	ORE.emit([&] {
		return OptimizationRemark(
			       "affinity", "Inserted", U.loop->getStartLoc(), U.loop->getHeader())
		       << "page migration of " << ore::NV("Array", Nests::nameOf(U.base))
		       << " before this loop, for " << ore::NV("Accesses", U.accesses.size())
		       << (U.accesses.size() == 1 ? " access" : " accesses")
		       << (U.executions.exact ? "" : ", estimated");
	});
}

void Inserter::insert(const ArrayUse &U)
{
	remark(U);
	Instruction *At = U.loop->getLoopPreheader()->getTerminator();

	if (!O.check && U.passes) {
		release(U, behindTest(U, At));
		return;
	}
	const Range R = range(U, At);

	if (O.check) {
		check(U, R, At);
		touch(U, R);
	} else {
		call(U, R, At);
	}
	release(U, R);
}
