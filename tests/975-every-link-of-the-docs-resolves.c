/* 975: each relative link of README.md, CONTRIBUTING.md and the pages of docs/ names a file that exists, each anchor a
 * heading of it, and each page of docs/ is reached by links from README.md. Anchors are GitHub's: a heading in lower
 * case, without punctuation, hyphens for spaces, "-1" and so on after a heading that was there before. */
#include <criterion/criterion.h>
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/program.h"

enum { MAX_PAGES = 400, MAX_ANCHORS = 200 };

struct page {
	char *path, *text;
	char *anchors[MAX_ANCHORS];
	unsigned n_anchors;
	bool reached;
};

struct pages {
	struct page page[MAX_PAGES];
	unsigned n, n_links, n_wrong;
	char wrong[4096];
};

/* Blanks blocks of code, between fences or indented by four after an empty line, and code between backquotes in a line,
 * except in headings, whose anchors keep the letters. */
static void blank_code(char *text)
{
	bool fence = false, empty = true, indented = false;

	for (char *line = text, *end; *line; line = *end ? end + 1 : end) {
		bool mark = !strncmp(line, "```", 3);

		end = line + strcspn(line, "\n");
		if (mark)
			fence = !fence;
		indented = !strncmp(line, "    ", 4) && (empty || indented);
		empty = line == end;
		if (mark || fence || indented) {
			memset(line, ' ', (size_t)(end - line));
			continue;
		}
		for (char *at = line, *close; *line != '#' && (at = memchr(at, '`', (size_t)(end - at))); at = close + 1) {
			close = memchr(at + 1, '`', (size_t)(end - at - 1));
			if (!close)
				break;
			memset(at, 'x', (size_t)(close - at) + 1);
		}
	}
}

static void add_anchors(struct page *p)
{
	for (char *line = p->text; line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
		char slug[300] = "", whole[320];
		unsigned n = 0, twins = 0;
		char *at = line;

		if (*line != '#')
			continue;
		at += strspn(at, "# ");
		for (; *at && *at != '\n' && n < sizeof slug - 1; at++)
			if (isalnum((unsigned char)*at) || *at == '-' || *at == '_')
				slug[n++] = (char)tolower((unsigned char)*at);
			else if (*at == ' ')
				slug[n++] = '-';
		slug[n] = '\0';
		snprintf(whole, sizeof whole, "%s", slug);
		for (unsigned i = 0; i < p->n_anchors; i++)
			if (!strcmp(p->anchors[i], whole)) {
				snprintf(whole, sizeof whole, "%s-%u", slug, ++twins);
				i = 0;
			}
		cr_assert_lt(p->n_anchors, MAX_ANCHORS);
		p->anchors[p->n_anchors++] = strdup(whole);
	}
}

/* The page of a path, NULL if it is none of them. */
static struct page *page_of(struct pages *all, const char *path)
{
	for (unsigned i = 0; i < all->n; i++)
		if (!strcmp(all->page[i].path, path))
			return &all->page[i];
	return NULL;
}

static void load(struct pages *all, const char *root)
{
	struct program p = program_run("cd '%s' && find README.md CONTRIBUTING.md docs -name '*.md' | sort", root);
	char *save = NULL, path[PATH_MAX];

	cr_assert_eq(p.status, 0, "%s", p.err);
	for (char *name = strtok_r(p.out, "\n", &save); name; name = strtok_r(NULL, "\n", &save)) {
		cr_assert_lt(all->n, MAX_PAGES);
		snprintf(path, sizeof path, "%s/%s", root, name);
		all->page[all->n] = (struct page){.path = strdup(name), .text = program_text(path)};
		blank_code(all->page[all->n].text);
		add_anchors(&all->page[all->n++]);
	}
	program_free(&p);
}

/* FOLDER OF from + target, without "." and "..". */
static void resolve(const char *from, const char *target, char *to, size_t size)
{
	char *joined, *save = NULL;
	const char *slash = strrchr(from, '/');

	cr_assert(asprintf(&joined, "%.*s/%s", slash ? (int)(slash - from) : 0, from, target) > 0);
	*to = '\0';
	for (char *part = strtok_r(joined, "/", &save); part; part = strtok_r(NULL, "/", &save)) {
		char *last = strrchr(to, '/');

		if (!strcmp(part, "."))
			continue;
		if (!strcmp(part, ".."))
			*(last ? last : to) = '\0';
		else
			snprintf(to + strlen(to), size - strlen(to), "%s%s", *to ? "/" : "", part);
	}
	free(joined);
}

static void complain(struct pages *all, const char *page, const char *link, const char *why)
{
	size_t used = strlen(all->wrong);

	all->n_wrong++;
	snprintf(all->wrong + used, sizeof all->wrong - used, "%s: (%s) %s\n", page, link, why);
}

