/* Steps of a flow over a mesh of elements with four faces each, seven launches a step. The mesh is a grid, or the dual
 * graph of a mesh of tetrahedra from a file. The host copies the values aside at the start of a step. */
#include "workload/graph_option.h"
#include "workload/program.h"
#include "workload/random.h"
#include "workload/taf_api.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 192, VALUES = 5, FACES = 4, STAGES = 3, WALL = -1, OUTSIDE = -2 };

/* Instructions of the paper's host program for a value (docs/studies/tafe.md, Cost of a value): a whole number or a
 * fraction from a C++ stream. A kernel sets the values of the flow there; here they are copies of four numbers. */
enum { NEIGHBOUR_INSTS = 481, FRACTION_INSTS = 2265 };

/* Density 1, the same speed in all three directions (0.52 of that of sound), pressure 1 / 1.4: sound has speed 1. */
static const float far_away[VALUES] = {1, 0.3f, 0.3f, 0.3f, 1.9207143f};

struct flow {
	uint32_t n, steps;
	uint64_t neighbour, normal, area, value, old, flux, factor;
	uint32_t *v_neighbour;
	float *v_normal, *v_area, *v_value, *v_old;
};

static int allocate(struct host *h, struct flow *f, struct err *e)
{
	uint64_t n = f->n;

	if (!(f->v_neighbour = host_alloc_u32(h, "neighbour", FACES * n, &f->neighbour, e)) ||
	    !(f->v_normal = host_alloc_f32(h, "normal", UINT64_C(3) * FACES * n, &f->normal, e)) ||
	    !(f->v_area = host_alloc_f32(h, "area", n, &f->area, e)) ||
	    !(f->v_value = host_alloc_f32(h, "value", VALUES * n, &f->value, e)) ||
	    !(f->v_old = host_alloc_f32(h, "old", VALUES * n, &f->old, e)) || !host_alloc_f32(h, "flux", VALUES * n, &f->flux, e) ||
	    !host_alloc_f32(h, "factor", n, &f->factor, e))
		return -1;
	return 0;
}

static uint32_t grid_width(uint32_t n)
{
	return (uint32_t)sqrt(n);
}

/* Rows of about as many elements as there are rows; walls at their ends, the outside beyond the first and the last
 * row. */
static void join_as_grid(struct flow *f)
{
	uint32_t width = grid_width(f->n), n = f->n, *to = f->v_neighbour;

	for (uint32_t i = 0; i < n; i++) {
		to[i] = i % width ? i - 1 : (uint32_t)WALL;
		to[n + i] = i % width < width - 1 && i + 1 < n ? i + 1 : (uint32_t)WALL;
		to[2 * n + i] = i >= width ? i - width : (uint32_t)OUTSIDE;
		to[3 * n + i] = n - i > width ? i + width : (uint32_t)OUTSIDE;
	}
}

/* A vertex has its first four neighbours, and walls where it has fewer. */
static void join_as_graph(struct flow *f, const struct graph *g)
{
	for (uint32_t i = 0; i < f->n; i++)
		for (uint32_t face = 0; face < FACES; face++)
			f->v_neighbour[face * f->n + i] =
				g->rowptr[i] + face < g->rowptr[i + 1] ? g->col[g->rowptr[i] + face] : (uint32_t)WALL;
}

/* ---- the grid's geometry ---- */

/* The plane of the grid: along a row, and from row to row, which is where the gas goes. */
static const double along_row[3] = {0.70710678118654752, -0.70710678118654752, 0},
		    along_flow[3] = {0.57735026918962576, 0.57735026918962576, 0.57735026918962576};

struct corner {
	double x, y; /* along a row, along the flow */
};

/* Corners of squares of side 1, each up to a fifth off its place; the walls are straight. */
static struct corner *make_corners(struct host *h, uint32_t rows, uint32_t width, struct host_random *r)
{
	struct corner *at = host_scratch(h, (uint64_t)(rows + 1) * (width + 1), sizeof *at), *next = at;

	for (uint32_t y = 0; y <= rows; y++)
		for (uint32_t x = 0; x <= width; x++) {
			double off = 0.4 * ((double)host_random_f32(r) - 0.5);

			next->x = x + (x > 0 && x < width ? off : 0);
			next++->y = y + 0.4 * ((double)host_random_f32(r) - 0.5);
		}
	return at;
}

