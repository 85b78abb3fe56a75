# What makes a program that people install: manual pages.
$(O)/man/locus.1: $(O)/locus scripts/man docs/man.roff
	@DATE=$$(git log -1 --format=%cs 2>/dev/null || date +%F) scripts/man $(O)/locus $(O)/man

.PHONY: man
man: $(O)/man/locus.1 ## the manual pages, from --help, into build/man
test: man
