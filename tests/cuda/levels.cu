/* Breadth-first search, a level a launch: the host goes on while the device says that something has changed. */
#include <queue>
#include <vector>

#include "check.h"

struct Graph { /* the edges of node v go to to[first[v]] .. to[first[v + 1] - 1] */
	std::vector<int> first, to;
	int nodes() const
	{
		return (int)first.size() - 1;
	}
};

/* A ring of the nodes would be too easy: each has up to three edges to anywhere. */
static Graph make_graph(int nodes)
{
	Graph g;
	unsigned random = 12345;

	for (int v = 0; v < nodes; v++) {
		g.first.push_back((int)g.to.size());
		for (int e = 0; e < v % 4; e++) {
			random = random * 1664525u + 1013904223u;
			g.to.push_back((int)(random >> 8) % nodes);
		}
	}
	g.first.push_back((int)g.to.size());
	return g;
}

static std::vector<int> levels_on_host(const Graph &g, int root)
{
	std::vector<int> level(g.nodes(), -1);
	std::queue<int> open;

	level[root] = 0;
	for (open.push(root); !open.empty(); open.pop()) {
		int v = open.front();

		for (int e = g.first[v]; e < g.first[v + 1]; e++)
			if (level[g.to[e]] < 0) {
				level[g.to[e]] = level[v] + 1;
				open.push(g.to[e]);
			}
	}
	return level;
}

__global__ void visit(const int *first, const int *to, int *level, int nodes, int now, int *changed)
{
	int v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v >= nodes || level[v] != now)
		return;
	for (int e = first[v]; e < first[v + 1]; e++)
		if (level[to[e]] < 0) {
			level[to[e]] = now + 1;
			*changed = 1;
		}
}

template <class T> static T *to_device(const std::vector<T> &v)
{
	T *p;

	CHECK(cudaMalloc(&p, v.size() * sizeof(T)));
	CHECK(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
	return p;
}

int main(int argc, char **argv)
{
	Graph g = make_graph(argc > 1 ? atoi(argv[1]) : 2000);
	int root = 3, nodes = g.nodes(), now = 0, changed = 1;
	std::vector<int> level(nodes, -1), expected = levels_on_host(g, root);
	int *first = to_device(g.first), *to = to_device(g.to), *d_level, *d_changed;
	long wrong = 0;

	level[root] = 0;
	d_level = to_device(level);
	CHECK(cudaMalloc(&d_changed, sizeof(int)));
	while (changed) {
		changed = 0;
		CHECK(cudaMemcpy(d_changed, &changed, sizeof changed, cudaMemcpyHostToDevice));
		visit<<<(nodes + 127) / 128, 128>>>(first, to, d_level, nodes, now++, d_changed);
		CHECK(cudaGetLastError());
		CHECK(cudaMemcpy(&changed, d_changed, sizeof changed, cudaMemcpyDeviceToHost));
	}
	CHECK(cudaMemcpy(level.data(), d_level, nodes * sizeof(int), cudaMemcpyDeviceToHost));
	for (int v = 0; v < nodes; v++)
		wrong += level[v] != expected[v];
	printf("%d nodes, %d levels\n", nodes, now);
	CHECK(cudaFree(first));
	CHECK(cudaFree(to));
	CHECK(cudaFree(d_level));
	CHECK(cudaFree(d_changed));
	return verdict("levels", wrong);
}
