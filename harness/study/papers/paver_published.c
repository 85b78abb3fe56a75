#include "study/papers/paver_published.h"

#include <math.h>
#include <string.h>

const struct paver_published paver_published[] = {
	{"hotspot", "HS", 0.995823097, 1849, 1849, 524288, 1849, 0.009194, "high"},
	{"pathfinder", "PF", 0.995689675, 463, 463, 2100000, 463, 0.036717, "low"},
	{"storegpu", "STO", 0.99480523, 384, 384, 49164, 384, 0.044271, "low"},
	{"bfs", "BFS", 0.006408691, 3907, 256, 7811036, 3907, 0.066406, "low"},
	{"srad", "SRAD", 0.977020264, 16384, 256, 4196352, 16384, 0.066406, "high"},
	{"tpacf", "TPACF", 0.745055815, 201, 201, 148388, 201, 0.084577, "low"},
	{"matmul", "MM", 0.857988166, 169, 169, 1024, 169, 0.100592, "high"},
	{"syr2k", "SYR2K", 0.4140625, 256, 64, 196608, 256, 0.265625, "high"},
	{"syrk", "SYRK", 0.4140625, 256, 64, 131072, 256, 0.265625, "high"},
	{"heartwall", "HTW", 0.923875433, 51, 51, 78135, 51, 0.333333, "high"},
	{"mergesort", "MGS", 0.939453125, 32768, 32, 8454144, 32768, 0.375, "low"},
	{"btree", "BTR", 0.000167, 10000, 10000, 674287, 10000, 0.0017, "high"},
	{"dwt2d", "DWT", 0.862603306, 4096, 44, 65536, 4096, 0.386364, "low"},
	{"spmv", "SPMV", 0.430555556, 765, 36, 6981392, 765, 0.472222, "low"},
	{"mummer", "MUM", 1, 196, 0, 1055946, 0, NAN, "none"},
	{"sad", "SAD", 1, 1584, 0, 25344, 0, NAN, "none"},
	{"blackscholes", "BLK", 1, 480, 0, 6000000, 0, NAN, "none"},
	{"backprop", "BP", 1, 4096, 0, 1114112, 0, NAN, "none"},
	{0},
};

const struct paver_published *paver_published_find(const char *workload)
{
	for (const struct paver_published *p = paver_published; p->workload; p++)
		if (!strcmp(p->workload, workload))
			return p;
	return NULL;
}

const struct paver_averages paver_speed_ups[3] = {
	{{{1.028, 1.238, 1.29}, {1.018, 1.025, 1.038}, {0.9985, 0.997, 0.995}, {1.018, 1.101, 1.126}}},
	{{{1.108, 1.325, 1.491}, {1.002, 1.018, 1.037}, {NAN, NAN, NAN}, {1.033, 1.1332, 1.2049}}},
	{{{1.045, 1.286, 1.412}, {1.004, 1.035, 1.038}, {NAN, NAN, NAN}, {1.0018, 1.124, 1.174}}},
};

const struct paver_averages paver_l2_accesses[3] = {
	{{{78.4, 61.4, 56.7}, {95, 91.88, 90.22}, {NAN, NAN, NAN}, {89.6, 81.7, 79.3}}},
	{{{79, 67, 51.59}, {94.2, 92.6, 89.1}, {NAN, NAN, NAN}, {89.6, 84.3, 76.94}}},
	{{{76.4, 65, 59.8}, {90.9, 85.5, 85.3}, {NAN, NAN, NAN}, {87, 80.5, 78.3}}},
};
