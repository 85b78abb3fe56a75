/* 121: suffixes are sorted, and the tree of them has the nodes and links of the textbook example. */
#include <criterion/criterion.h>
#include <string.h>

#include "workload/suffix_tree.h"

/* "banana" with a = 0, b = 1, n = 2. */
static const uint8_t banana[] = {1, 0, 2, 0, 2, 0};

static struct host *empty_host(void)
{
	struct host_options o = {.size = "test"};
	struct err e = {""};
	struct host *h = host_new(&o, &e);

	cr_assert_not_null(h, "%s", e.text);
	return h;
}

Test(suffix_tree, sorts_suffixes_shorter_ones_first)
{
	static const uint32_t want[] = {5, 3, 1, 0, 4, 2}; /* a ana anana banana na nana */
	struct host *h = empty_host();

	cr_expect_arr_eq(suffix_sort(h, banana, 6), want, sizeof want);
	host_free(h);
}

/* The node at the end of `string`; -1 if it ends within an edge or nowhere. */
static int node_of(const struct suffix_node *node, const uint8_t *string, uint32_t n)
{
	uint32_t v = 0, at = 0;

	while (at < n) {
		v = node[v].child[string[at]];
		if (!v || at + node[v].end - node[v].start > n ||
		    memcmp(banana + node[v].start, string + at, node[v].end - node[v].start))
			return -1;
		at += node[v].end - node[v].start;
	}
	return (int)v;
}

Test(suffix_tree, links_each_suffix_to_the_next)
{
	struct host *h = empty_host();
	struct suffix_node node[12];

	/* The root and the six suffixes: every branch of this text is at the end of a suffix. */
	cr_expect_eq(suffix_tree_build(h, banana, 6, suffix_sort(h, banana, 6), node), 7);
	for (uint32_t i = 0; i < 6; i++) {
		int here = node_of(node, banana + i, 6 - i), next = node_of(node, banana + i + 1, 5 - i);

		cr_assert(here > 0 && next >= 0, "suffix %u", i);
		cr_expect_eq(node[here].link, (uint32_t)next, "suffix %u", i);
	}
	host_free(h);
}

/* abab and abb: a branch that is no suffix. */
Test(suffix_tree, makes_a_node_where_suffixes_part)
{
	static const uint8_t text[] = {0, 1, 0, 1, 1}; /* ababb */
	struct host *h = empty_host();
	struct suffix_node node[10];

	/* The root; ab; b, which is a suffix too; ababb, abb, babb, bb. */
	cr_expect_eq(suffix_tree_build(h, text, 5, suffix_sort(h, text, 5), node), 7);
	cr_expect_eq(node[node[0].child[0]].end - node[node[0].child[0]].start, 2);
	cr_expect_eq(node[node[0].child[0]].link, node[0].child[1]);
	host_free(h);
}
