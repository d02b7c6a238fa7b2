/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A function, and main. */
#include "pass/passes.h"

#include <llvm/IR/DebugInfoMetadata.h>

#include "pass/insert.h"
#include "pass/turns.h"
#include "pass/unwind.h"

using namespace llvm;

void migrate(Function &F, ScalarEvolution &SE, DominatorTree &DT, LoopInfo &LI,
	OptimizationRemarkEmitter &ORE, const Options &O)
{
	if (O.count)
		return countTurns(F, SE, DT, LI);
	Reloads R(F, SE, DT, LI);

	R.begin();
	Nests N(SE, DT, LI, ORE, O, R);
	const std::vector<ArrayUse> All = N.find(F); /* before anything changes */
	Inserter I(F, SE, DT, LI, ORE, O);

	addUnwindingExits(F, All, DT, LI);
	for (const ArrayUse &U : All)
		I.insert(U);
	R.end();
}

bool beginInMain(Module &M)
{
	Function *Main = M.getFunction("main");

	if (!Main || Main->isDeclaration() || Main->hasFnAttribute("affinity-begun"))
		return false;
	Main->addFnAttr("affinity-begun");
	FunctionCallee Begin = M.getOrInsertFunction("affinity_inserted_begin",
		FunctionType::get(Type::getVoidTy(M.getContext()), false));
	IRBuilder<> B(&*Main->getEntryBlock().getFirstInsertionPt());

	if (DISubprogram *P = Main->getSubprogram())
		B.SetCurrentDebugLocation(DILocation::get(M.getContext(), P->getLine(), 0, P));
	B.CreateCall(Begin);
	return true;
}
