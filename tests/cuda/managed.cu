/* Managed variables: host and device read and write them by name, through pointers, and through each other's pointers,
 * in the order in which the program does so. Expected values follow from the assignments. */
#include "check.h"

struct node {
	int value;
	node *next;
};

enum { NODES = 5 };

__device__ __managed__ int counter = 40;
static __managed__ double weights[4] = {0.5, 1, 2, 4};
namespace graph
{
__managed__ node nodes[NODES];
__managed__ node *head;
} // namespace graph
__device__ int plain = 3;

/* Each node's value is added, times a weight; the counter counts them; the list is turned round. */
__global__ void turn(double *sum)
{
	node *back = nullptr;

	for (node *n = graph::head, *next; n; n = next) {
		*sum += n->value * weights[n->value % 4];
		counter++;
		next = n->next;
		n->next = back;
		back = n;
	}
	graph::head = back;
	weights[3] = plain;
}

template <class T> __global__ void add(T *to, T what)
{
	*to += what;
}

static long list_is_turned()
{
	long wrong = 0;
	int i = NODES;

	for (const node *n = graph::head; n; n = n->next)
		wrong += n != &graph::nodes[--i] || n->value != i + 1;
	return wrong + (i != 0);
}

/* A managed variable is a symbol like any other, and its address a managed pointer. */
static long is_symbol()
{
	cudaPointerAttributes is;
	double from[4] = {0}, to = 9;
	void *at;
	size_t bytes;
	long wrong = 0;

	CHECK(cudaMemcpyFromSymbol(from, weights, sizeof from));
	CHECK(cudaMemcpyToSymbol(weights, &to, sizeof to, sizeof to));
	CHECK(cudaGetSymbolAddress(&at, weights));
	CHECK(cudaGetSymbolSize(&bytes, weights));
	CHECK(cudaPointerGetAttributes(&is, &counter));
	wrong += from[0] != 0.5 || from[3] != 3 || weights[1] != 9;
	wrong += at != weights || bytes != sizeof weights;
	return wrong + (is.type != cudaMemoryTypeManaged || is.devicePointer != &counter);
}

int main()
{
	double *sum;
	long wrong = counter != 40 || weights[2] != 2;

	CHECK(cudaMallocManaged(&sum, sizeof *sum));
	for (int i = 0; i < NODES; i++)
		graph::nodes[i] = {i + 1, i + 1 < NODES ? &graph::nodes[i + 1] : nullptr};
	graph::head = graph::nodes;
	counter += 2;
	*sum = 0;
	turn<<<1, 1>>>(sum);
	add<<<1, 1>>>(&counter, 100);
	add<<<1, 1>>>(weights, 0.0);
	CHECK(cudaDeviceSynchronize());
	wrong += *sum != 1 * 1 + 2 * 2 + 3 * 4 + 4 * 0.5 + 5 * 1;
	wrong += counter != 40 + 2 + NODES + 100;
	wrong += list_is_turned() + is_symbol();
	CHECK(cudaFree(sum));
	wrong += cudaFree(&counter) != cudaErrorInvalidValue;
	return verdict("managed", wrong);
}
