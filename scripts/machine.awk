# SPDX-License-Identifier: GPL-3.0-or-later
# Reads instructions of `objdump -d --no-show-raw-insn` and knows what each does to memory; for awk -f with others.
# `aarch64` is true for 64-bit Arm, false for x86.
#
#   split_instruction()   divides the line: $1 is the address, split_mnemonic and split_operands the instruction. A prefix
#       that changes what it does is a part of its mnemonic: lock-xadd, rep-stos.
#   effect(mnemonic, operands, symbol)   returns a word of these; symbol: what a call calls, where the object says so
#       none      touches no memory          fetch   prefetches a line
#       load      reads it                   store   writes it            both   reads and writes it
#       stack     reads or writes the frame of the function
#       add cas   one atomic addition, one compare-and-swap
#       call      calls a function
#       strange   does more with memory than one plain access
#       unknown   is not in the tables below: nothing can be said of it
#   elements(mnemonic)   how many registers it moves: 2 for pairs of 64-bit Arm
#
# An instruction that is in no table is unknown, and never counted as if it did nothing.

BEGIN {
	# AT&T syntax. Without memory, whatever the operands look like.
	x86_none = "^(lea[wlq]?|nop[wlq]?|data16|cs|xchg-ax|pause|endbr64|cpuid|rdtscp?|[lms]fence|vzeroupper|vzeroall|" \
		"(repz-)?retq?|cltq|cltd|cqto|cwtl|cwtd|cbtw|j[a-z]+|loopn?e?|ud2|hlt)$"
	# An operand in memory that stands last is written, not read ...
	x86_store = "^(mov(abs|be)?[bwlq]?|movnti[lq]?|set[a-z]+|v?mov[uan]t?p[sd]|v?movdq[au](8|16|32|64)?|v?movntdq|movnt[iq]|" \
		"v?mov[dq]|v?movs[sd]|v?mov[hl]p[sd]|v?pextr[bwdq]|v?extractps|vextract[fi](128|32x4|64x2|32x8|64x4))$"
	# ... or read and written,
	x86_both = "^(add|sub|adc|sbb|and|or|xor|inc|dec|neg|not|sh[lr]d?|sa[lr]|ro[lr]|rc[lr]|bt[src])[bwlq]?$"
	# ... or only read; elsewhere an operand in memory is read.
	x86_load = "^((cmp|test|bt|i?mul|i?div)[bwlq]?|movz[bw][wlq]|movs[bw][wlq]|movslq|cmov[a-z]+|bswap|(tz|lz|pop)cnt[wlq]?|" \
		"bs[fr][wlq]?|andn[lq]?|bextr|bls(i|r|msk)|(ror|shl|shr|sar)x[lq]?|mulx[lq]?|pdep|pext|adcx|adox|" \
		"v?u?comis[sd]|v?(add|sub|mul|div|min|max|sqrt|cmp[a-z_]*|round|hadd|hsub|addsub)[ps][sd]|v?(and|andn|or|xor)p[sd]|" \
		"v?(unpck[lh]|shuf|blendv?|movmsk)p[sd]|v?cvt[a-z0-9]+|vfn?m(add|sub)(132|213|231)[ps][sd]|" \
		"v?mov(ddup|shdup|sldup|lhps|hlps)|v?lddqu|v?movntdqa|vrndscale[ps][sd]|" \
		"v?p(add|sub)u?s?[bwdq]|v?p(and|andn|or|xor)[dq]?|v?pmul(l|h|hu|u)?[wdq]+|v?pmuldq|v?pmuludq|v?pmadd[a-z]+|vpdpbusds?|v?psign[bwd]|" \
		"v?pcmp(eq|gt)[bwdq]|v?p(min|max)[su][bwdq]|v?pabs[bwdq]|v?ps(ll|rl|ra)v?[wdq]+|v?psrldq|v?pslldq|v?pro[lr]v?[dq]|" \
		"v?pshuf(b|d|lw|hw)|v?punpck[lh](bw|wd|dq|qdq)|v?pack[su]s(wb|dw)|v?palignr|v?pinsr[bwdq]|v?pmov[sz]x[bwdq]+|" \
		"v?pmovmskb|v?ptest|vpternlog[dq]|vplzcnt[dq]|vpbroadcast[bwdq]|vbroadcast[a-z0-9]+|" \
		"vperm(ilp[sd]|p[sd]|[bwdq]|2f128|2i128|[it]2[a-z]+)|vinsert[fi](128|32x4|64x2|32x8|64x4)|valign[dq]|vpblend[a-z]+|" \
		"k(mov|and|andn|or|xor|xnor|not|ortest|test|add|shift[lr]|unpck)[bwdq]*)$"
	x86_call = "^(call|leave|enter)[qw]?$"

	arm_none = "^(nop|ret|reta[ab]|hint|bti|yield|isb|dmb|dsb|b|b[.][a-z]+|cbn?z|tbn?z|br|adrp?|add|adds|adc|adcs|sub|subs|sbc|sbcs|negs?|" \
		"ngc|cmp|cmn|ccmp|ccmn|and|ands|orr|orn|eor|eon|bics?|tst|mov|movz|movn|movk|mvn|mul|madd|msub|mneg|[su]mull2?|" \
		"[su]mulh|[su]maddl|[su]msubl|[su]div|ls[lr]v?|asrv?|rorv?|extr|[su]?bfi?x?l?|bfi|bfxil|bfc|[su]bfiz|[su]bfx|" \
		"[su]xt[bhw]|rev(16|32|64)?|rbit|cl[sz]|csel|cset|csetm|cs(inc|inv|neg)|c(inc|inv|neg)|mrs|msr|" \
		"fn?m(add|sub|ad|sb)|fn?(add|sub|mul|div|neg|abs|sqrt|max|min)(nm)?|fadd[vp]|f(max|min)(nm)?[vp]?|fabd|fmov|fm[ls][as]|" \
		"fcmpe?|fccmpe?|fcsel|fcvt[a-z]*|[su]cvtf|frint[a-z]|frecp[esx]|frsqrt[es]|f(cm|ac)[a-z]+|" \
		"[su]dot|[su]addlp|[su]adalp|movi|mvni|dup|ins|[su]mov|ext|zip[12]|uzp[12]|trn[12]|tb[lx]|cm(eq|ge|gt|hi|hs|le|lt|tst)|bs[l]|bi[tf]|" \
		"[su]?shll?2?|sshr|ushr|[su]shl|shl|[su]sra|addv|addp|ml[as]|xtn2?|[su]xtl2?|not|cnt|" \
		"ptrues?|pfalse|cnt[bhwd]|inc[bhwd]|dec[bhwd]|rdvl|addvl|index|while[a-z]+|faddv|fadda|movprfx|sel|lastb|pacia?sp|autia?sp)$"
	arm_load = "^(ldr|ldrs?[bhw]|ldur|ldurs?[bhw]|ldn?p|ldpsw|ldar[bh]?|ldapu?r[bh]?|ldnt1[bhwd]|ld1r?[bhwd]?)$"
	arm_store = "^(str[bh]?|stur[bh]?|stn?p|stlr[bh]?|stlur[bh]?|stnt1[bhwd]|st1[bhwd]?)$"
}

