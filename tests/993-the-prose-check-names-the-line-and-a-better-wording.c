/* 993: scripts/prose-style, part of make lint, names file, line and a replacement for a phrase to avoid, a heading that
 * begins with "What" and a sentence of more than 60 words; plain text passes. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/program.h"

static struct program check(const char *name, const char *text)
{
	program_file(name, text);
	program_file("rules", "# a comment\nall\tlaw broken\tinvariant violated\ncode\t\\<heard\\>\twas notified of\n");
	return program_run("scripts/prose-style %s/rules %s/%s", program_tmp(), program_tmp(), name);
}

static void refuses(const char *name, const char *text, const char *says)
{
	struct program p = check(name, text);

	cr_expect_eq(p.status, 1, "%s", text);
	cr_expect(strstr(p.out, says), "%s: %s%s", text, p.out, p.err);
	program_free(&p);
}

static void passes(const char *name, const char *text)
{
	struct program p = check(name, text);

	cr_expect_eq(p.status, 0, "%s: %s%s", text, p.out, p.err);
	program_free(&p);
}

/* A sentence of n words, and its end. */
static const char *sentence(char text[2048], unsigned n, const char *end)
{
	strcpy(text, "One");
	for (unsigned i = 1; i < n; i++)
		strcat(text, i % 10 ? " word" : "\nword");
	return strcat(text, end);
}

Test(prose_style, names_phrases_with_their_replacement)
{
	refuses("a.md", "Plain.\n\nA Law broken here.\n", "a.md:3: \"law broken\": write \"invariant violated\"");
	refuses("a.h", "/* law broken */\n", "a.h:1: \"law broken\"");
	refuses("a.c", "/* it heard */\n", "a.c:1: \"heard\": write \"was notified of\"");
	passes("a.md", "It was heard.\n"); /* a rule of code alone */
	passes("a.c", "int overheard;\n"); /* not the word */
	passes("a.md", "    law broken\n\n```\nlaw broken\n```\n");
}

Test(prose_style, refuses_headings_that_begin_with_what)
{
	refuses("a.md", "# Title\n\n## What is compared\n", "a.md:3: a heading begins with \"What\"");
	passes("a.md", "## Whatever\n\nWhat is compared is listed.\n");
}

Test(prose_style, counts_the_words_of_a_sentence)
{
	char text[2048];

	refuses("a.md", sentence(text, 61, ".\n"), "a.md:1: a sentence of more than 60 words begins with \"One word");
	passes("a.md", sentence(text, 60, ".\n"));
	passes("a.md", sentence(text, 40, ". Another\nsentence of seven words follows it here.\n"));
}
