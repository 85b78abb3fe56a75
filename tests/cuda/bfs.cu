/* Breadth-first search with a loop on the host, symbols and events; every distance is compared with a queue's. */
#include <cstdio>
#include <queue>
#include <vector>

#include <helper_cuda.h>

__constant__ int step_cost;
__device__ unsigned long long visits;

__global__ void step(const int *row, const int *column, int *distance, int n, int level, bool *more)
{
	int v = blockIdx.x * blockDim.x + threadIdx.x;

	if (v >= n || distance[v] != level)
		return;
	atomicAdd(&visits, 1ull);
	for (int e = row[v]; e < row[v + 1]; e++)
		if (distance[column[e]] < 0) {
			distance[column[e]] = level + step_cost;
			*more = true;
		}
}

static std::vector<int> reference(const std::vector<int> &row, const std::vector<int> &column)
{
	std::vector<int> distance(row.size() - 1, -1);
	std::queue<int> todo({0});

	for (distance[0] = 0; !todo.empty(); todo.pop())
		for (int v = todo.front(), e = row[v]; e < row[v + 1]; e++)
			if (distance[column[e]] < 0) {
				distance[column[e]] = distance[v] + 1;
				todo.push(column[e]);
			}
	return distance;
}

int main()
{
	const int n = 1000, one = 1;
	std::vector<int> row, column, distance(n, -1);
	int *d_row, *d_column, *d_distance, level = 0;
	bool *d_more, more = true;
	unsigned long long seen;
	cudaEvent_t begin, end;
	float ms = -1;

	for (int v = 0; v < n; v++) {
		row.push_back((int)column.size());
		column.push_back((v * 7 + 1) % n);
		column.push_back((v + 13) % n);
	}
	row.push_back((int)column.size());
	distance[0] = 0;
	checkCudaErrors(cudaMalloc(&d_row, row.size() * sizeof(int)));
	checkCudaErrors(cudaMalloc(&d_column, column.size() * sizeof(int)));
	checkCudaErrors(cudaMalloc((void **)&d_distance, n * sizeof(int)));
	checkCudaErrors(cudaMalloc(&d_more, 1));
	checkCudaErrors(cudaMemcpy(d_row, row.data(), row.size() * sizeof(int), cudaMemcpyHostToDevice));
	checkCudaErrors(cudaMemcpy(d_column, column.data(), column.size() * sizeof(int), cudaMemcpyHostToDevice));
	checkCudaErrors(cudaMemcpy(d_distance, distance.data(), n * sizeof(int), cudaMemcpyHostToDevice));
	checkCudaErrors(cudaMemcpyToSymbol(step_cost, &one, sizeof one));
	checkCudaErrors(cudaEventCreate(&begin));
	checkCudaErrors(cudaEventCreate(&end));
	checkCudaErrors(cudaEventRecord(begin));
	while (more) {
		checkCudaErrors(cudaMemset(d_more, 0, 1));
		step<<<(n + 127) / 128, 128>>>(d_row, d_column, d_distance, n, level++, d_more);
		getLastCudaError("step");
		checkCudaErrors(cudaMemcpy(&more, d_more, 1, cudaMemcpyDeviceToHost));
	}
	checkCudaErrors(cudaEventRecord(end));
	checkCudaErrors(cudaEventSynchronize(end));
	checkCudaErrors(cudaEventElapsedTime(&ms, begin, end));
	checkCudaErrors(cudaMemcpy(distance.data(), d_distance, n * sizeof(int), cudaMemcpyDeviceToHost));
	checkCudaErrors(cudaMemcpyFromSymbol(&seen, visits, sizeof seen));
	puts(distance == reference(row, column) && seen == n && ms >= 0 ? "bfs: ok" : "bfs: wrong");
	return 0;
}