/* The face from corner a to b, with the element on its left: as long as the normal is, which points out of it. */
static void set_face(struct flow *f, uint32_t i, uint64_t face, const struct corner *a, const struct corner *b)
{
	for (unsigned xyz = 0; xyz < 3; xyz++)
		f->v_normal[(3 * face + xyz) * f->n + i] =
			(float)((b->y - a->y) * along_row[xyz] - (b->x - a->x) * along_flow[xyz]);
}

/* Neighbours have the same face, so that what flows out of one flows into the other, and steps may be many. */
static void shape_grid(struct host *h, struct flow *f, struct host_random *r)
{
	uint32_t width = grid_width(f->n);
	const struct corner *corners = make_corners(h, (f->n + width - 1) / width, width, r);

	for (uint32_t i = 0; i < f->n; i++) {
		const struct corner *low = corners + (uint64_t)(i / width) * (width + 1) + i % width, *high = low + width + 1;

		set_face(f, i, 0, high, low);
		set_face(f, i, 1, low + 1, high + 1);
		set_face(f, i, 2, low, low + 1);
		set_face(f, i, 3, high + 1, high);
		f->v_area[i] =
			(float)(0.5 * ((high[1].x - low->x) * (high->y - low[1].y) - (high->x - low[1].x) * (high[1].y - low->y)));
	}
}

/* The faces of a graph's elements fit nothing: an element's normals sum to nothing, but for rounding, and a face is
 * another one for the neighbour. What that adds to the flow grows from step to step. */
static void shape_graph(struct flow *f, struct host_random *r)
{
	uint64_t n = f->n;

	for (uint32_t i = 0; i < n; i++) {
		for (unsigned xyz = 0; xyz < 3; xyz++) {
			float sum = 0;

			for (unsigned face = 0; face < FACES - 1; face++) {
				float part = 0.05f * (host_random_f32(r) - 0.5f);

				f->v_normal[(3 * face + xyz) * n + i] = part;
				sum += part;
			}
			f->v_normal[(3 * (FACES - 1) + xyz) * n + i] = -sum;
		}
		f->v_area[i] = 1 + host_random_f32(r);
	}
}

/* Up to 5 % off the values far away. */
static void fill_values(struct flow *f, struct host_random *r)
{
	uint64_t n = f->n;

	for (uint32_t i = 0; i < n; i++)
		for (unsigned v = 0; v < VALUES; v++)
			f->v_value[v * n + i] = far_away[v] * (1 + 0.1f * (host_random_f32(r) - 0.5f));
}

/* What an element has in `planes` planes. */
static struct taf_tid own_in(const struct flow *f, uint32_t planes)
{
	return (struct taf_tid){.m = {1, 0, 0, BLOCK}, .ofs = f->n, .n = planes};
}

/* The values of the neighbours, plane by plane: as many relations on one array. Walls and the outside are values, too,
 * and widen the extents of the CTAs that have them. */
static int annotate_neighbours(struct host *h, const struct flow *f, struct err *e)
{
	uint64_t n = f->n;

	if (taf_register_tid_dep(h, f->neighbour, FACES * n, 4, own_in(f, FACES), true, e) || taf_setRdy(h, f->neighbour, e) ||
	    host_value_insts(h, NEIGHBOUR_INSTS, e))
		return -1;
	for (uint32_t v = 0; v < VALUES; v++)
		if (taf_register_indir(h, f->value, VALUES * n, 4, f->neighbour, 1, v * f->n, false, e))
			return -1;
	host_store_array(h, f->neighbour, 4, FACES * n, f->v_neighbour);
	return taf_setRdy(h, f->value, e);
}

static int annotate(struct host *h, const struct flow *f, struct err *e)
{
	uint64_t n = f->n;

	if (taf_paramSetup(h, (struct host_dim){BLOCK, 1, 1}, (struct host_dim){host_blocks(f->n, BLOCK), 1, 1}, e) ||
	    annotate_neighbours(h, f, e) || taf_tid_array(h, f->value, VALUES * n, 4, own_in(f, VALUES), e) ||
	    taf_tid_array(h, f->normal, 3 * FACES * n, 4, own_in(f, 3 * FACES), e) ||
	    taf_tid_array(h, f->area, n, 4, own_in(f, 1), e) || taf_tid_array(h, f->old, VALUES * n, 4, own_in(f, VALUES), e) ||
	    taf_tid_array(h, f->flux, VALUES * n, 4, own_in(f, VALUES), e) || taf_tid_array(h, f->factor, n, 4, own_in(f, 1), e) ||
	    host_value_insts(h, FRACTION_INSTS, e))
		return -1;
	host_store_array(h, f->normal, 4, 3 * FACES * n, f->v_normal);
	host_store_array(h, f->area, 4, n, f->v_area);
	if (host_value_insts(h, 0, e))
		return -1;
	host_store_array(h, f->value, 4, VALUES * n, f->v_value);
	host_store_array(h, f->old, 4, VALUES * n, f->v_value);
	return 0;
}