/file format/ { aarch64 = /aarch64/ }

# 64-bit Arm writes # before a number, x86 before what an address stands for.
function split_instruction(	i)
{
	sub(aarch64 ? " *//.*" : " *(#|//).*", "")
	sub(/:$/, "", $1)
	for (i = 2; $i ~ /^(notrack|bnd|data16|cs|[{](vex|evex)[}])$/ && i < NF;)
		i++
	split_mnemonic = $i
	if ($i ~ /^(lock|rep[a-z]*)$/ && i < NF)
		split_mnemonic = split_mnemonic "-" $(++i)
	split_operands = $(i + 1)
	for (i += 2; i <= NF; i++)
		split_operands = split_operands " " $i
}

function effect(mnemonic, operands, symbol)
{
	return aarch64 ? effect_aarch64(mnemonic, operands, symbol) : effect_x86(mnemonic, operands)
}

# A register that points into the frame: the stack pointer, and the frame pointer where the function sets one up.
function in_frame(operands)
{
	if (aarch64)
		return operands ~ (framed ? "\\[(sp|x29)[],]" : "\\[sp[],]")
	return operands ~ (framed ? "\\(%[re][sb]p[,)]" : "\\(%[re]sp[,)]")
}

function effect_x86(mnemonic, operands,	memory, last)
{
	# operands of memory; a mask may follow
	memory = operands ~ /\(/ || operands ~ /%[c-g]s:/
	last = operands ~ /\)(\{%k[0-7]\})?(\{z\})?$/ || operands ~ /%[c-g]s:[-0-9a-fx]+$/
	if (mnemonic ~ /^prefetch/)
		return "fetch"
	if (mnemonic ~ /^(push|pop)[wlq]?f?q?$/)
		return "stack"
	if (mnemonic ~ x86_call)
		return "call"
	if (mnemonic ~ /^lock-(xadd|inc|dec)[wlq]?$/)
		return "add"
	if (mnemonic ~ /^lock-cmpxchg[wlq]?$/)
		return "cas"
	if (mnemonic ~ /^(lock|rep[a-z]*)-/ && mnemonic !~ x86_none || memory && mnemonic ~ /^(xchg|xadd|cmpxchg|stos|lods|scas|movs[bwlq]$|cmps)/)
		return "strange"
	if (mnemonic ~ x86_none || mnemonic ~ /^xchg/)
		return memory && mnemonic ~ /^j/ ? "load" : "none"
	if (mnemonic !~ x86_store && mnemonic !~ x86_both && mnemonic !~ x86_load)
		return "unknown"
	if (!memory)
		return "none"
	if (in_frame(operands))
		return "stack"
	if (!last || mnemonic ~ x86_load)
		return "load"
	return mnemonic ~ x86_store ? "store" : "both"
}

# gcc may call the function of its own library that is the atomic instruction where the processor has one.
function effect_aarch64(mnemonic, operands, symbol)
{
	if (mnemonic ~ /^bl$/ && symbol ~ /^__aarch64_ldadd[1248]_/ || mnemonic ~ /^ldadda?l?[bh]?$|^stadda?l?[bh]?$/)
		return "add"
	if (mnemonic ~ /^bl$/ && symbol ~ /^__aarch64_cas[1248]_/ || mnemonic ~ /^casa?l?[bh]?$/)
		return "cas"
	if (mnemonic ~ /^blra?[ab]?z?$|^bl$/)
		return "call"
	if (mnemonic ~ /^prf/)
		return "fetch"
	if (mnemonic ~ /^(swp|ld(add|clr|eor|set|smax|smin|umax|umin)|ldal?xp?r?|ldxp?r?|stl?xp?r?|casp|dc$)/ && mnemonic !~ arm_load)
		return "strange"
	if (mnemonic ~ arm_none)
		return "none"
	if (mnemonic !~ arm_load && mnemonic !~ arm_store)
		return "unknown"
	if (in_frame(operands))
		return "stack"
	return mnemonic ~ arm_load ? "load" : "store"
}

function elements(mnemonic)
{
	return aarch64 && mnemonic ~ /^(ldn?p|ldpsw|stn?p)$/ ? 2 : 1
}
