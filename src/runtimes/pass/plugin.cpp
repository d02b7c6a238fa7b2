/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the pass runs, and its entry.
 *
 * passes.cpp takes a function, nest.cpp goes from each access outwards through its loops, count.cpp
 * says how often they turn and guard.cpp under which test; wide.cpp bounds expressions, reload.cpp
 * repeats loads in front of a loop. insert.cpp puts the calls there, unwind.cpp where exceptions
 * leave, turns.cpp the records of loops; options.cpp reads AFFINITY_PASS.
 */
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include "pass/insert.h"
#include "pass/passes.h"
#include "pass/turns.h"

using namespace llvm;

namespace
{

/* Calls for the loops of a function, after inlining, before loops are vectorised. */
struct MigratePass : PassInfoMixin<MigratePass> {
	Options O;

	explicit MigratePass(const Options &O) : O(O)
	{
	}

	PreservedAnalyses run(Function &F, FunctionAnalysisManager &AM)
	{
		/* a link with optimisation runs it again */
		if (F.hasOptNone() || F.hasFnAttribute("affinity-done"))
			return PreservedAnalyses::all();
		F.addFnAttr("affinity-done");
		auto &SE = AM.getResult<ScalarEvolutionAnalysis>(F);
		auto &DT = AM.getResult<DominatorTreeAnalysis>(F);
		auto &LI = AM.getResult<LoopAnalysis>(F);
		auto &ORE = AM.getResult<OptimizationRemarkEmitterAnalysis>(F);

		if (LI.empty())
			return PreservedAnalyses::all();
		migrate(F, SE, DT, LI, ORE, O);
		return PreservedAnalyses::none();
	}
};

/* Starts the runtime in main. */
struct BeginPass : PassInfoMixin<BeginPass> {
	Options O;

	explicit BeginPass(const Options &O) : O(O)
	{
	}

	PreservedAnalyses run(Module &M, ModuleAnalysisManager &)
	{
		return (O.count ? tellOfLoops(M) : beginInMain(M)) ? PreservedAnalyses::none()
								   : PreservedAnalyses::all();
	}
};

} // namespace

#if LLVM_VERSION_MAJOR < 14
#error "the pass needs LLVM 14 or later"
#endif

static void add(PassBuilder &PB)
{
	Options O;
	const std::string Fault = readOptions(O);

	if (!Fault.empty())
		report_fatal_error(StringRef(Fault), false);
	PB.registerVectorizerStartEPCallback([O](FunctionPassManager &FPM, auto Level) {
		if (O.off || Level == OptimizationLevel::O0)
			return;
		FPM.addPass(LoopSimplifyPass());
		FPM.addPass(LCSSAPass());
		FPM.addPass(MigratePass(O));
	});
	PB.registerPipelineStartEPCallback([O](ModulePassManager &MPM, auto Level) {
		if (!O.off && Level != OptimizationLevel::O0)
			MPM.addPass(BeginPass(O));
	});
	PB.registerPipelineParsingCallback([O](StringRef Name, FunctionPassManager &FPM, auto) {
		if (Name != "affinity")
			return false;
		FPM.addPass(MigratePass(O));
		return true;
	});
	PB.registerPipelineParsingCallback([O](StringRef Name, ModulePassManager &MPM, auto) {
		if (Name != "affinity-begin")
			return false;
		MPM.addPass(BeginPass(O));
		return true;
	});
}

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo()
{
	return {LLVM_PLUGIN_API_VERSION, "affinity", "1", add};
}
