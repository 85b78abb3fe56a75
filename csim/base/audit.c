#include "base/audit.h"

#include <jansson.h>

#include "base/panic.h"

static void add(struct audit *a, const char *name, uint64_t left, uint64_t right, bool at_most)
{
	struct audit_invariant *l = &a->invariant[a->n];

	PANIC_UNLESS(a->n < AUDIT_MAX_INVARIANTS, "audit", a->n);
	*l = (struct audit_invariant){
		.left = left, .right = right, .at_most = at_most, .holds = at_most ? left <= right : left == right};
	snprintf(l->name, sizeof l->name, "%s", name);
	a->n++;
	a->failed += !l->holds;
}

void audit_equal(struct audit *a, const char *name, uint64_t left, uint64_t right)
{
	add(a, name, left, right, false);
}

void audit_at_most(struct audit *a, const char *name, uint64_t left, uint64_t right)
{
	add(a, name, left, right, true);
}

void audit_take(struct audit *to, const struct audit *from)
{
	for (unsigned i = 0; i < from->n; i++)
		add(to, from->invariant[i].name, from->invariant[i].left, from->invariant[i].right, from->invariant[i].at_most);
}

void audit_print(const struct audit *a, FILE *to)
{
	char value[32];

	snprintf(value, sizeof value, "%u/%u", a->n - a->failed, a->n);
	fprintf(to, "  %-32s %16s %-12s %s\n", "audit", value, "", "invariants hold");
	for (unsigned i = 0; i < a->n; i++) {
		const struct audit_invariant *l = &a->invariant[i];

		if (!l->holds)
			fprintf(to, "  INVARIANT VIOLATED %s: left %" PRIu64 ", right %" PRIu64 "\n", l->name, l->left, l->right);
	}
}

json_t *audit_json(const struct audit *a)
{
	json_t *all = json_array();

	for (unsigned i = 0; i < a->n; i++) {
		const struct audit_invariant *l = &a->invariant[i];

		json_array_append_new(all, json_pack("{s:s, s:I, s:s, s:I, s:b}", "invariant", l->name, "left", (json_int_t)l->left,
						     "is", l->at_most ? "at most" : "equal to", "right", (json_int_t)l->right,
						     "holds", l->holds));
	}
	return all;
}
