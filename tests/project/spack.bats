#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The recipe for Spack: read by Spack itself where it is installed; otherwise its own lines, by a stand-in.

bats_require_minimum_version 1.5.0
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	root=$BATS_TEST_DIRNAME/../..
	of_sources
	recipe=$root/scripts/packaging/spack
}

@test "Spack reads the recipe" {
	command -v spack >/dev/null || skip "Spack is not installed"
	export SPACK_USER_CONFIG_PATH=$PWD/config SPACK_USER_CACHE_PATH=$PWD/cache SPACK_DISABLE_LOCAL_CONFIG=1
	spack repo add "$recipe"
	spack info affinity | grep -q papi
}

# What Spack gives to a recipe, as far as this one uses it.
stand_in() {
	mkdir -p spack
	touch spack/__init__.py
	cat >spack/package.py <<-'END'
		said, made = [], []
		spack_cc = "gcc"
		class MakefilePackage:
		    def __init__(self, spec): self.spec = spec
		def license(name): pass
		def version(name): pass
		def variant(name, default, description): said.append(name)
		def depends_on(name, type=None, when=""): said.append(name + when)
		def make(*words): made.append(words)
	END
}

@test "the recipe for Spack calls make with targets and variables that there are (by a stand-in for Spack)" {
	stand_in
	PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$PWD:$recipe/packages/affinity /usr/bin/python3 - >calls <<-'END'
		from package import Affinity
		from spack.package import made, said
		for name in "numactl hwloc gsl jansson".split():
		    assert any(word.startswith(name + "@") for word in said), name
		assert any(word.startswith("papi@") and word.endswith("+papi") for word in said), said
		for spec in "+papi", "~papi":
		    recipe = Affinity(spec)
		    recipe.build(spec, "/opt/affinity")
		    recipe.install(spec, "/opt/affinity")
		print("\n".join(" ".join(words) for words in made))
	END
	same "all man CC=gcc LLVM=no PAPI=
install PREFIX=/opt/affinity CC=gcc LLVM=no PAPI=
all man CC=gcc LLVM=no PAPI=no
install PREFIX=/opt/affinity CC=gcc LLVM=no PAPI=no" "$(<calls)"
	make -C "$root" --no-print-directory -n BUILD="$PWD/build" all man CC=gcc LLVM=no PAPI=no >work
	grep -q '^gcc .* src/tools/affinity/main.c$' work
	run ! grep -q -e '-lpapi' -e 'src/runtimes/pass/' work
}
