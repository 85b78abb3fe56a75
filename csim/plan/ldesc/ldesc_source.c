/* Where a planner's descriptors come from. */
#include "plan/ldesc/ldesc_source.h"

#include "plan/ldesc/profile_forms.h"
#include "plan/ldesc/static_source.h"

const struct planner_option ldesc_options[] = {
	LDESC_SOURCE_OPTION,
	{0},
};
static const char *const names[] = {"the program's annotations", "the PTX", "the trace"};

enum ldesc_source ldesc_source_of(const unsigned *choice)
{
	return (enum ldesc_source)choice[0];
}

bool ldesc_wants_analysis(const unsigned *choice)
{
	return ldesc_source_of(choice) == LDESC_STATIC;
}

const char *ldesc_source_name(enum ldesc_source source)
{
	return names[source];
}

static int profile_sets(const struct ldesc_set *const **sets, const struct planner_request *req, struct err *e)
{
	uint32_t n = trace_n_launches(req->trace);
	const struct affine_launch **forms = arena_array(req->arena, n, sizeof *forms);

	for (uint32_t i = 0; i < n; i++)
		if (profile_forms(req->trace, i, req->arena, &forms[i], e) != 0)
			return -1;
	*sets = static_sets_of(req, forms);
	return 0;
}

int ldesc_source_sets(const struct ldesc_set *const **sets, enum ldesc_source source, const struct plan *p,
		      const struct planner_request *req, struct err *e)
{
	if (source == LDESC_STATIC)
		return static_source_sets(req, p->name, sets, e);
	if (source == LDESC_PROFILE)
		return profile_sets(sets, req, e);
	if (!req->descriptors)
		return err_set(
			e,
			"--plan %s: %s gives no locality descriptors (ldesc_describe); nor does a recorded or imported trace; "
			"source=static derives them from its PTX, source=profile from the trace",
			p->name, trace_name(req->trace));
	*sets = req->descriptors;
	return 0;
}
