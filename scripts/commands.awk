# The external commands of shell scripts, makefiles and C sources: prints "FILE:LINE COMMAND" for each word at which a
# shell would look for a command, or that C code runs, and "maybe" after a word that may also be a command's argument.
# Makefiles are Makefile and *.mk, C is *.c and *.h, of *.awk the commands that it pipes to; the rest is shell.
# scripts/commands names the limits.

# ---- shell ----

function reset_words() { word = ""; quoted = 0 }

# A list of words goes on inside $(...), (...) and `...`: what was before is kept on a stack.
function push(kind) {
	depth++
	ctx[depth] = kind
	saved[depth] = word SUBSEP at_command SUBSEP redirected SUBSEP pattern SUBSEP cases SUBSEP wrapper SUBSEP follows SUBSEP quoted
	if (kind == "\"" || kind == "{" || kind == "#") return
	reset_words()
	at_command = kind != "a"
	redirected = pattern = cases = 0
	wrapper = follows = ""
}
function pop(  s, kind) {
	kind = ctx[depth]
	split(saved[depth--], s, SUBSEP)
	if (kind == "\"" || kind == "{" || kind == "#") return
	word = s[1]; at_command = s[2] + 0; redirected = s[3] + 0; pattern = s[4] + 0; cases = s[5] + 0; wrapper = s[6]; follows = s[7]; quoted = s[8] + 0
	if (kind == "$" || kind == "`") word = word HOLE
}

function emit(w) {
	if (w ~ /^\/(usr\/)?s?bin\//) sub(/.*\//, "", w)
	if (w !~ /^[A-Za-z0-9_.+-]+$/ || w !~ /[a-z]/ || w ~ /^[-.0-9+]/) return # a path below the checkout, a parameter, an option
	calls[++n_calls] = file ":" line SUBSEP w
}

function end_word(  w, was_quoted) {
	w = word
	was_quoted = quoted
	if (w == "" && !was_quoted) return
	reset_words()
	if (redirected) { redirected = 0; return }
	if (pattern) { if (w == "esac" && !was_quoted) { pattern = 0; cases--; at_command = 0 } return }
	if (follows == "case" || follows == "for") {
		if (w == "in") { if (follows == "case") { pattern = 1; cases++ } else at_command = 0; follows = "" }
		else if (w == "do") { follows = ""; at_command = 1 }
		return
	}
	if (follows == "text") { queue(w); follows = ""; return } # of sh -c, trap, eval
	if (follows == "exec") { emit(w); follows = ""; return } # of find -exec
	if (!at_command) {
		if (w == "-c" && is_shell) follows = "text"
		else if (w == "-exec" || w == "-execdir") follows = "exec"
		return
	}
	if (!was_quoted && w ~ /^(if|then|else|elif|fi|do|done|while|until|!|\{|\}|time)$/) return
	if (!was_quoted && (w == "for" || w == "case" || w == "select")) { follows = w == "case" ? "case" : "for"; return }
	if (!was_quoted && w == "esac") { cases--; return }
	if (!was_quoted && w == "function") { wrapper = ""; at_command = 0; return }
	if (w ~ /^[A-Za-z_][A-Za-z0-9_]*(\[[^]]*\])?[+]?=/) return
	if (wrapper != "") {
		if (wrapper == "command" && w ~ /^-[vV]/) { at_command = 0; wrapper = ""; return } # asks whether there is one
		if (w ~ "^" HOLE) { at_command = 0; wrapper = ""; return }
		if (w ~ /^-/ || w !~ /[a-z]/ || w ~ /^[0-9.]+[smhd]?$/) return # an option or its argument
	}
	emit(w)
	is_shell = w ~ /^(\/bin\/)?(ba|da)?sh$/
	if (w == "trap" || w == "eval") follows = "text"
	if (w ~ /^(env|exec|command|nice|nohup|xargs|sudo|timeout|builtin|setsid|flock|taskset|stdbuf|chroot)$/) { wrapper = w; return }
	wrapper = ""
	at_command = 0
}

