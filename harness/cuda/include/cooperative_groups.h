/* Cooperative groups (programming guide, chapter of that name): CTAs, tiles of a warp, the threads that are active,
 * grids.
 *
 * A group is a value. One of a warp's lanes is a mask; tiles of powers of two up to 32 threads. Not here: tiles larger
 * than a warp, clusters, several devices.
 */
#ifndef LOCUS_CUDA_COOPERATIVE_GROUPS_H
#define LOCUS_CUDA_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"
#include "locus/grid.h"

#define LOCUS_CG __device__ __inline__ __attribute__((always_inline))

namespace cooperative_groups
{

LOCUS_CG unsigned locus_lane()
{
	return __nvvm_read_ptx_sreg_laneid();
}
LOCUS_CG unsigned locus_lanes_below()
{
	return (1u << locus_lane()) - 1;
}
LOCUS_CG unsigned long long locus_rank_in_block()
{
	return ((unsigned long long)threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

/* ---- a CTA ---- */

class thread_block
{
      public:
	static const unsigned _group_id = 1;

	LOCUS_CG static void sync()
	{
		__syncthreads();
	}
	LOCUS_CG static unsigned thread_rank()
	{
		return (unsigned)locus_rank_in_block();
	}
	LOCUS_CG static unsigned num_threads()
	{
		return blockDim.x * blockDim.y * blockDim.z;
	}
	LOCUS_CG static unsigned size()
	{
		return num_threads();
	}
	LOCUS_CG static dim3 group_index()
	{
		return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
	}
	LOCUS_CG static dim3 thread_index()
	{
		return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
	}
	LOCUS_CG static dim3 dim_threads()
	{
		return dim3(blockDim.x, blockDim.y, blockDim.z);
	}
	LOCUS_CG static dim3 group_dim()
	{
		return dim_threads();
	}
};
LOCUS_CG thread_block this_thread_block()
{
	return thread_block();
}

/* ---- a grid, which a cooperative launch makes ---- */

class grid_group
{
      public:
	LOCUS_CG static bool is_valid()
	{
		return locus_grid_word() != (unsigned *)4;
	}
	LOCUS_CG static void sync()
	{
		locus_grid_sync();
	}
	LOCUS_CG static unsigned long long num_blocks()
	{
		return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
	}
	LOCUS_CG static unsigned long long block_rank()
	{
		return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
	}
	LOCUS_CG static unsigned long long num_threads()
	{
		return num_blocks() * thread_block::num_threads();
	}
	LOCUS_CG static unsigned long long size()
	{
		return num_threads();
	}
	LOCUS_CG static unsigned long long thread_rank()
	{
		return block_rank() * thread_block::num_threads() + locus_rank_in_block();
	}
	LOCUS_CG static dim3 group_dim()
	{
		return dim3(gridDim.x, gridDim.y, gridDim.z);
	}
	LOCUS_CG static dim3 dim_blocks()
	{
		return group_dim();
	}
	LOCUS_CG static dim3 block_index()
	{
		return thread_block::group_index();
	}
};
LOCUS_CG grid_group this_grid()
{
	return grid_group();
}

/* ---- lanes of a warp ---- */

/* What tiles and active threads have in common. `Self` says mask(), size(), thread_rank() and lane_of(rank). */
template <class Self> class locus_lanes
{
	LOCUS_CG const Self &self() const
	{
		return *static_cast<const Self *>(this);
	}

      public:
	LOCUS_CG void sync() const
	{
		__syncwarp(self().mask());
	}
	LOCUS_CG unsigned num_threads() const
	{
		return self().size();
	}
	LOCUS_CG int any(int predicate) const
	{
		return (__ballot_sync(self().mask(), predicate) & self().mask()) != 0;
	}
	LOCUS_CG int all(int predicate) const
	{
		return (__ballot_sync(self().mask(), predicate) & self().mask()) == self().mask();
	}
	LOCUS_CG unsigned ballot(int predicate) const
	{
		return self().ranks_of(__ballot_sync(self().mask(), predicate));
	}
	template <class T> LOCUS_CG unsigned match_any(T value) const
	{
		return self().ranks_of(__match_any_sync(self().mask(), value));
	}
	template <class T> LOCUS_CG unsigned match_all(T value, int &all) const
	{
		return self().ranks_of(__match_all_sync(self().mask(), value, &all));
	}
	/* Words of 4 bytes, one after another. */
	template <class T> LOCUS_CG T from_lane(T value, unsigned lane) const
	{
		unsigned words[(sizeof(T) + 3) / 4] = {};

		__builtin_memcpy(words, &value, sizeof(T));
		for (unsigned &w : words)
			w = __shfl_sync(self().mask(), w, (int)lane);
		__builtin_memcpy(&value, words, sizeof(T));
		return value;
	}
	template <class T> LOCUS_CG T shfl(T value, int rank) const
	{
		return from_lane(value, self().lane_of((unsigned)rank % self().size()));
	}
	template <class T> LOCUS_CG T shfl_up(T value, unsigned by) const
	{
		unsigned rank = self().thread_rank();

		return from_lane(value, self().lane_of(rank >= by ? rank - by : rank));
	}
	template <class T> LOCUS_CG T shfl_down(T value, unsigned by) const
	{
		unsigned rank = self().thread_rank();

		return from_lane(value, self().lane_of(rank + by < self().size() ? rank + by : rank));
	}
};

/* The lanes that execute this together, in ascending order. */
class coalesced_group : public locus_lanes<coalesced_group>
{
	unsigned lanes;

      public:
	LOCUS_CG explicit coalesced_group(unsigned mask) : lanes(mask)
	{
	}
	LOCUS_CG unsigned mask() const
	{
		return lanes;
	}
	LOCUS_CG unsigned size() const
	{
		return __popc(lanes);
	}
	LOCUS_CG unsigned thread_rank() const
	{
		return __popc(lanes & locus_lanes_below());
	}
	LOCUS_CG unsigned lane_of(unsigned rank) const
	{
		return __fns(lanes, 0, (int)rank + 1);
	}
	LOCUS_CG unsigned ranks_of(unsigned of_lanes) const
	{
		unsigned ranks = 0, i = 0;

		for (unsigned left = lanes; left; left &= left - 1, i++)
			ranks |= (of_lanes >> (__ffs(left) - 1) & 1) << i;
		return ranks;
	}
	LOCUS_CG unsigned meta_group_size() const
	{
		return 1;
	}
	LOCUS_CG unsigned meta_group_rank() const
	{
		return 0;
	}
};
LOCUS_CG coalesced_group coalesced_threads()
{
	return coalesced_group(__activemask());
}
template <class Group> LOCUS_CG coalesced_group binary_partition(const Group &g, bool predicate)
{
	unsigned yes = __ballot_sync(g.mask(), predicate) & g.mask();

	return coalesced_group(predicate ? yes : g.mask() & ~yes);
}
template <class Group, class T> LOCUS_CG coalesced_group labeled_partition(const Group &g, T label)
{
	return coalesced_group(__match_any_sync(g.mask(), label) & g.mask());
}

/* n threads of consecutive ranks, n a power of two up to 32. */
/* What a tile is a part of, which its rank among others depends on. */
template <class Parent> struct locus_parent {
	typedef Parent type;
};
template <> struct locus_parent<void> {
	typedef thread_block type;
};
class thread_group;
template <> struct locus_parent<thread_group> {
	typedef thread_block type;
};

template <unsigned n, class Parent = void> class thread_block_tile : public locus_lanes<thread_block_tile<n, Parent>>
{
	static_assert(n >= 1 && n <= 32 && !(n & (n - 1)), "a tile has 1, 2, 4, 8, 16 or 32 threads");

	LOCUS_CG static unsigned begin()
	{
		return locus_lane() & ~(n - 1);
	}

      public:
	thread_block_tile() = default;
	template <class Other> LOCUS_CG thread_block_tile(const thread_block_tile<n, Other> &)
	{
	}
	LOCUS_CG static unsigned mask()
	{
		return (unsigned)((1ull << n) - 1) << begin();
	}
	LOCUS_CG static constexpr unsigned size()
	{
		return n;
	}
	LOCUS_CG static unsigned thread_rank()
	{
		return locus_lane() & (n - 1);
	}
	LOCUS_CG static unsigned lane_of(unsigned rank)
	{
		return begin() + rank;
	}
	LOCUS_CG static unsigned ranks_of(unsigned of_lanes)
	{
		return (of_lanes & mask()) >> begin();
	}
	LOCUS_CG static unsigned meta_group_rank()
	{
		return locus_parent<Parent>::type::thread_rank() / n;
	}
	LOCUS_CG static unsigned meta_group_size()
	{
		return (locus_parent<Parent>::type::size() + n - 1) / n;
	}
	template <class T> LOCUS_CG T shfl_xor(T value, unsigned bits) const
	{
		return this->from_lane(value, begin() + ((thread_rank() ^ bits) & (n - 1)));
	}
};
template <unsigned n, class Parent> LOCUS_CG thread_block_tile<n, Parent> tiled_partition(const Parent &)
{
	return thread_block_tile<n, Parent>();
}

/* A group that is known when the program runs: a CTA, or lanes. */
class thread_group
{
	unsigned lanes; /* 0: the CTA */

      public:
	LOCUS_CG thread_group(const thread_block &) : lanes(0)
	{
	}
	LOCUS_CG thread_group(const coalesced_group &g) : lanes(g.mask())
	{
	}
	template <unsigned n, class P> LOCUS_CG thread_group(const thread_block_tile<n, P> &g) : lanes(g.mask())
	{
	}
	LOCUS_CG void sync() const
	{
		if (lanes)
			__syncwarp(lanes);
		else
			__syncthreads();
	}
	LOCUS_CG unsigned size() const
	{
		return lanes ? __popc(lanes) : thread_block::size();
	}
	LOCUS_CG unsigned num_threads() const
	{
		return size();
	}
	LOCUS_CG unsigned thread_rank() const
	{
		return lanes ? __popc(lanes & locus_lanes_below()) : thread_block::thread_rank();
	}
};
/* size: a power of two up to 32. */
LOCUS_CG thread_group tiled_partition(const thread_group &, unsigned size)
{
	return coalesced_group((unsigned)((1ull << size) - 1) << (locus_lane() & ~(size - 1)));
}

template <class Group> LOCUS_CG void sync(const Group &g)
{
	g.sync();
}

/* ---- copies by a group, which are done when they return; wait() is the group's barrier ---- */

template <class Group> LOCUS_CG void memcpy_async(const Group &g, void *to, const void *from, size_t bytes)
{
	if (!(((size_t)to | (size_t)from | bytes) & 3))
		for (size_t i = g.thread_rank(); i < bytes / 4; i += g.size())
			((unsigned *)to)[i] = ((const unsigned *)from)[i];
	else
		for (size_t i = g.thread_rank(); i < bytes; i += g.size())
			((char *)to)[i] = ((const char *)from)[i];
}
template <class Group> LOCUS_CG void wait(const Group &g)
{
	g.sync();
}
template <unsigned stages, class Group> LOCUS_CG void wait_prior(const Group &g)
{
	g.sync();
}

/* ---- reductions and scans over lanes ---- */

template <class T> struct plus {
	LOCUS_CG T operator()(T a, T b) const
	{
		return a + b;
	}
};
template <class T> struct less {
	LOCUS_CG T operator()(T a, T b) const
	{
		return b < a ? b : a;
	}
};
template <class T> struct greater {
	LOCUS_CG T operator()(T a, T b) const
	{
		return a < b ? b : a;
	}
};
template <class T> struct bit_and {
	LOCUS_CG T operator()(T a, T b) const
	{
		return a & b;
	}
};
template <class T> struct bit_or {
	LOCUS_CG T operator()(T a, T b) const
	{
		return a | b;
	}
};
template <class T> struct bit_xor {
	LOCUS_CG T operator()(T a, T b) const
	{
		return a ^ b;
	}
};

template <class Group, class T, class F> LOCUS_CG T inclusive_scan(const Group &g, T value, F f)
{
	for (unsigned by = 1; by < g.size(); by *= 2) {
		T other = g.shfl_up(value, by);

		if (g.thread_rank() >= by)
			value = f(other, value);
	}
	return value;
}
template <class Group, class T> LOCUS_CG T inclusive_scan(const Group &g, T value)
{
	return inclusive_scan(g, value, plus<T>());
}
template <class Group, class T, class F> LOCUS_CG T exclusive_scan(const Group &g, T value, F f)
{
	T before = g.shfl_up(inclusive_scan(g, value, f), 1);

	return g.thread_rank() ? before : T();
}
template <class Group, class T> LOCUS_CG T exclusive_scan(const Group &g, T value)
{
	return exclusive_scan(g, value, plus<T>());
}
/* In halves: a group of any size, whose last lanes join in what is there. */
template <class Group, class T, class F> LOCUS_CG T reduce(const Group &g, T value, F f)
{
	for (unsigned n = g.size(); n > 1; n = (n + 1) / 2) {
		unsigned by = (n + 1) / 2;
		T other = g.shfl_down(value, by);

		if (g.thread_rank() + by < n)
			value = f(value, other);
	}
	return g.shfl(value, 0);
}

} // namespace cooperative_groups

#undef LOCUS_CG

#endif
