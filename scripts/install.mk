# What makes a program that people install: manual pages, `make install`, the Debian package. docs/how-to/install.md.
PREFIX  ?= /usr/local
DESTDIR ?=

$(O)/man/locus.1: $(O)/locus scripts/man docs/man.roff
	@DATE=$$(git log -1 --format=%cs 2>/dev/null || date +%F) scripts/man $(O)/locus $(O)/man

.PHONY: man install uninstall
man: $(O)/man/locus.1 ## the manual pages, from --help, into build/man
test: man
install: all man ## copy the program and what it reads to PREFIX (/usr/local), below DESTDIR
	@DESTDIR='$(DESTDIR)' scripts/install $(O) '$(PREFIX)'
uninstall: ## remove exactly what make install wrote there
	@DESTDIR='$(DESTDIR)' scripts/install --remove '$(PREFIX)'

# A package runs on other machines than the one that built it: DEB_ARCH is the oldest processor that it serves
# (docs/how-to/install.md).
DEB_ARCH ?= $(if $(filter x86_64,$(shell uname -m)),x86-64-v3,native)
.PHONY: deb package
deb: ## a Debian package, into build/deb
	@$(MAKE) --no-print-directory O=build/deb ARCH=$(DEB_ARCH) LDSAN=-Wl,-z,relro,-z,now \
		OPT='-O3 -march=$(DEB_ARCH) -ffp-contract=off -D_FORTIFY_SOURCE=2' package
package: $(O)/locus man
	@scripts/deb $(O) $(ARCH)
