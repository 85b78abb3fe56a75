/* 674: TAFE's hardware passes on, drops and counts each element of a store once (tests/spec/tafe.h), with as
 * many arrays as the comparator table has entries, and the tables in memory are those of the tracker in software
 * (support/tafe_bench.h). At every shape of the matrix, with memories that hold the pipeline up. The lockstep tests
 * compare the RTL with this twin.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "spec/tafe.h"
#include "support/ports.h"
#include "support/random.h"
#include "support/shape_matrix.h"
#include "support/tafe_bench.h"

/* Of 16 elements of an array 10 are read: 2 by each of 5 CTAs, in their order. */
enum { ROUNDS = 40, STORES = 120, CTAS = 5, READERS = 2, ELEMENTS = 16, READ = CTAS * READERS };

static const struct tafe_launch launch = {.grid = {CTAS, 1, 1}, .block = {READERS, 1, 1}};

static void make_array(struct tafe_array *a, struct tafe_bench *b, unsigned entry)
{
	uint64_t space = UINT64_C(1) << (b->port.params.addr_w - 4); /* bytes for each array */

	*a = (struct tafe_array){.entry = entry,
				 .type = TAFE_TID_DEP,
				 .base = (entry + 1) * space + 8 * random_below(&b->seed, space / 8 - ELEMENTS),
				 .elements = ELEMENTS,
				 .size = (unsigned)random_below(&b->seed, 4),
				 .extents = 0x40 + 8 * entry,
				 .apd = 1 + entry,
				 .m = {1, 0, 0, READERS}};
	tafe_array_init(a);
}

/* A value that fits, is the largest, or one more; of a whole element, as the tracker takes it. */
static void store(struct spec_tafe *spec, struct tafe_bench *b, struct tafe_array *a)
{
	uint32_t index = (uint32_t)random_below(&b->seed, ELEMENTS), bits = b->port.params.index_w;
	uint64_t largest = UINT64_MAX >> (64 - bits), value = random_below(&b->seed, 2)	  ? random_u64(&b->seed) & largest
							      : random_below(&b->seed, 2) ? largest + random_below(&b->seed, 2)
											  : random_u64(&b->seed);

	spec_tafe_store(spec, a->base + ((uint64_t)index << a->size), value & UINT64_MAX >> (64 - (8u << a->size)), a->size);
	tafe_array_store(b, a, index, value);
}

/* A store of another width than the elements, or beside the arrays: only its events are judged. */
static void odd_store(struct spec_tafe *spec, struct tafe_bench *b, const struct tafe_array *a)
{
	unsigned size = (unsigned)random_below(&b->seed, 4);
	uint64_t bytes = (uint64_t)ELEMENTS << a->size, data = random_u64(&b->seed);
	uint64_t address = a->base - 8 + (random_below(&b->seed, bytes + 16) >> size << size);

	spec_tafe_store(spec, address, data, size);
	tafe_bench_store(b, address, data, size);
}

static void check_events(const struct spec_tafe *spec, struct tafe_bench *b, const char *shape, unsigned round)
{
	const char *wrong;

	tafe_bench_settle(b);
	wrong = spec_tafe_events(spec, b->tracked, b->unmatched, b->saturated);
	cr_assert_null(wrong, "tafe %s, round %u: %s: %lu passed on, %lu dropped, %lu saturated instead of %lu, %lu, %lu", shape,
		       round, wrong, b->tracked, b->unmatched, b->saturated, spec->passed_on, spec->dropped, spec->saturated);
}

static void round_of(struct spec_tafe *spec, struct tafe_bench *b, const char *shape, unsigned round)
{
	struct tafe_array a[SPEC_TAFE_ENTRIES];
	unsigned entries = b->port.params.entries;
	bool odd = round % 4 == 3;

	b->latency = round % 3 * 12;
	b->stall_in = round % 2 ? 2 : 0;
	tafe_bench_setup(b, &launch);
	for (unsigned e = 0; e < entries; e++) {
		make_array(&a[e], b, e);
		tafe_bench_register(b, &a[e], CTAS);
		spec_tafe_register(spec, e, a[e].base, ELEMENTS, READ, a[e].size);
	}
	for (unsigned i = 0; i < STORES; i++)
		if (odd)
			odd_store(spec, b, &a[random_below(&b->seed, entries)]);
		else
			store(spec, b, &a[random_below(&b->seed, entries)]);
	check_events(spec, b, shape, round);
	for (unsigned e = 0; e < entries; e++) {
		tafe_bench_release(b, &a[e], TAFE_READY);
		spec_tafe_release(spec, e);
		cr_assert(odd || !tafe_bench_compare(b, &launch, &a[e]), "tafe %s, round %u: table of entry %u", shape, round, e);
		tafe_array_free(&a[e]);
	}
}

static void run(const char *shape, uint64_t seed)
{
	struct tafe golden;
	struct tafe_bench b;
	struct ports p;
	struct spec_tafe spec;

	ports_init(&p, "tafe", shape);
	tafe_reset(&golden, p.params);
	tafe_bench_init(&b, (struct tafe_port){.params = golden.p, .golden = &golden}, seed);
	spec_tafe_reset(&spec, golden.p.index_w);
	for (unsigned round = 0; round < ROUNDS; round++)
		round_of(&spec, &b, shape, round);
	tafe_bench_free(&b);
	ports_free(&p);
}

Test(spec_tafe, each_shape_passes_on_drops_and_counts_each_element_once)
{
	for (unsigned i = 0; i < matrix_size(); i++)
		if (!strcmp(matrix_shape(i)->block->name, "tafe"))
			run(matrix_shape(i)->params, MATRIX_SEED + i);
}

Test(spec_tafe, the_default_and_small_shapes_too)
{
	run("", 1);
	run("entries=8 addr_w=20 index_w=10 tb_w=6 block_w=4", 2);
}
