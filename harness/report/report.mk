# The page of `locus report`. Its bundle is committed, so that a build needs neither node nor npm; npm makes it anew
# from harness/report/web/src, with what the lock file names.
REPORT_WEB := harness/report/web

.PHONY: report-bundle test-report
report-bundle: ## the page of locus report from its sources, by npm, into harness/report/web/dist
	@command -v npm >/dev/null || { echo 'report-bundle needs npm: apt-get install nodejs npm' >&2; exit 2; }
	@npm --prefix $(REPORT_WEB) ci --no-audit --no-fund --ignore-scripts --silent && node $(REPORT_WEB)/build.mjs
test-report: $(O)/locus ## locus report's page in headless Chromium, which is installed if it is missing
	@scripts/test-report $(O)/locus
