/* mma.h: all shapes, types and layouts, with whole numbers that every type holds, against the host's own product. */
#include <cstdint>
#include <mma.h>

#include "check.h"

using namespace nvcuda;

/* What a matrix is stored as. */
template <class T> struct stored {
	typedef T type;
};
template <> struct stored<wmma::precision::tf32> {
	typedef float type;
};

/* d = 2 * (a * b + c); leading dimensions of all are given in elements. */
template <int m, int n, int k, class T, class LA, class LB, class In, class Out>
__global__ void product(const typename stored<T>::type *a, const typename stored<T>::type *b, const In *c, Out *d, int lda, int ldb,
			int ldd, wmma::layout_t order)
{
	wmma::fragment<wmma::matrix_a, m, n, k, T, LA> fa;
	wmma::fragment<wmma::matrix_b, m, n, k, T, LB> fb;
	wmma::fragment<wmma::accumulator, m, n, k, In> fc;
	wmma::fragment<wmma::accumulator, m, n, k, Out> fd;

	wmma::load_matrix_sync(fa, a, lda);
	wmma::load_matrix_sync(fb, b, ldb);
	wmma::load_matrix_sync(fc, c, ldd, order);
	wmma::mma_sync(fd, fa, fb, fc);
	for (int i = 0; i < fd.num_elements; i++)
		fd.x[i] = Out(2) * fd.x[i];
	wmma::store_matrix_sync(d, fd, ldd, order);
}

/* Where an element is in memory; more: how much longer than needed a row or column is there. */
static int at(bool by_row, int row, int col, int leading)
{
	return by_row ? row * leading + col : col * leading + row;
}

template <class T> static T *room(int n)
{
	T *p;

	CHECK(cudaMallocManaged(&p, n * sizeof *p));
	CHECK(cudaMemset(p, 0, n * sizeof *p));
	return p;
}

template <int m, int n, int k, class T, class LA, class LB, class In, class Out> static long try_one(bool sums_by_row)
{
	typedef typename stored<T>::type S;
	const bool a_by_row = std::is_same<LA, wmma::row_major>::value, b_by_row = std::is_same<LB, wmma::row_major>::value;
	const int more = 16, lda = (a_by_row ? k : m) + more, ldb = (b_by_row ? n : k) + more, ldd = (sums_by_row ? n : m) + more;
	S *a = room<S>(48 * 48), *b = room<S>(48 * 48);
	In *c = room<In>(48 * 48);
	Out *d = room<Out>(48 * 48);
	long wrong = 0;

	for (int i = 0; i < m * k; i++)
		a[at(a_by_row, i / k, i % k, lda)] = S(i * 7 % 5);
	for (int i = 0; i < k * n; i++)
		b[at(b_by_row, i / n, i % n, ldb)] = S(i * 5 % 7);
	for (int i = 0; i < m * n; i++)
		c[at(sums_by_row, i / n, i % n, ldd)] = In(i % 11);
	product<m, n, k, T, LA, LB><<<1, 32>>>(a, b, c, d, lda, ldb, ldd, sums_by_row ? wmma::mem_row_major : wmma::mem_col_major);
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < m * n; i++) {
		int sum = i % 11;

		for (int j = 0; j < k; j++)
			sum += (i / n * k + j) * 7 % 5 * ((j * n + i % n) * 5 % 7);
		wrong += (double)d[at(sums_by_row, i / n, i % n, ldd)] != 2 * sum;
	}
	CHECK(cudaFree(a));
	CHECK(cudaFree(b));
	CHECK(cudaFree(c));
	CHECK(cudaFree(d));
	return wrong;
}

template <int m, int n, int k, class T, class In, class Out> static long try_layouts()
{
	return try_one<m, n, k, T, wmma::row_major, wmma::row_major, In, Out>(true) +
	       try_one<m, n, k, T, wmma::row_major, wmma::col_major, In, Out>(true) +
	       try_one<m, n, k, T, wmma::col_major, wmma::row_major, In, Out>(false) +
	       try_one<m, n, k, T, wmma::col_major, wmma::col_major, In, Out>(false);
}

template <class T, class In, class Out> static long try_shapes()
{
	return try_layouts<16, 16, 16, T, In, Out>() + try_layouts<32, 8, 16, T, In, Out>() + try_layouts<8, 32, 16, T, In, Out>();
}

/* ---- what does not fit ---- */

/* 127 * 127 * 16 + INT_MAX wraps, or stays INT_MAX; 65504 + 65504 is infinite, or the largest. A tie of tf32 goes away
 * from zero: 1 + 2^-11 is 1 + 2^-10. */
__global__ void saturate(int *sums, float *halves, float *tf32)
{
	wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a;
	wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> b;
	wmma::fragment<wmma::accumulator, 16, 16, 16, int> c;
	wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> ha;
	wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> hb;
	wmma::fragment<wmma::accumulator, 16, 16, 16, __half> hc;

	for (int keep = 0; keep < 2; keep++) {
		wmma::fill_fragment(a, 127);
		wmma::fill_fragment(b, 127);
		wmma::fill_fragment(c, INT32_MAX);
		wmma::mma_sync(c, a, b, c, keep);
		sums[keep] = c.x[0];
		wmma::fill_fragment(ha, 256.0f);
		wmma::fill_fragment(hb, 16.0f);
		wmma::fill_fragment(hc, 65504.0f);
		wmma::mma_sync(hc, ha, hb, hc, keep);
		halves[keep] = hc.x[3];
	}
	*tf32 = wmma::__float_to_tf32(1 + 0x1p-11f);
}

static long try_saturation()
{
	int *sums = room<int>(2);
	float *halves = room<float>(3);

	saturate<<<1, 32>>>(sums, halves, halves + 2);
	CHECK(cudaDeviceSynchronize());
	return (sums[0] != (int)(0x7fffffffu + 127 * 127 * 16)) + (sums[1] != 0x7fffffff) + !(halves[0] > 65504) +
	       (halves[1] != 65504) + (halves[2] != 1 + 0x1p-10f);
}

int main()
{
	long wrong = try_shapes<__half, float, float>() + try_shapes<__half, __half, __half>() +
		     try_shapes<__half, __half, float>() + try_shapes<__half, float, __half>() +
		     try_shapes<__nv_bfloat16, float, float>() + try_shapes<signed char, int, int>() +
		     try_shapes<unsigned char, int, int>();

	wrong += try_layouts<16, 16, 8, wmma::precision::tf32, float, float>();
	wrong += try_layouts<8, 8, 4, double, double, double>();
	return verdict("matrices", wrong + try_saturation());
}
