static __global__ void square(int *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		out[i] = i * i + 1;
}
void squares(int *out, int n)
{
	square<<<(n + 31) / 32, 32>>>(out, n);
	cudaDeviceSynchronize();
}
