/* What a program may say of its arrays, rightly or wrongly: one subject a run, each call's answer a line. */
#include <cstring>

#include <locus_annotate.h>

#include "check.h"

__global__ void twice(int *p, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		p[i] *= 2;
}

static const taf_tid own = {{1, 0, 0, 32}, 0, 0, 0};
static int *index_, *data, *other;

static void launch()
{
	twice<<<4, 32>>>(data, 100);
}

/* 100 elements of 4 bytes, of which data's are read by what index_'s say. */
static void registered()
{
	printf("%d", taf_paramSetup(dim3(32), dim3(4)));
	printf(" %d", taf_register_tid_dep(index_, 100, 4, own, 1));
	printf(" %d", taf_setRdy(index_));
	printf(" %d\n", taf_register_indir(data, 100, 4, index_, 1, 0, 0));
}

/* A filling of all; 6 bytes that cut an element; 3 rows of 2 elements; elements on the device; what is registered
 * nowhere. */
static void pieces()
{
	const int some[6] = {1, 2, 3, 4, 5, 6};

	registered();
	CHECK(cudaMemset(index_, 0, 400));
	CHECK(cudaMemcpy((char *)index_ + 2, some, 6, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy2D(index_ + 20, 40, some, 8, 8, 3, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(other, some, sizeof some, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(index_ + 50, other, sizeof some, cudaMemcpyDeviceToDevice));
	printf("%d\n", taf_setRdy(data));
	launch();
}

static void incomplete()
{
	registered();
	CHECK(cudaMemset(index_, 0, 396));
	printf("%d\n", taf_setRdy(data));
	launch();
}

static void late()
{
	registered();
	launch();
	printf("%d\n", taf_setRdy(data));
}

static void behind()
{
	registered();
	CHECK(cudaMemset(index_, 0, 400));
	printf("%d\n", taf_setRdy(data));
	CHECK(cudaMemset(index_, 0, 4));
	launch();
	printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}

static void beyond()
{
	registered();
	printf("%d %d\n", taf_stored(index_ + 50, 51), taf_stored(other, 1));
	launch();
}

static void reset()
{
	registered();
	printf("%d %d\n", taf_reset(data), taf_reset(index_));
	printf("%d\n", taf_register_indir_range(data, 100, 4, index_, 0, index_, 0, 0));
	launch();
}

static void descriptors()
{
	ldesc line = ldesc_line(4, 100, 32);

	printf("%d", ldesc_describe(twice, data, &line));
	line.rank[0] = 5;
	printf(" %d", ldesc_describe(twice, data, &line));
	line.type = (ldesc_type)3;
	printf(" %d", ldesc_describe(twice, data, &line));
	printf(" %d", ldesc_forget(twice));
	printf(" %d\n", ldesc_forget(other));
	launch();
}

/* As many tiles as CTAs, or the launch is none. */
static void tiles()
{
	ldesc line = ldesc_line(4, 100, 50);

	printf("%d\n", ldesc_describe(twice, data, &line));
	launch();
	printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}

static void forgotten()
{
	const ldesc line = ldesc_line(4, 100, 50);
	const ldesc_given all[2] = {{data, line}, {other, ldesc_intra(line)}};

	printf("%d %d\n", ldesc_describe_all(twice, 2, all), ldesc_forget(twice));
	launch();
}

static const struct {
	const char *name;
	void (*run)();
} subjects[] = {{"pieces", pieces}, {"incomplete", incomplete},	  {"late", late},   {"behind", behind},	     {"beyond", beyond},
		{"reset", reset},   {"descriptors", descriptors}, {"tiles", tiles}, {"forgotten", forgotten}};

int main(int argc, char **argv)
{
	CHECK(cudaMalloc(&index_, 400));
	CHECK(cudaMalloc(&data, 400));
	CHECK(cudaMalloc(&other, 400));
	for (const auto &s : subjects)
		if (argc > 1 && !strcmp(s.name, argv[1]))
			s.run();
	return 0;
}
