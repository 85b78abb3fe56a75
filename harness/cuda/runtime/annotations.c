/* What an annotated program (include/annotate/locus_annotate.h) finds in this library by name. Its calls are the
 * device's to answer, but for the shapes of descriptors, which need nobody. Their errors are no CUDA errors to the
 * program: a later cudaGetLastError() knows nothing of them. */
#include "cuda/ldesc_words.h"
#include "cuda/runtime/connection.h"
#include "ldesc/ldesc_shapes.h"

int locus_annotate(unsigned call, const uint64_t *word, unsigned n);
int locus_annotate(unsigned call, const uint64_t *word, unsigned n)
{
	struct message m = {.out = word, .out_bytes = n * sizeof *word};

	connection_keep_in_step();
	return (int)connection_call(WIRE_ANNOTATE, 1, (uint64_t[]){call}, &m, NULL);
}

/* A tile of nothing stays a descriptor of nothing, which is refused where it is used. */
static struct ldesc matrix_shape(enum locus_shape shape, const uint64_t *w)
{
	struct ldesc_matrix m = {.element = (uint32_t)w[0], .pitch = w[1], .cols = w[2], .rows = w[3]};

	if (!w[4] || (shape == LOCUS_TILES && !w[5]) || (shape == LOCUS_ROWS && w[5] > 2))
		return (struct ldesc){0};
	if (shape == LOCUS_TILES)
		return ldesc_tiles(&m, w[4], w[5]);
	return shape == LOCUS_ROWS ? ldesc_rows(&m, w[4], (unsigned)w[5]) : ldesc_columns(&m, w[4]);
}

static struct ldesc changed_shape(enum locus_shape shape, const uint64_t *w)
{
	struct ldesc l;

	if (!ldesc_of_words(w, &l))
		return (struct ldesc){0};
	if (shape == LOCUS_INTRA)
		return ldesc_intra(l);
	return shape == LOCUS_NEARBY ? ldesc_nearby(l, w[LOCUS_LDESC_WORDS]) : ldesc_coaccessed(l, w[LOCUS_LDESC_WORDS]);
}

static struct ldesc shape_of(enum locus_shape shape, const uint64_t *w)
{
	switch (shape) {
	case LOCUS_LINE:
		return ldesc_line((uint32_t)w[0], w[1], w[2]);
	case LOCUS_WHOLE:
		return ldesc_whole((uint32_t)w[0], w[1]);
	case LOCUS_TILES:
	case LOCUS_ROWS:
	case LOCUS_COLUMNS:
		return matrix_shape(shape, w);
	case LOCUS_COACCESSED:
	case LOCUS_NEARBY:
	case LOCUS_INTRA:
		return changed_shape(shape, w);
	}
	return (struct ldesc){0};
}

/* word: what the shape is made of, LOCUS_SHAPE_WORDS of room; then the descriptor. */
void locus_shape(unsigned shape, uint64_t *word);
void locus_shape(unsigned shape, uint64_t *word)
{
	struct ldesc l = shape_of((enum locus_shape)shape, word);

	ldesc_to_words(&l, word);
}