function new_command() { end_word(); at_command = 1; redirected = 0; wrapper = ""; if (follows != "case") follows = ""; is_shell = 0 }

function queue(text) { todo[++n_todo] = text; todo_line[n_todo] = line }

function shell(text, first,  i, c, n, d, kind, delimiter, strip, body, bare) {
	line = first
	depth = 0
	reset_words()
	at_command = 1
	redirected = pattern = cases = is_shell = 0
	wrapper = follows = ""
	n_heredocs = 0
	n = length(text)
	for (i = 1; i <= n; i++) {
		c = substr(text, i, 1)
		d = substr(text, i + 1, 1)
		kind = depth ? ctx[depth] : ""
		if (c == "\\") {
			i++
			if (d == "\n") { line++; continue }
			word = word d
			continue
		}
		if (c == "$" && d == "(" && substr(text, i + 2, 1) == "(") { push("#"); i += 2; parens[depth] = 2; continue }
		if (c == "$" && d == "(") { push("$"); i++; continue }
		if (c == "$" && d == "{") { push("{"); i++; word = word HOLE; continue }
		if (c == "$") {
			word = word HOLE
			if (d ~ /[@*#?!$-]/) i++
			else while (substr(text, i + 1, 1) ~ /[A-Za-z0-9_]/) i++
			continue
		}
		if (c == "`") { if (kind == "`") { end_word(); pop() } else push("`"); continue }
		if (c == "\n" && (kind == "#" || kind == "\"" || kind == "{")) line++
		if (kind == "#") { # arithmetic
			if (c == "(") parens[depth]++
			if (c == ")" && --parens[depth] == 0) { pop(); word = word HOLE }
			continue
		}
		if (c == "\"") { if (kind == "\"") pop(); else { push("\""); quoted = 1 } continue }
		if (kind == "\"") { word = word c; continue }
		if (c == "'") {
			quoted = 1
			while (++i <= n && (c = substr(text, i, 1)) != "'") { word = word c; if (c == "\n") line++ }
			continue
		}
		if (kind == "{") { if (c == "}") pop(); continue }
		if (c == "#" && word == "" && !quoted) { while (i < n && substr(text, i + 1, 1) != "\n") i++; continue }
		if (c == " " || c == "\t") {
			if (word == "[[" && at_command) { # up to ]]
				while (i < n && substr(text, i, 3) != " ]]") i++
				i += 2
				reset_words()
				at_command = 0
				continue
			}
			end_word()
			continue
		}
		if (c == "\n") {
			new_command()
			line++
			for (d = 1; d <= n_heredocs; d++) { # their lines are no commands
				for (;;) {
					bare = substr(text, i + 1)
					if (bare == "") break
					body = index(bare, "\n") ? substr(bare, 1, index(bare, "\n") - 1) : bare
					i += length(body) + 1
					line++
					sub(/^\t+/, "", body)
					if (body == heredoc[d]) break
				}
			}
			n_heredocs = 0
			continue
		}
		if (c == "<" && d == "<" && substr(text, i + 2, 1) == "<") { end_word(); redirected = 1; i += 2; continue }
		if (c == "<" && d == "<") {
			end_word()
			match(substr(text, i + 2), /^-?[ ]*['"\\]?[A-Za-z_]+['"]?/)
			delimiter = substr(text, i + 2, RLENGTH)
			i += 1 + RLENGTH
			gsub(/[^A-Za-z_]/, "", delimiter)
			heredoc[++n_heredocs] = delimiter
			continue
		}
		if ((c == "<" || c == ">") && d == "(") { end_word(); push("$"); i++; continue }
		if (c == "<" || c == ">") {
			if (word ~ /^[0-9]+$/) reset_words()
			end_word()
			if (d == ">" || d == "&") i++
			redirected = 1
			continue
		}
		if (c == "&" && d == ">") { end_word(); redirected = 1; i++; continue }
		if (c == ";" && d == ";") { new_command(); i++; pattern = cases > 0; continue }
		if (pattern && c == "|") { end_word(); continue }
		if (pattern && c == "(") continue
		if (pattern && c == ")") { end_word(); pattern = 0; new_command(); continue }
		if (c == ";" || c == "&" || c == "|") { new_command(); continue }
		if (c == "(" && word ~ /[+]?=$/) { push("a"); continue }
		if (c == "(" && d == "(" && word == "") { push("#"); parens[depth] = 2; i++; continue }
		if (c == "(" && d == ")" && word != "") { functions[word] = 1; reset_words(); i++; at_command = 1; continue }
		if (c == "(") { end_word(); push("("); continue }
		if (c == ")") { end_word(); if (depth) pop(); at_command = 0; continue }
		word = word c
	}
	end_word()
}

# Commands in quotation marks, which awk programs pipe to.
function awk_pipes(text, first,  at) {
	while (match(text, /[|] *"[a-z][a-z0-9]* [^"]*"[^)]|[|] *"[a-z]+"[^)]/)) {
		at = substr(text, RSTART, RLENGTH)
		sub(/^[|] *"/, "", at)
		sub(/".$/, "", at)
		line = first
		queue(at)
		text = substr(text, RSTART + RLENGTH)
	}
}

# ---- make ----

# What make replaces: $(CC) and others that have a default by it, all else by a hole. $(shell ...) is queued.
function expand(text,  out, c, d, name, level, i) {
	out = ""
	for (i = 1; i <= length(text); i++) {
		c = substr(text, i, 1)
		d = substr(text, i + 1, 1)
		if (c != "$") { out = out c; continue }
		i++
		if (d == "$") { out = out "$"; continue }
		if (d != "(" && d != "{") { out = out HOLE; continue }
		name = ""
		level = 1
		while (++i <= length(text)) {
			c = substr(text, i, 1)
			if (c == "(" || c == "{") level++
			if ((c == ")" || c == "}") && --level == 0) break
			name = name c
		}
		if (name ~ /shell /) { sub(/^.*shell +/, "", name); queue(expand(name)) }
		out = out (name == "Q" || name == "1" ? "" : name in defaults ? defaults[name] : HOLE)
	}
	return out
}

function makefile(text, n_lines, lines,  i, l, first, in_define) {
	n_lines = split(text, lines, "\n")
	for (i = 1; i <= n_lines; i++) {
		first = i
		l = lines[i]
		while (l ~ /\\$/ && i < n_lines) l = l "\n" lines[++i]
		line = first
		if (l ~ /^define /) in_define = 1
		if (l ~ /^endef/) in_define = 0
		if (in_define) gsub(/\$\$/, "$", l)
		if (l ~ /^#/) continue
		if (l !~ /^\t/) sub(/ ## .*/, "", l)
		l = expand(l)
		if (l ~ /^[^\t=]*:[^=;]*;/) sub(/^[^;]*;/, "\t", l)
		if (l !~ /^\t/) continue
		sub(/^\t[ @+-]*/, "", l)
		queue(l)
		todo_line[n_todo] = first
	}
}

# ---- C ----

# The string at the start of `text`, of literals, macros of literals and PRIu64 and the like; what else is in the
# argument is a hole. Ends at a comma or at the call's closing parenthesis.
function argument(text,  out, c, level, i, name) {
	out = ""
	for (i = 1; i <= length(text); i++) {
		c = substr(text, i, 1)
		if (c == "\"") {
			while (++i <= length(text) && (c = substr(text, i, 1)) != "\"") {
				if (c == "\\") {
					c = substr(text, ++i, 1)
					if (c == "n") c = "\n"
					else if (c == "t") c = "\t"
				}
				out = out c
			}
			continue
		}
		if (c ~ /[A-Za-z_]/) {
			match(substr(text, i), /^[A-Za-z_0-9]+/)
			name = substr(text, i, RLENGTH)
			i += RLENGTH - 1
			out = out (name in macros ? macros[name] : HOLE)
			continue
		}
		if (c == "(") level++
		if (c == ")" && --level < 0) break
		if (c == "," && !level) break
		if (c == ";" && !level) break
	}
	gsub(/%[-+ 0#]*[0-9]*[.*]*[0-9]*(hh|h|ll|l|z)?[sdiuxXcfgep]/, HOLE, out)
	gsub(/%%/, "%", out)
	return out
}

function lines_before(text) { return gsub(/\n/, "", text) }

function c_source(text, is_test,  rest, at, a, pattern_of, before) {
	split("", macros)
	gsub(/\\\n/, " ", text)
	rest = "\n" text
	while (match(rest, /\n#define [A-Z_0-9]+[ \t]+"[^\n]*/)) {
		a = substr(rest, RSTART + 9, RLENGTH - 9)
		rest = substr(rest, RSTART + RLENGTH)
		at = a
		sub(/[ \t].*/, "", at)
		sub(/^[A-Z_0-9]+[ \t]+/, "", a)
		macros[at] = argument(a)
	}
	rest = text
	before = 1
	while (match(rest, /(program_run|program_stats|[^$a-z_"]system|popen)\(|"#!\/bin\/(ba)?sh/)) {
		before += lines_before(substr(rest, 1, RSTART))
		at = substr(rest, RSTART, 1)
		a = at == "\"" ? substr(rest, RSTART) : substr(rest, RSTART + RLENGTH)
		rest = substr(rest, RSTART + 1)
		if (at == "\n") before--
		line = before
		a = argument(a)
		queue(a)
	}
	# Programs that the program starts: of execlp(), the first word of an array argv, each word added to an array.
	rest = text
	before = 1
	while (match(rest, /(execlp?|execvp|posix_spawnp?)\("|argv\[[^]]*\] = \{|(nvcc_word|[^a-z_]arg)\([^;"]*"|argv\[n\+\+\] = "/)) {
		before += lines_before(substr(rest, 1, RSTART + RLENGTH - 1))
		at = substr(rest, RSTART, RLENGTH)
		a = substr(rest, RSTART + RLENGTH - 1)
		rest = substr(rest, RSTART + RLENGTH)
		if (at ~ /\{/) {
			a = argument(rest)
			gsub(HOLE, "", a)
		} else {
			sub(/^"/, "", a)
			sub(/".*/, "", a)
		}
		line = before
		# Only the first word of a list is a command; which one is first is not known of words added one by one.
		if (at ~ /^(exec|posix)|\{/) emit(a)
		else if (a ~ /^[a-z]/) maybe[++n_maybe] = file ":" line SUBSEP a
	}
}

# ---- all files ----

function flush_file(  k) {
	if (file == "") return
	n_todo = 0
	if (file ~ /(\.mk|Makefile)$/) makefile(text)
	else if (file ~ /\.[ch]$/) c_source(text)
	else {
		if (file !~ /\.awk$/) { queue(text); todo_line[1] = 1 }
		awk_pipes(text, 1)
	}
	for (k = 1; k <= n_todo; k++) shell(todo[k], todo_line[k])
}
BEGIN {
	HOLE = "\001"
	functions["locus"] = 1 # of program_run()
	defaults["CC"] = "gcc"; defaults["CXX"] = "g++"; defaults["AR"] = "ar"; defaults["MAKE"] = "make"
}
FNR == 1 { flush_file(); file = FILENAME; text = "" }
{ text = text $0 "\n" }
END {
	flush_file()
	for (k = 1; k <= n_calls; k++) {
		split(calls[k], p, SUBSEP)
		if (!(p[2] in functions)) print p[1], p[2]
	}
	for (k = 1; k <= n_maybe; k++) {
		split(maybe[k], p, SUBSEP)
		print p[1], p[2], "maybe"
	}
}
