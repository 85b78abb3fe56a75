/* The occupancy calculator that CUDA has for programs without a device: Thrust includes it and uses nothing of it, and
 * nothing of it is here. What a device answers is in cuda_runtime_api.h (cudaOccupancyMaxActiveBlocks...). */
