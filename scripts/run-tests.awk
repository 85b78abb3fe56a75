# Input: the list of test numbers that scripts/run-tests writes, then logs of Criterion programs run with --verbose.
# show=progress: one line with the state of all programs. show=slowest: "SECONDS NUMBER SUITE::TEST" for each test.
# show=skipped: a line for each test that ended without a verdict, with its reason.
# A line of a log may begin with text that the test printed.
function label(name, suite) {
	suite = name
	sub(/::.*/, "", suite)
	return name in number ? number[name] : suite in number ? number[suite] : name
}

FNR == 1 { file++ }
file == 1 { if (!($2 in number)) number[$2] = $1; next }
match($0, /\[(RUN |PASS|FAIL|SKIP)\] [A-Za-z0-9_]+::[A-Za-z0-9_]+/) {
	kind = substr($0, RSTART + 1, 4)
	name = substr($0, RSTART + 7, RLENGTH - 7)
	rest = substr($0, RSTART + RLENGTH)
	if (kind == "RUN ") {
		if (!(name in started)) order[++n] = name
		started[name]++
		next
	}
	if (kind == "SKIP" && !(name in started)) { total--; next } # switched off, not run
	if (kind == "SKIP" && show == "skipped") print "  " label(name) " " name rest
	done++
	ended[name]++
	if (kind == "PASS") passed++
	if (kind == "FAIL") { failed++; if (!seen[label(name)]++) which = which " " label(name) }
	if (show == "slowest" && match(rest, /\([0-9.]+s\)/)) print substr(rest, RSTART + 1, RLENGTH - 3), label(name), name
}
END {
	if (show != "progress") exit
	for (i = 1; i <= n; i++) {
		name = order[i]
		total += started[name] - 1 # a test with parameters is listed once and runs several times
		if (started[name] > ended[name]) running = running " " label(name)
	}
	printf "%5d s: %d of %d tests done, %d passed, %d failed%s; running:%s\n", seconds, done, total, passed, failed,
		which ? " (" substr(which, 2) ")" : "", running ? running : " none"
}
