/* The one file with device code. What the C++ files get of it is an address to launch by. */
__global__ void scale(float *v, int n, float by)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		v[i] *= by;
}

extern "C" const void *scale_kernel()
{
	return (const void *)scale;
}
