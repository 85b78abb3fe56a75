/* Where a planner's descriptors come from. */
#include "plan/ldesc/ldesc_source.h"

#include "plan/ldesc/static_source.h"

const struct planner_option ldesc_options[] = {
	LDESC_SOURCE_OPTION,
	{0},
};
static const char *const names[] = {"the program's annotations", "the PTX"};

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

int ldesc_source_sets(const struct ldesc_set *const **sets, enum ldesc_source source, const struct plan *p,
		      const struct planner_request *req, struct err *e)
{
	if (source == LDESC_STATIC)
		return static_source_sets(req, p->name, sets, e);
	if (!req->descriptors)
		return err_set(
			e,
			"--plan %s: %s gives no locality descriptors (ldesc_describe); nor does a recorded or imported trace; "
			"source=static derives them from its PTX",
			p->name, trace_name(req->trace));
	*sets = req->descriptors;
	return 0;
}