static int step(struct host *h, struct flow *f, struct err *e)
{
	const struct host_dim grid = {host_blocks(f->n, BLOCK), 1, 1}, block = {BLOCK, 1, 1};

	memcpy(f->v_old, f->v_value, (uint64_t)VALUES * f->n * sizeof *f->v_old);
	if (host_launch(h, "cfd_step_factor", grid, block, 0, 4,
			(struct host_arg[]){host_u64(f->old), host_u64(f->area), host_u64(f->factor), host_u32(f->n)}, e))
		return -1;
	for (uint32_t stage = 1; stage <= STAGES; stage++)
		if (host_launch(h, "cfd_flux", grid, block, 0, 5,
				(struct host_arg[]){host_u64(f->neighbour), host_u64(f->normal), host_u64(f->value),
						    host_u64(f->flux), host_u32(f->n)},
				e) ||
		    host_launch(h, "cfd_advance", grid, block, 0, 6,
				(struct host_arg[]){host_u64(f->old), host_u64(f->factor), host_u64(f->flux), host_u64(f->value),
						    host_u32(stage), host_u32(f->n)},
				e))
			return -1;
	return 0;
}

/* ---- the reference, in double ---- */

struct state {
	double value[VALUES], velocity[3], pressure, sound, speed;
};

static struct state derive(const double value[VALUES])
{
	struct state s = {.speed = 0};

	memcpy(s.value, value, sizeof s.value);
	for (unsigned xyz = 0; xyz < 3; xyz++) {
		s.velocity[xyz] = value[1 + xyz] / value[0];
		s.speed += s.velocity[xyz] * s.velocity[xyz];
	}
	s.pressure = 0.4 * (value[4] - 0.5 * value[0] * s.speed);
	s.speed = sqrt(s.speed);
	s.sound = sqrt(1.4 * s.pressure / value[0]);
	return s;
}

static void add_flow(double flow[VALUES], const struct state *s, const double out[3])
{
	double through = 0;

	for (unsigned xyz = 0; xyz < 3; xyz++)
		through += 0.5 * s->velocity[xyz] * out[xyz];
	for (unsigned v = 0; v < VALUES; v++)
		flow[v] -= through * s->value[v];
	for (unsigned xyz = 0; xyz < 3; xyz++)
		flow[1 + xyz] -= 0.5 * s->pressure * out[xyz];
	flow[4] -= through * s->pressure;
}

static void flux_of(const struct flow *f, const struct state *all, const struct state *outside, uint32_t i, double flow[VALUES])
{
	const struct state *here = &all[i];

	memset(flow, 0, VALUES * sizeof *flow);
	for (uint64_t face = 0; face < FACES; face++) {
		int32_t to = (int32_t)f->v_neighbour[face * f->n + i];
		double out[3], smooth;

		for (unsigned xyz = 0; xyz < 3; xyz++)
			out[xyz] = (double)f->v_normal[(3 * face + xyz) * f->n + i];
		if (to == WALL) {
			for (unsigned xyz = 0; xyz < 3; xyz++)
				flow[1 + xyz] -= here->pressure * out[xyz];
			continue;
		}
		add_flow(flow, here, out);
		add_flow(flow, to == OUTSIDE ? outside : &all[to], out);
		if (to == OUTSIDE)
			continue;
		smooth = 0.1 * sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]) *
			 (here->speed + all[to].speed + here->sound + all[to].sound);
		for (unsigned v = 0; v < VALUES; v++)
			flow[v] += smooth * (all[to].value[v] - here->value[v]);
	}
}

static struct state far_state(void)
{
	double value[VALUES];

	for (unsigned v = 0; v < VALUES; v++)
		value[v] = (double)far_away[v];
	return derive(value);
}

static void reference_step(const struct flow *f, struct state *all, struct state *next, double *factor, double (*old)[VALUES])
{
	struct state outside = far_state();

	for (uint32_t i = 0; i < f->n; i++) {
		factor[i] = 0.5 / (sqrt((double)f->v_area[i]) * (all[i].speed + all[i].sound));
		memcpy(old[i], all[i].value, sizeof old[i]);
	}
	for (unsigned stage = 1; stage <= STAGES; stage++) {
		for (uint32_t i = 0; i < f->n; i++) {
			double value[VALUES];

			flux_of(f, all, &outside, i, value);
			for (unsigned v = 0; v < VALUES; v++)
				value[v] = old[i][v] + factor[i] / (4 - stage) * value[v];
			next[i] = derive(value);
		}
		memcpy(all, next, f->n * sizeof *all);
	}
}

