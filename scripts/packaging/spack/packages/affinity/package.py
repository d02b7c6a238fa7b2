# SPDX-License-Identifier: GPL-3.0-or-later
from spack.package import *

try:  # Spack 1.0 and later; before, it was among the names above
    from spack_repo.builtin.build_systems.makefile import MakefilePackage
except ImportError:
    pass


class Affinity(MakefilePackage):
    """Benchmarks of thread and data placement on NUMA machines."""

    license("GPL-3.0-or-later")

    # without a place to fetch from: spack dev-build in the sources
    version("main")

    variant("papi", default=True, description="hardware counters")

    depends_on("c", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("binutils", type=("build", "run"))
    depends_on("numactl@2.0.16:")
    depends_on("hwloc@2.9.0:")
    depends_on("gsl@2.6:")
    depends_on("jansson@2.13.1:")
    depends_on("papi@6.0.0:", when="+papi")

    # The kernels are measured: the same compiler and flags as everywhere.
    def build(self, spec, prefix):
        make("all", "man", *self.options())

    def install(self, spec, prefix):
        make("install", f"PREFIX={prefix}", *self.options())

    def options(self):
        # LLVM: Spack's has no llvm-config-VERSION, and the plug-in would be for another clang than it finds
        return [f"CC={spack_cc}", "LLVM=no", "PAPI=" if "+papi" in self.spec else "PAPI=no"]
