/* y = A x for the matrix of an undirected graph in a METIS file, a row a thread: spmv FILE [managed]. The calls of TAFE
 * and of the Locality Descriptor say so, by which `locus cuda --plan tafe` and `--plan ldesc` place it. On a GPU they
 * do nothing. */
#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <locus_annotate.h>

#include "check.h"

enum { BLOCK = 128 };

extern "C" __global__ void spmv_scalar(const unsigned *row, const unsigned *col, const float *value, const float *x, float *y,
				       unsigned n)
{
	unsigned r = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;

	if (r >= n)
		return;
	for (unsigned i = row[r]; i < row[r + 1]; i++)
		sum += value[i] * x[col[i]];
	y[r] = sum;
}

struct Matrix { /* compressed rows */
	std::vector<unsigned> row, col;
	std::vector<float> value;
	unsigned rows() const
	{
		return (unsigned)row.size() - 1;
	}
};

/* A line a node: its neighbours, from 1. */
static Matrix read_graph(const char *path)
{
	std::ifstream file(path);
	std::string line;
	Matrix a;
	unsigned to;

	std::getline(file, line);
	a.row.push_back(0);
	while (std::getline(file, line)) {
		std::istringstream words(line);

		while (words >> to) {
			a.col.push_back(to - 1);
			a.value.push_back((float)(a.col.size() % 10 + 1));
		}
		a.row.push_back((unsigned)a.col.size());
	}
	return a;
}

/* Arrays are allocated before they are filled. Managed ones the program fills itself, which it says. */
struct Memory {
	bool managed;

	template <class T> T *room(size_t n) const
	{
		T *p;

		if (managed)
			CHECK(cudaMallocManaged(&p, n * sizeof(T)));
		else
			CHECK(cudaMalloc(&p, n * sizeof(T)));
		return p;
	}

	template <class T> void fill(T *p, const std::vector<T> &v) const
	{
		if (!managed) {
			CHECK(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
			return;
		}
		std::copy(v.begin(), v.end(), p);
		taf_stored(p, v.size());
	}
};

struct Device {
	unsigned *row, *col;
	float *value, *x, *y;
};

/* What a thread reads: its row's begin and the next one's; the entries between; the vector where they say. What it took
 * the program to make an entry and a value is what TAFE's authors' program takes (docs/studies/tafe.md). */
static void fill_annotated(const Memory &memory, const Device &d, const Matrix &a, const std::vector<float> &x, dim3 block,
			   dim3 grid)
{
	const taf_tid own = {{1, 0, 0, BLOCK}, 0, 0, 0};

	taf_paramSetup(block, grid);
	taf_register_tid_dep(d.row, a.row.size(), 4, own, true);
	taf_setRdy(d.row);
	taf_register_indir_range(d.col, a.col.size(), 4, d.row, 0, d.row, 0, true);
	taf_register_indir_range(d.value, a.value.size(), 4, d.row, 0, d.row, 0, false);
	memory.fill(d.row, a.row);
	taf_setRdy(d.col);
	taf_setRdy(d.value);
	taf_register_indir(d.x, x.size(), 4, d.col, 1, 0, false);
	taf_tid_array(d.y, a.rows(), 4, own);
	taf_valueInsts(1500);
	memory.fill(d.col, a.col);
	taf_valueInsts(60);
	memory.fill(d.value, a.value);
	taf_valueInsts(0);
	memory.fill(d.x, x);
	taf_setRdy(d.x);
}

/* A thread comes back to the lines of its row, a D-tile as long as the mean; all threads share the vector. */
static void describe(const Device &d, const Matrix &a, dim3 block, dim3 grid)
{
	uint64_t threads = (uint64_t)grid.x * block.x, tile = (a.col.size() + threads - 1) / threads;
	ldesc line = ldesc_line(4, tile * threads, tile);

	line.c_unit = LDESC_THREADS;

	const ldesc_given all[] = {
		{d.value, ldesc_intra(line)}, {d.col, ldesc_intra(line)}, {d.x, ldesc_coaccessed(ldesc_whole(4, a.rows()), 0)}};

	ldesc_describe_all(spmv_scalar, 3, all);
}

static long differences(const Matrix &a, const std::vector<float> &x, const std::vector<float> &y)
{
	long wrong = 0;

	for (unsigned r = 0; r < a.rows(); r++) {
		double sum = 0;

		for (unsigned i = a.row[r]; i < a.row[r + 1]; i++)
			sum += (double)a.value[i] * x[a.col[i]];
		wrong += sum != y[r]; /* small whole numbers: exact */
	}
	return wrong;
}

int main(int argc, char **argv)
{
	Matrix a = read_graph(argc > 1 ? argv[1] : "graph.graph");
	std::vector<float> x(a.rows()), y(a.rows());
	Memory memory = {argc > 2};
	Device d = {memory.room<unsigned>(a.row.size()), memory.room<unsigned>(a.col.size()), memory.room<float>(a.value.size()),
		    memory.room<float>(x.size()), memory.room<float>(y.size())};

	for (unsigned i = 0; i < a.rows(); i++)
		x[i] = (float)(i % 7);

	dim3 block(BLOCK), grid((a.rows() + BLOCK - 1) / BLOCK);

	fill_annotated(memory, d, a, x, block, grid);
	describe(d, a, block, grid);
	spmv_scalar<<<grid, block>>>(d.row, d.col, d.value, d.x, d.y, a.rows());
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpy(y.data(), d.y, y.size() * sizeof(float), cudaMemcpyDefault));
	return verdict("spmv", differences(a, x, y));
}
