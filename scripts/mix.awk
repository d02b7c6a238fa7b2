# SPDX-License-Identifier: GPL-3.0-or-later
# The kind of an instruction by its mnemonic and operands; for awk -f together with other scripts.

# branch load store fp simd int, or empty for what fills gaps. fp: scalar floating point; simd: whole vector
# registers, except to load and store them. An instruction that computes with memory is a load, one that
# changes memory a store.
function kind_of(mnemonic, operands)
{
	return aarch64 ? kind_aarch64(mnemonic, operands) : kind_x86(mnemonic, operands)
}

# AT&T syntax: the last operand is written.
function kind_x86(mnemonic, operands)
{
	if (mnemonic ~ /^(nop[wl]?|data16|cs|xchg)$/ && operands !~ /\(/ || mnemonic ~ /^(nop|data16|cs)/)
		return ""
	if (mnemonic ~ /^(j|call|ret|loop|notrack|bnd)/)
		return "branch"
	if (mnemonic ~ /^push/)
		return "store"
	if (mnemonic ~ /^pop[lqw]?$/)
		return "load"
	if (operands ~ /\(/ && mnemonic !~ /^lea/)
		return operands ~ /\)$/ && mnemonic !~ /^(cmp|test|bt|i?mul|i?div|v?u?comis)/ ? "store" : "load"
	if (operands ~ /%[xyz]mm/)
		return mnemonic ~ /s[sd]$/ ? "fp" : "simd"
	return "int"
}

function kind_aarch64(mnemonic, operands)
{
	if (mnemonic ~ /^nop/)
		return ""
	if (mnemonic ~ /^(b|bl|br|blr|ret|b\..*|cbn?z|tbn?z)$/)
		return "branch"
	if (mnemonic ~ /^(ld|prf)/)
		return "load"
	if (mnemonic ~ /^st/)
		return "store"
	if (operands ~ /(^|[{ ,])([vz][0-9]+\.|q[0-9]+)/)
		return "simd"
	if (operands ~ /(^|[ ,])[sd][0-9]+/)
		return "fp"
	return "int"
}
