# SPDX-License-Identifier: GPL-3.0-or-later
# make install and what belongs to it; the Makefile includes this.

# Where PREFIX alone does not say it: LIBDIR and INCLUDEDIR for the runtimes, MANDIR, DOCDIR.
INSTALL = PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' LIBDIR='$(LIBDIR)' INCLUDEDIR='$(INCLUDEDIR)' MANDIR='$(MANDIR)' \
	DOCDIR='$(DOCDIR)' scripts/packaging/install

.PHONY: deb dist install man uninstall

# Programs print their parts.
$(BUILD)/man/affinity.1: $(PROGRAMS) $(wildcard manual/*.md scripts/packaging/* scripts/ejec.sh scripts/affinity-cc $(addprefix scripts/,health mix profile npb programs compare-equals))
	$(call say,MAN,$(@D))
	$(Q)scripts/packaging/man $(BUILD) $(@D)

man: $(BUILD)/man/affinity.1

install: all man
	$(Q)$(INSTALL) $(BUILD)

uninstall:
	$(Q)$(INSTALL) --remove

dist:
	$(Q)scripts/packaging/dist $(BUILD)

deb:
	$(Q)scripts/packaging/deb $(BUILD)
