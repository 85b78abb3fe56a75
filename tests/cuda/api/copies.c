/* Copies and fills of every shape and direction. */
#include "api.h"

#include <stdlib.h>

enum { N = 1000 };

static void in_line(void)
{
	unsigned char from[N], to[N];
	unsigned char *p, *q, *pinned;

	for (int i = 0; i < N; i++)
		from[i] = (unsigned char)(i * 7);
	WORKS(cudaMalloc((void **)&p, N));
	WORKS(cudaMalloc((void **)&q, N));
	WORKS(cudaMallocHost((void **)&pinned, N));
	WORKS(cudaMemcpy(p, from, N, cudaMemcpyHostToDevice));
	WORKS(cudaMemcpy(q + 1, p, N - 1, cudaMemcpyDeviceToDevice));
	WORKS(cudaMemcpy(pinned, q + 1, N - 1, cudaMemcpyDefault));
	WORKS(cudaMemcpy(to, pinned, N - 1, cudaMemcpyHostToHost));
	HOLDS(!memcmp(to, from, N - 1));
	WORKS(cudaMemcpyAsync(to, p + 500, 1, cudaMemcpyDeviceToHost, NULL));
	HOLDS(to[0] == from[500]);

	EXPECT(cudaMemcpy(p, from, N, (enum cudaMemcpyKind)5), cudaErrorInvalidMemcpyDirection);
	EXPECT(cudaMemcpy(to, from, N, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
	EXPECT(cudaMemcpy(to, from, N, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
	EXPECT(cudaMemcpy(p, from, N, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
	EXPECT(cudaMemcpy(p, NULL, N, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
	EXPECT(cudaMemcpy(p, from, N + 1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
	EXPECT(cudaMemcpy(p + 1, from, N, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
	EXPECT(cudaMemcpy(to, p - 1, 2, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
	EXPECT(cudaMemcpy(to, p, (size_t)-1, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
	WORKS(cudaMemcpy(p + N, from, 0, cudaMemcpyHostToDevice));
	WORKS(cudaMemset(p, 0x5a, N));
	EXPECT(cudaMemset(p, 0, N + 1), cudaErrorInvalidValue);
	EXPECT(cudaMemset(to, 0, N), cudaErrorInvalidValue);
	WORKS(cudaMemset(p, 0x1ff, 1)); /* the value is a byte */
	WORKS(cudaMemcpy(to, p, 2, cudaMemcpyDeviceToHost));
	HOLDS(to[0] == 0xff && to[1] == 0x5a);
	WORKS(cudaFree(p));
	EXPECT(cudaMemcpy(to, p, 1, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
	EXPECT(cudaMemset(p, 0, 1), cudaErrorInvalidValue);
	WORKS(cudaFree(q));
	WORKS(cudaFreeHost(pinned));
}

/* Rows of 6 bytes, 16 apart on the device and 8 on the host. What is between them stays. */
static void rows(void)
{
	char from[3 * 8], to[3 * 8], all[3 * 16];
	char *p;

	for (unsigned i = 0; i < sizeof from; i++)
		from[i] = (char)i;
	memset(to, -1, sizeof to);
	WORKS(cudaMalloc((void **)&p, 3 * 16));
	WORKS(cudaMemset(p, 99, 3 * 16));
	WORKS(cudaMemcpy2D(p, 16, from, 8, 6, 3, cudaMemcpyHostToDevice));
	WORKS(cudaMemcpy(all, p, sizeof all, cudaMemcpyDeviceToHost));
	HOLDS(all[0] == 0 && all[5] == 5 && all[6] == 99 && all[16] == 8 && all[37] == 21 && all[38] == 99);
	WORKS(cudaMemcpy2D(to, 8, p, 16, 6, 3, cudaMemcpyDeviceToHost));
	HOLDS(to[0] == 0 && to[5] == 5 && to[6] == -1 && to[21] == 21 && to[22] == -1);
	EXPECT(cudaMemcpy2D(p, 16, from, 4, 6, 3, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
	EXPECT(cudaMemcpy2D(p, 4, from, 8, 6, 1, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
	EXPECT(cudaMemcpy2D(p, 16, from, 8, 6, 3, (enum cudaMemcpyKind) - 1), cudaErrorInvalidMemcpyDirection);
	EXPECT(cudaMemcpy2D(p, 16, from, 8, 6, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
	EXPECT(cudaMemcpy2D(p + 11, 16, from, 8, 6, 3, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
	WORKS(cudaMemcpy2D(p + 10, 16, from, 8, 6, 3, cudaMemcpyHostToDevice));
	EXPECT(cudaMemcpy2D(p, (size_t)1 << 62, from, 8, 6, 3, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
	WORKS(cudaMemset2D(p, 16, 7, 2, 3));
	EXPECT(cudaMemset2D(p, 16, 7, 2, 4), cudaErrorInvalidValue);
	WORKS(cudaMemcpy(all, p, sizeof all, cudaMemcpyDeviceToHost));
	HOLDS(all[0] == 7 && all[1] == 7 && all[2] == 2 && all[33] == 7 && all[34] == 18);
	WORKS(cudaFree(p));
}

void api_copies(void)
{
	in_line();
	rows();
}

static struct cudaMemcpy3DParms box_of(struct cudaPitchedPtr to, struct cudaPitchedPtr from, enum cudaMemcpyKind kind)
{
	return (struct cudaMemcpy3DParms){.dstPtr = to, .srcPtr = from, .extent = {4, 3, 2}, .kind = kind};
}

/* 4 bytes by 3 rows by 2 slices, out of the middle of 6 x 5 x 4. */
static void boxes(void)
{
	unsigned char from[6 * 5 * 4], to[4 * 3 * 2];
	struct cudaPitchedPtr host = {from, 6, 6, 5}, back = {to, 4, 4, 3}, p;
	struct cudaMemcpy3DParms in, out;

	for (unsigned i = 0; i < sizeof from; i++)
		from[i] = (unsigned char)i;
	WORKS(cudaMalloc3D(&p, (struct cudaExtent){4, 3, 2}));
	in = box_of(p, host, cudaMemcpyHostToDevice);
	in.srcPos = (struct cudaPos){1, 2, 1};
	WORKS(cudaMemcpy3D(&in));
	out = box_of(back, p, cudaMemcpyDeviceToHost);
	WORKS(cudaMemcpy3D(&out));
	for (int i = 0; i < 4 * 3 * 2; i++)
		HOLDS(to[i] == (i / 12 + 1) * 30 + (i / 4 % 3 + 2) * 6 + i % 4 + 1);
	in.dstPos.z = 1;
	EXPECT(cudaMemcpy3D(&in), cudaErrorInvalidValue);
	in.dstPos.z = 0;
	in.srcPtr.ptr = NULL;
	EXPECT(cudaMemcpy3D(&in), cudaErrorInvalidValue);
	EXPECT(cudaMemcpy3D(NULL), cudaErrorInvalidValue);
	WORKS(cudaMemset3D(p, 3, (struct cudaExtent){4, 1, 2}));
	WORKS(cudaMemcpy3D(&out));
	HOLDS(to[0] == 3 && to[3] == 3 && to[4] == from[1 * 30 + 3 * 6 + 1] && to[12] == 3 && to[16] != 3);
	WORKS(cudaFree(p.ptr));
}

static void arrays(void)
{
	struct cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindSigned}, odd = {24, 0, 0, 0, 0}, is;
	int from[20], to[20] = {0};
	struct cudaExtent extent;
	cudaArray_t a;

	for (int i = 0; i < 20; i++)
		from[i] = i * i;
	EXPECT(cudaMallocArray(&a, &odd, 5, 4, 0), cudaErrorInvalidChannelDescriptor);
	EXPECT(cudaMallocArray(&a, &format, 0, 4, 0), cudaErrorInvalidValue);
	EXPECT(cudaMallocArray(NULL, &format, 5, 4, 0), cudaErrorInvalidValue);
	WORKS(cudaMallocArray(&a, &format, 5, 4, 0));
	WORKS(cudaArrayGetInfo(&is, &extent, NULL, a));
	HOLDS(is.x == 32 && is.f == cudaChannelFormatKindSigned && extent.width == 5 && extent.height == 4 && extent.depth == 0);
	WORKS(cudaMemcpy2DToArray(a, 0, 0, from, 20, 20, 4, cudaMemcpyHostToDevice));
	WORKS(cudaMemcpy2DFromArray(to, 8, a, 4, 1, 8, 2, cudaMemcpyDeviceToHost)); /* 2 x 2 elements from (1, 1) on */
	HOLDS(to[0] == 36 && to[1] == 49 && to[2] == 121 && to[3] == 144);
	EXPECT(cudaMemcpy2DToArray(a, 4, 0, from, 20, 20, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
	EXPECT(cudaMemcpy2DToArray(a, 0, 1, from, 20, 20, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
	EXPECT(cudaMemcpy2DToArray(a, 0, 0, from, 16, 20, 4, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
	WORKS(cudaFreeArray(a));
	WORKS(cudaFreeArray(NULL));
}

void api_boxes(void)
{
	boxes();
	arrays();
}

void api_symbols(void)
{
	int value[4] = {0}, *at;
	static char unknown[4];
	size_t bytes = 0;

	WORKS(cudaGetSymbolSize(&bytes, api_counters));
	HOLDS(bytes == 16);
	WORKS(cudaMemcpyFromSymbol(value, api_counters, 16, 0, cudaMemcpyDeviceToHost));
	HOLDS(value[0] == 1 && value[1] == 2 && value[2] == 3 && value[3] == 4);
	value[0] = 11;
	WORKS(cudaMemcpyToSymbol(api_counters, value, 4, 8, cudaMemcpyHostToDevice));
	WORKS(cudaGetSymbolAddress((void **)&at, api_counters));
	WORKS(cudaMemcpy(value, at + 1, 12, cudaMemcpyDeviceToHost));
	HOLDS(value[0] == 2 && value[1] == 11 && value[2] == 4);
	EXPECT(cudaMemcpyToSymbol(api_counters, value, 4, 13, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
	EXPECT(cudaMemcpyToSymbol(api_counters, value, 17, 0, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
	EXPECT(cudaMemcpyToSymbol(api_counters, value, 1, (size_t)-1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
	EXPECT(cudaMemcpyToSymbol(api_counters, value, 4, 0, cudaMemcpyDeviceToHost), cudaErrorInvalidMemcpyDirection);
	EXPECT(cudaMemcpyFromSymbol(value, api_counters, 4, 0, cudaMemcpyHostToDevice), cudaErrorInvalidMemcpyDirection);
	EXPECT(cudaMemcpyToSymbol(unknown, value, 4, 0, cudaMemcpyHostToDevice), cudaErrorInvalidSymbol);
	EXPECT(cudaMemcpyFromSymbol(value, NULL, 4, 0, cudaMemcpyDeviceToHost), cudaErrorInvalidSymbol);
	EXPECT(cudaFree(at), cudaErrorInvalidValue); /* it is the module's */
	EXPECT(cudaGetSymbolAddress((void **)&at, unknown), cudaErrorInvalidSymbol);
	EXPECT(cudaGetSymbolSize(&bytes, unknown), cudaErrorInvalidSymbol);
}
