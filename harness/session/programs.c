#include "session/programs.h"

#include <string.h>

#include "session/steps.h"

int programs_share(struct programs *p, uint32_t n, const struct topology_view *topology, struct arena *a, struct err *e)
{
	*p = (struct programs){.n = n};
	p->one = arena_array(a, n, sizeof *p->one);
	p->part = arena_array(a, n, sizeof *p->part);
	p->program = arena_array(a, n, sizeof *p->program);
	return plan_share(p->program, n, topology, e);
}

/* "bfs", "bfs-2" */
static const char *name_of(const struct programs *p, uint32_t i, const char *what, struct arena *a)
{
	const char *slash = strrchr(what, '/');
	char *name = arena_strdup(a, slash ? slash + 1 : what);
	unsigned same = 1;

	name[strcspn(name, ".")] = '\0';
	for (uint32_t k = 0; k < i; k++)
		same += !strncmp(p->part[k].name, name, strlen(name)) && strchr("-", p->part[k].name[strlen(name)]);
	return same > 1 ? arena_printf(a, "%s-%u", name, same) : name;
}

static int open_one(struct programs *p, uint32_t i, const struct session_program *program, const struct source_options *how,
		    struct arena *a, struct err *e)
{
	struct source_options o = *how;

	o.what = program->what;
	o.args = program->arg;
	o.n_args = program->n_args;
	if (step_source(&p->one[i], &o, e) != 0)
		return -1;
	p->part[i] = (struct trace_part){.name = name_of(p, i, program->what, a), .trace = p->one[i].trace};
	return 0;
}

static const char *joined_name(const struct programs *p, struct arena *a)
{
	const char *name = trace_name(p->part[0].trace);

	for (uint32_t i = 1; i < p->n; i++)
		name = arena_printf(a, "%s + %s", name, trace_name(p->part[i].trace));
	return name;
}

/* NULL if one came without PTX: strides come from the profile for all then. */
static const struct affine_launch *const *join_analyses(const struct programs *p, const struct trace *joined, struct arena *a)
{
	const struct affine_launch **all = arena_array(a, trace_n_launches(joined), sizeof *all);

	for (uint32_t i = 0; i < p->n; i++) {
		if (!p->one[i].analysis)
			return NULL;
		for (uint32_t l = 0; l < trace_n_launches(p->one[i].trace); l++)
			all[p->part[i].first_launch + l] =
				affine_renumber(p->one[i].analysis[l], (int32_t)p->part[i].first_buffer, a);
	}
	return all;
}

static void join(struct programs *p, struct source *all)
{
	all->checked = true;
	for (uint32_t i = 0; i < p->n; i++) {
		struct plan_program *to = &p->program[i];

		to->name = p->part[i].name;
		to->first_launch = p->part[i].first_launch;
		to->n_launches = trace_n_launches(p->part[i].trace);
		to->first_buffer = p->part[i].first_buffer;
		to->n_buffers = trace_n_buffers(p->part[i].trace);
		all->executed += p->one[i].executed;
		all->checked &= p->one[i].checked;
		all->differs |= p->one[i].differs;
	}
}

int programs_open(struct programs *p, const struct session_program *program, const struct source_options *how, struct source *all,
		  struct arena *a, struct err *e)
{
	for (uint32_t i = 0; i < p->n; i++)
		if (open_one(p, i, &program[i], how, a, e) != 0)
			return -1;
	all->trace = trace_join(p->part, p->n, &(struct trace_options){.name = joined_name(p, a)}, e);
	if (!all->trace)
		return -1;
	join(p, all);
	if (how->analyse)
		all->analysis = join_analyses(p, all->trace, a);
	return 0;
}

void programs_close(struct programs *p, struct source *all)
{
	for (uint32_t i = 0; i < p->n; i++)
		source_close(&p->one[i]);
	trace_close(all->trace);
}