/* Follows one link; what it reaches for the first time goes to the end of the queue. */
static void follow(struct pages *all, const struct page *from, const char *root, const char *link, struct page **queue,
		   unsigned *n_queue)
{
	char target[PATH_MAX], path[PATH_MAX], file[2 * PATH_MAX];
	const char *anchor = strchr(link, '#');
	struct page *to;

	snprintf(target, sizeof target, "%.*s", (int)strcspn(link, "#"), link);
	if (*target)
		resolve(from->path, target, path, sizeof path);
	else
		snprintf(path, sizeof path, "%s", from->path);
	to = page_of(all, path);
	snprintf(file, sizeof file, "%s/%s", root, path);
	if (!to && access(file, R_OK) != 0)
		complain(all, from->path, link, "names no file");
	if (to && anchor) {
		unsigned i = 0;

		while (i < to->n_anchors && strcmp(to->anchors[i], anchor + 1) != 0)
			i++;
		if (i == to->n_anchors)
			complain(all, from->path, link, "names no heading");
	}
	if (to && !to->reached) {
		to->reached = true;
		queue[(*n_queue)++] = to;
	}
}

static void follow_all(struct pages *all, struct page *from, const char *root, struct page **queue, unsigned *n_queue)
{
	char link[PATH_MAX];

	for (const char *at = from->text; (at = strstr(at, "]("));) {
		size_t n = strcspn(at += 2, ") \n");

		snprintf(link, sizeof link, "%.*s", (int)n, at);
		if (strstr(link, "://"))
			continue;
		all->n_links++;
		follow(all, from, root, link, queue, n_queue);
	}
}

/* Checks the pages below a folder that has README.md, CONTRIBUTING.md and docs/. free() the result. */
static struct pages *check(const char *root)
{
	struct pages *all = calloc(1, sizeof *all);
	struct page *queue[MAX_PAGES], *page;
	unsigned n_queue = 0;

	load(all, root);
	queue[n_queue++] = page_of(all, "README.md");
	cr_assert_not_null(queue[0]);
	queue[0]->reached = true;
	for (unsigned i = 0; i < n_queue; i++)
		follow_all(all, queue[i], root, queue, &n_queue);
	for (unsigned i = 0; i < all->n; i++) {
		page = &all->page[i];
		if (!page->reached) {
			complain(all, page->path, "", "cannot be reached from README.md");
			page->reached = true;
			follow_all(all, page, root, queue, &n_queue);
		}
	}
	return all;
}

static void drop(struct pages *all)
{
	for (unsigned i = 0; i < all->n; i++) {
		for (unsigned k = 0; k < all->page[i].n_anchors; k++)
			free(all->page[i].anchors[k]);
		free(all->page[i].path);
		free(all->page[i].text);
	}
	free(all);
}

Test(links, of_all_pages_resolve_and_reach_every_page)
{
	struct pages *all = check(".");

	cr_expect_eq(all->n_wrong, 0, "%s", all->wrong);
	cr_expect_gt(all->n_links, 300, "only %u links were found", all->n_links);
	drop(all);
}

Test(links, that_are_wrong_are_named)
{
	struct pages *all;

	cr_assert_eq(program_run("mkdir -p %s/docs/sub", program_tmp()).status, 0);
	program_file("README.md", "# T\n[a](docs/a.md) [b](docs/a.md#two-words--an_x) [c](docs/none.md) [d](#t) [e](http://x/y)\n"
				  "[x](CONTRIBUTING.md) `[no](link.md)`\n\n    [no](code.md)\n");
	program_file("CONTRIBUTING.md", "[f](docs)\n```\n[no](fence.md)\n```\n");
	program_file(
		"docs/a.md",
		"# Two words & `an_x`\n## Twice\n## Twice\n[g](../README.md#t) [h](#twice-1) [i](#twice-2) [j](sub/../a.md)\n");
	program_file("docs/sub/alone.md", "[k](../a.md#three)\n");
	all = check(program_tmp());
	cr_expect_str_eq(all->wrong, "README.md: (docs/none.md) names no file\n"
				     "docs/a.md: (#twice-2) names no heading\n"
				     "docs/sub/alone.md: () cannot be reached from README.md\n"
				     "docs/sub/alone.md: (../a.md#three) names no heading\n");
	drop(all);
}

/* The first line of a page that a make target writes is the line that scripts/keep-result would write today. */
Test(links, from_results_to_the_page_that_explains_them_are_those_of_the_script)
{
	struct program p =
		program_run("for f in docs/results/*.md; do l=$(head -1 $f); case $l in 'Generated by `make'*'`; ['*) "
			    "c=${l#*\\`}; n=$(basename $f .md); "
			    "[ \"$(scripts/keep-result --head $n \"${c%%%%\\`*}\")\" = \"$l\" ] && echo same || echo \"$f: $l\";; "
			    "esac; done | sort | uniq -c");
	unsigned n = 0;
	char rest[2];

	cr_expect_eq(sscanf(p.out, "%u same%1[^\n]", &n, rest), 1, "%s", p.out);
	cr_expect(!strstr(p.out, "Generated"), "%s", p.out);
	cr_expect_geq(n, 15, "%s", p.out);
	program_free(&p);
}
