/* Potentials and forces between the particles of boxes that touch, in double; a CTA a box. */
#include "workload/ldesc_api.h"
#include "workload/random.h"

#include <math.h>

enum { BLOCK = 128, PARTICLES = 100, NEIGHBOURS = 27 };

/* As in kernel.cu. */
struct particle {
	double v, x, y, z;
};

struct space {
	uint32_t side, n, boxes;
	uint64_t neighbour, at, charge, force;
	uint32_t *v_neighbour;
	struct particle *v_at;
	double *v_charge;
};

static int allocate(struct host *h, struct space *s, struct err *e)
{
	uint64_t particles = (uint64_t)s->boxes * s->n;

	if (!(s->v_neighbour = host_alloc_u32(h, "neighbour", (uint64_t)s->boxes * NEIGHBOURS, &s->neighbour, e)) ||
	    !(s->at = host_alloc(h, "at", particles * sizeof *s->v_at, e)) ||
	    !(s->charge = host_alloc(h, "charge", particles * sizeof *s->v_charge, e)) ||
	    !(s->force = host_alloc(h, "force", particles * sizeof *s->v_at, e)))
		return -1;
	s->v_at = host_bytes(h, s->at, particles * sizeof *s->v_at);
	s->v_charge = host_bytes(h, s->charge, particles * sizeof *s->v_charge);
	return 0;
}

static uint32_t box_at(const struct space *s, int64_t x, int64_t y, int64_t z)
{
	int64_t side = s->side;

	if (x < 0 || y < 0 || z < 0 || x >= side || y >= side || z >= side)
		return UINT32_MAX;
	return (uint32_t)((z * side + y) * side + x);
}

/* Places are in the box's own coordinates, 0.1 to 1, as charges are. */
static void fill(struct space *s, uint32_t seed)
{
	struct host_random r = {seed};

	for (uint32_t box = 0; box < s->boxes; box++) {
		int64_t x = box % s->side, y = box / s->side % s->side, z = box / s->side / s->side;

		for (int64_t k = 0; k < NEIGHBOURS; k++)
			s->v_neighbour[box * NEIGHBOURS + k] = box_at(s, x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1);
	}
	for (uint64_t i = 0; i < (uint64_t)s->boxes * s->n; i++) {
		struct particle *p = &s->v_at[i];

		p->x = 0.1 + 0.9 * (double)host_random_f32(&r);
		p->y = 0.1 + 0.9 * (double)host_random_f32(&r);
		p->z = 0.1 + 0.9 * (double)host_random_f32(&r);
		p->v = (p->x * p->x + p->y * p->y + p->z * p->z) / 2;
		s->v_charge[i] = 0.1 + 0.9 * (double)host_random_f32(&r);
	}
}

/* From the distance itself, not from squares and a product. */
static void reference_pair(const struct particle *a, const struct particle *b, double charge, double alpha, struct particle *sum)
{
	double dx = a->x - b->x, dy = a->y - b->y, dz = a->z - b->z;
	double potential = charge * exp(-alpha * alpha * (dx * dx + dy * dy + dz * dz));

	sum->v += potential;
	sum->x += 2 * potential * dx;
	sum->y += 2 * potential * dy;
	sum->z += 2 * potential * dz;
}

static int check(struct host *h, const struct space *s, double alpha, struct err *e)
{
	uint64_t particles = (uint64_t)s->boxes * s->n;
	struct particle *want = host_scratch(h, particles, sizeof *want);

	for (uint32_t box = 0; box < s->boxes; box++)
		for (unsigned k = 0; k < NEIGHBOURS; k++) {
			uint64_t from = s->v_neighbour[box * NEIGHBOURS + k];

			if (from == UINT32_MAX)
				continue;
			for (uint64_t i = (uint64_t)box * s->n; i < (uint64_t)(box + 1) * s->n; i++)
				for (uint64_t j = from * s->n; j < (from + 1) * s->n; j++)
					reference_pair(&s->v_at[i], &s->v_at[j], s->v_charge[j], alpha, &want[i]);
		}
	/* 2,700 terms of size 2 at most, each right to some forty roundings of 2^-53; sums of up to 5,400 with a
	 * rounding each: below 5400 * 2740 * 2^-53, or 2e-9. */
	return host_check_f64(h, "force", s->force, (const double *)want, 4 * particles, 2e-9, e);
}

/* Neighbouring boxes read each other's particles: a row of boxes is a tile. A thread stores its particle's force in
 * parts. */
static int describe(struct host *h, const struct space *s, struct err *e)
{
	uint64_t particles = (uint64_t)s->boxes * s->n;
	struct ldesc at = ldesc_line(sizeof *s->v_at, particles, (uint64_t)s->side * s->n),
		     charge = ldesc_line(sizeof *s->v_charge, particles, (uint64_t)s->side * s->n);

	at.c_tile[0] = charge.c_tile[0] = s->side;
	return ldesc_describe_all(h, "lavamd", 3,
				  (struct ldesc_given[]){{s->at, ldesc_coaccessed(at, s->n)},
							 {s->charge, ldesc_coaccessed(charge, s->n)},
							 {s->force, ldesc_intra(ldesc_line(sizeof *s->v_at, particles, s->n))}},
				  e);
}

static int run(struct host *h, struct err *e)
{
	const double alpha = 0.5;
	struct space s;
	uint32_t seed;

	if (host_arg_u32(h, "side", 2, 3, 10, 1, 64, &s.side, e) ||
	    host_arg_u32(h, "particles", 32, PARTICLES, PARTICLES, 1, PARTICLES, &s.n, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &seed, e) || host_args_done(h, e))
		return -1;
	s.boxes = s.side * s.side * s.side;
	host_describe(h, "lavamd %u boxes of %u particles", s.boxes, s.n);
	if (allocate(h, &s, e))
		return -1;
	fill(&s, seed);
	if (describe(h, &s, e) || host_launch(h, "lavamd", (struct host_dim){s.boxes, 1, 1}, (struct host_dim){BLOCK, 1, 1}, 0, 6,
					      (struct host_arg[]){host_u64(s.neighbour), host_u64(s.at), host_u64(s.charge),
								  host_u64(s.force), host_f64(alpha), host_u32(s.n)},
					      e))
		return -1;
	return check(h, &s, alpha, e);
}

static const struct workload_option options[] = {
	{"side", "boxes along each side of space", "2 / 3 / 10"},
	{"particles", "of a box", "32 / 100 / 100"},
	{"seed", "of places and charges", "1"},
	{0},
};
const struct workload workload_lavamd = {
	.name = "lavamd",
	.summary = "forces between particles in boxes",
	.suite = "Rodinia",
	.original = "Rodinia lavaMD",
	.grid = "side^3 x 128, 7,200 bytes shared",
	.access = "records of 32 bytes of 27 boxes staged in turn, double precision",
	.differences = "Has an exponential of its own in double precision (a series of twelve terms), and a table of 27 "
		       "neighbours for every box.",
	.pattern = "friendly",
	.sharing = "high",
	.launches = "1",
	.sizes = "8 boxes of 32 / 27 of 100 / 1,000 of 100",
	.options = options,
	.run = run,
};
