/* The table of traffic between modules, and of how busy the stacks were, under the table of metrics. */
#include <stdio.h>
#include <string.h>

#include "run/gpu.h"

enum { MAX_NODES = 12, NAME = 16 /* a wider table would not fit a screen */ };

struct nodes {
	char name[MAX_NODES + 1][NAME];
	unsigned n;
};

/* The second name of a row "traffic.FROM.TO", or NULL. */
static const char *goes_to(const struct stat_row *r, const char *from)
{
	size_t n = strlen(from);

	return strncmp(r->name, "traffic.", 8) || strncmp(r->name + 8, from, n) || r->name[8 + n] != '.' ? NULL : r->name + 9 + n;
}

/* All nodes have traffic from module 0. */
static struct nodes find_nodes(const struct stats *s)
{
	struct nodes all = {.n = 0};

	for (unsigned i = 0; i < s->n && all.n <= MAX_NODES; i++) {
		const char *to = goes_to(&s->row[i], "0");

		if (to)
			snprintf(all.name[all.n++], NAME, "%s", to);
	}
	return all;
}

static void print_from(const struct stats *s, const struct nodes *all, const char *from, FILE *to)
{
	fprintf(to, "  %-13s", from);
	for (unsigned k = 0; k < all->n; k++) {
		char key[64];
		const struct stat_row *r;

		snprintf(key, sizeof key, "traffic.%s.%s", from, all->name[k]);
		r = stats_find(s, key);
		if (r)
			fprintf(to, " %10.1f", (double)r->count / 1000);
		else
			fprintf(to, " %10s", "-");
	}
	fputc('\n', to);
}

static const struct stat_row *stack_busy(const struct stats *s, unsigned stack)
{
	char key[64];

	snprintf(key, sizeof key, "stack.%u.busy", stack);
	return stats_find(s, key);
}

/* Below the modules' columns, so only where each has one stack. */
static void print_stacks(const struct stats *s, unsigned modules, FILE *to)
{
	if (!stack_busy(s, modules - 1) || stack_busy(s, modules))
		return;
	fprintf(to, "  %-13s", "stack busy, %");
	for (unsigned i = 0; i < modules; i++)
		fprintf(to, " %10.1f", 100 * stack_busy(s, i)->real);
	fputc('\n', to);
}

void gpu_print_traffic(const struct stats *s, FILE *to)
{
	struct nodes all = find_nodes(s);

	if (all.n < 2 || all.n > MAX_NODES)
		return;
	fprintf(to, "\n  %-13s", "kB, from \\ to");
	for (unsigned k = 0; k < all.n; k++)
		fprintf(to, " %10s", all.name[k]);
	fputc('\n', to);
	for (unsigned k = 0; k < all.n; k++)
		print_from(s, &all, all.name[k], to);
	print_stacks(s, all.n - !strcmp(all.name[all.n - 1], "cpu"), to);
}