static float *reference(struct host *h, const struct flow *f)
{
	struct state *all = host_scratch(h, f->n, sizeof *all), *next = host_scratch(h, f->n, sizeof *next);
	double *factor = host_scratch(h, f->n, sizeof *factor), (*old)[VALUES] = host_scratch(h, f->n, sizeof *old);
	float *want = host_scratch(h, (uint64_t)VALUES * f->n, sizeof *want);

	for (uint32_t i = 0; i < f->n; i++) {
		double value[VALUES];

		for (uint64_t v = 0; v < VALUES; v++)
			value[v] = (double)f->v_value[v * f->n + i];
		all[i] = derive(value);
	}
	for (uint32_t s = 0; s < f->steps; s++)
		reference_step(f, all, next, factor, old);
	for (uint32_t i = 0; i < f->n; i++)
		for (uint64_t v = 0; v < VALUES; v++)
			want[v * f->n + i] = (float)all[i].value[v];
	return want;
}

static int run_mesh(struct host *h, struct flow *f, const char *mesh, const struct graph *g, uint32_t seed, struct err *e)
{
	struct host_random r = {seed};
	const float *want;
	void *constant;

	host_describe(h, "cfd %s, %u elements, %u steps", mesh, f->n, f->steps);
	if (!(constant = host_variable(h, "cfd_far_away", sizeof far_away, e)) || allocate(h, f, e))
		return -1;
	memcpy(constant, far_away, sizeof far_away);
	if (g) {
		join_as_graph(f, g);
		shape_graph(f, &r);
	} else {
		join_as_grid(f);
		shape_grid(h, f, &r);
	}
	fill_values(f, &r);
	if (annotate(h, f, e))
		return -1;
	want = reference(h, f);
	for (uint32_t s = 0; s < f->steps; s++)
		if (step(h, f, e))
			return -1;
	/* What flows through a face in a stage is below half of the value, so that its some fifty roundings count as
	 * twenty-five; the value's own are fewer than five. */
	return host_check_f32(h, "value", f->value, want, (uint64_t)VALUES * f->n,
			      host_sum_tolerance(UINT64_C(30) * STAGES * f->steps), e);
}

static int run(struct host *h, struct err *e)
{
	struct graph_option o = {.scale = 16, .degree = 4, .seed = 1};
	struct graph g = {0};
	struct flow f;
	uint32_t seed;
	int rc;

	o.name = host_arg_text(h, "graph", "grid");
	if (host_arg_u32(h, "n", 6 << 10, 97152, 232536, 1, 4 << 20, &f.n, e) ||
	    host_arg_u32(h, "steps", 1, 1, 10, 1, 10000, &f.steps, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &seed, e) || host_args_done(h, e))
		return -1;
	if (!strcmp(o.name, "grid"))
		return run_mesh(h, &f, "grid", NULL, seed, e);
	if (graph_option_open(&o, &g, e))
		return -1;
	f.n = g.n_rows;
	rc = run_mesh(h, &f, o.name, &g, seed, e);
	graph_free(&g);
	return rc;
}

static const struct workload_option options[] = {
	{"graph", "grid, or a graph whose vertices are the elements, as mdual or a .graph file", "grid"},
	{"n", "elements of a grid", "6K / 97152 / 232536"},
	{"steps", "of time", "1 / 1 / 10"},
	{"seed", "of the normals, the areas and the gas", "1"},
	{0},
};
const struct workload workload_cfd = {
	.name = "cfd",
	.summary = "flow of a gas through a mesh (Euler)",
	.suite = "Rodinia",
	.original = "Rodinia euler3d",
	.grid = "n/192 x 192, seven launches per step",
	.access = "planes of n words streamed, five words gathered from each of four neighbours",
	.differences = "Generates its mesh: a grid of squares whose corners are moved by up to a fifth, a channel with straight "
		       "walls; or, with --arg graph=mdual, the dual graph of a mesh of tetrahedra, whose random normals sum to "
		       "zero around each element. The gas starts up to 5 % off the flow outside. The grid agrees with the "
		       "reference for thousands of steps, graph=mdual for a hundred, but no longer for four hundred.",
	.pattern = "streaming",
	.sharing = "low",
	.launches = "7 / 7 / 70",
	.sizes = "6 K / 97,152 / 232,536 elements",
	.options = options,
	.run = run,
};
