/* What a machine is: every number of it that the cycle model reads, from a YAML file.
 *
 * One table (machine/schema.c) names each key, its type, legal range and meaning; the file, `--set key=value` and the
 * printed "resolved machine" all go through it. Errors name file, line, column and key.
 *
 * Units: bytes; cycles of the clock that the comment names. Time is counted in ticks of one common clock, of which
 * every domain's period is a whole number (machine_resolve computes them; base/ticks.h).
 * Source of the values: dwt-pric, Table 1, and docs/reference/machines.md.
 */
#ifndef CSIM_MACHINE_MACHINE_H
#define CSIM_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

enum machine_clock { CLOCK_CORE, CLOCK_NET, CLOCK_L2, CLOCK_DRAM, CLOCK_CPU, CLOCK_COUNT };
enum machine_index { INDEX_LINEAR, INDEX_PRIC };
enum machine_scheduler { SCHED_GTO, SCHED_LRR, SCHED_GTY };
enum machine_dependences { DEPENDENCES_SCOREBOARD, DEPENDENCES_FIXED };
enum machine_throttle { THROTTLE_NONE, THROTTLE_SWT, THROTTLE_CTA, THROTTLE_DWT_CS, THROTTLE_CCWS, THROTTLE_PCAL };
enum machine_pipe { PIPE_SP, PIPE_SFU };
enum machine_throttle_unit { THROTTLE_PER_THREAD_INSTS, THROTTLE_PER_WARP_INSTS, THROTTLE_PER_CYCLES };
enum machine_throttle_over { THROTTLE_MEAN, THROTTLE_ANY };
enum machine_bypass_policy { BYPASS_NONE, BYPASS_STREAMING, BYPASS_LOCALITY /* turned on by a plan */ };
/* REPLACE_PIN, of an L1: by the block pin_replacement. */
enum machine_replacement { REPLACE_LRU, REPLACE_FIFO, REPLACE_RANDOM, REPLACE_SRRIP, REPLACE_PIN };
enum machine_front { FRONT_NONE, FRONT_MRPB };
enum machine_prefetcher { PREFETCH_NONE, PREFETCH_NEXT_LINE, PREFETCH_LOCALITY /* turned on by a plan */ };
enum machine_dram_sched { DRAM_FCFS, DRAM_FRFCFS };
enum machine_write_allocate { WRITE_ALLOCATE_FETCH_PARTIAL, WRITE_ALLOCATE_FETCH_ALWAYS, WRITE_ALLOCATE_FETCH_ON_READ };
enum machine_l1_allocate { L1_ALLOCATE_ON_MISS, L1_ALLOCATE_ON_FILL };
enum machine_l1_write_hit { L1_WRITE_EVICTS, L1_WRITE_UPDATES };
enum machine_cpu_distribution { CPU_DISTRIBUTE_TURNS, CPU_DISTRIBUTE_BLOCKS };
enum machine_l2_side { L2_SIDE_MEMORY, L2_SIDE_SM };
enum machine_topology { TOPOLOGY_TREE, TOPOLOGY_RING, TOPOLOGY_FULL, TOPOLOGY_P2P, TOPOLOGY_LIST };
enum machine_bank_group_bits { BANK_GROUP_HIGH, BANK_GROUP_LOW };
enum machine_page_placement { PAGE_PLACE_INTERLEAVE, PAGE_PLACE_PAGES, PAGE_PLACE_FIRST_TOUCH };
enum machine_migrate { MIGRATE_OFF, MIGRATE_INTERLEAVE, MIGRATE_PAGES };
enum machine_dram_first { DRAM_FIRST_COLUMN, DRAM_FIRST_ACTIVATE };
enum machine_dram_refresh { DRAM_REFRESH_ALL, DRAM_REFRESH_SINGLE };
enum machine_dram_drain { DRAM_DRAIN_TURNS, DRAM_DRAIN_WATERMARKS };
enum machine_command_bus { COMMAND_BUS_SINGLE, COMMAND_BUS_DUAL };

enum { MACHINE_MAX_MODULES = 64, MACHINE_MAX_STACKS = 64, MACHINE_MAX_SMS = 1024, MACHINE_MAX_GPC_SMS = 64 };
enum { MACHINE_MAX_PORTS = 256 /* of a crossbar, each side */, MACHINE_MAX_KEYS = 512, MACHINE_MAX_FILES = 9 };

/* A number for each module: the last one holds for all further modules. */
struct machine_list {
	uint32_t n, v[MACHINE_MAX_MODULES];
};

/* Where each key was set, by its index in the schema, for errors that show only later. */
struct machine_origins {
	char file[MACHINE_MAX_FILES][256];
	struct {
		uint8_t file; /* + 1; 0: nowhere; UINT8_MAX: --set */
		uint32_t line, column;
	} key[MACHINE_MAX_KEYS];
};

/* A cache's shape, shared by L1, L2 and the small caches. */
struct machine_cache {
	/* line: a power of two; sets = bytes / line / assoc, a power of two. assoc 0, until it is resolved: one set */
	uint32_t bytes, line, assoc;
	enum machine_index index;
	uint32_t poly;	    /* of PRIC: coefficients as bits, degree = log2(sets) */
	uint32_t addr_bits; /* of PRIC: address bits that are hashed; 0: the full address */
	uint32_t mshr_entries, mshr_merges, miss_queue;
	uint32_t sectors; /* of a line: 1, 2 or 4 (cache/sectors.h); 0: 1 */
};

/* The bypass policy of a cache (policy/cache_policy.h). */
struct machine_bypass {
	enum machine_bypass_policy policy;
	uint32_t rate;	 /* %: of loads that miss, above which the cache is bypassed */
	uint32_t period; /* cycles of the cache's clock over which they are counted */
};

struct machine_tlb {
	uint32_t entries, ways; /* entries / ways: a power of two of sets */
	uint32_t latency;	/* core cycles; what it counts: vm/mmu.h */
};

struct machine_op {			  /* one class of operations: add, max, mul, mad, div */
	uint32_t latency[5], interval[5]; /* core cycles from issue to result; cycles that it holds its pipeline's
					   * input */
};

struct machine {
	char name[64];

	struct { /* clock.* : MHz in the file */
		uint32_t mhz[CLOCK_COUNT];
		uint32_t period[CLOCK_COUNT]; /* resolved: ticks of a cycle */
		uint64_t ticks_per_us;	      /* resolved: the common clock, MHz */
	} clock;

	struct {		/* module.* */
		uint32_t count; /* modules: SMs, stacks of memory and the network between them */
		bool walkers;	/* resolved: each has a page walker, a requester beside its SMs */
		bool movers;	/* resolved: each has a page mover, in addition to the requesters of its memory */
		uint32_t gccs;	/* resolved: of the GPCs, of one module, likewise requesters beside its SMs; 0: none */
	} module;

	struct {			       /* sm.* */
		struct machine_list of_module; /* key sm.count */
		uint32_t count;		       /* resolved: all modules */
		uint32_t warps, ctas, threads, registers, shared_bytes;
		uint32_t schedulers;
		enum machine_scheduler scheduler;
		uint32_t lsu_queue;	/* memory instructions that wait ahead of the load/store unit */
		uint32_t subcores;	/* partitions: warps, schedulers and pipelines are theirs in turn */
		bool independent_lanes; /* diverged lanes of a warp take turns where none can go on otherwise */
		bool fold;		/* what an assembler folds is not issued (trace/folds.h) */
		bool schedule;		/* programs are executed in an assembler's order (ptx/ptx.h) */
		uint32_t register_unit; /* registers are handed out to a warp in multiples of this many */
		/* of the array that L1 and shared memory share (machine/carveout.h); 0: each has its own */
		uint32_t unified_bytes;
		struct machine_list carveouts; /* shared memory that a launch can have of it, ascending */
		uint32_t shared_reserve;       /* bytes of shared memory that each CTA costs beside its own */
		/* of arithmetic on pipelines (sm/inst/kernel.h) */
		enum machine_dependences dependences;
	} sm;

	struct { /* throttle.* : which warps may issue (policy/warp_throttle.h) */
		enum machine_throttle policy;
		uint32_t warps;		/* of a scheduler, at most */
		char kernels[512];	/* likewise, "KERNEL:N" with + between them, or "none" */
		uint32_t ctas;		/* of an SM, at most */
		uint32_t tokens;	/* pcal: warps of a scheduler whose loads allocate */
		uint32_t base, k;	/* ccws: a warp's score without losses; how much a loss raises it */
		uint32_t victims, ways; /* ccws: victim tags a warp, and a set */
		/* dwt-cs (csim/throttle/): */
		uint32_t period;		 /* core cycles */
		uint32_t n, m;			 /* periods: above the threshold before a sampling; of the sampling */
		uint32_t threshold;		 /* L1 misses per kilo ... */
		enum machine_throttle_unit unit; /* ... of these, */
		enum machine_throttle_over over; /* of all SMs, or of any */
		uint32_t latency;		 /* core cycles of a message to or from the coordinator */
		uint32_t entries;		 /* kernels that have counters and a winner */
		uint32_t watchdog;		 /* periods that a limit holds without a warp's end; 0: any number */
	} throttle;

	struct {			/* subcore.* : of each of sm.subcores (sm/subcore.h) */
		uint32_t queue;		/* instructions between issue and what all share; 0: none */
		uint32_t interval;	/* core cycles between two that leave a sub-core's queue */
		uint32_t ldst_interval; /* core cycles between two that the load/store unit takes from any */
	} subcore;

	struct {		      /* launch.* */
		uint32_t latency;     /* core cycles from a launch to its first CTA */
		uint32_t cta_latency; /* core cycles in which a CTA is on its way to its SM */
		uint32_t concurrent;  /* launches of a program at the same time */
	} launch;

	struct { /* pipe.* : units an SM */
		uint32_t sp, sfu, ldst;
		uint32_t integer, dp;	     /* 0: the SPs do that; double precision: who fp64 says */
		enum machine_pipe fp64, div; /* who runs these */
		uint32_t depth;		     /* core cycles ahead of and behind execution */
		uint32_t tensor;	     /* 0: none */
		uint32_t tensor_rate[5];     /* multiply-adds a core cycle of a tensor unit, by class: OP_TENSOR_* */
	} pipe;

	struct {			       /* operands.* (sm/operands.h) */
		uint32_t banks;		       /* of the register file of an SM; 0: operands are there at once */
		uint32_t sp, sfu, tensor, mem; /* collectors */
	} operands;

	struct { /* latency.* */
		struct machine_op int32, fp32, fp64;
		uint32_t sfu, sfu_interval;
		uint32_t branch; /* core cycles until the warp's next instruction can issue */
		uint32_t tensor; /* from the last multiply-adds of a product to its result */
	} op;

	struct {			 /* shared.* */
		uint32_t latency, banks; /* core cycles, unloaded; banks 4 bytes wide */
	} shared;

	struct { /* l1.* */
		bool enabled;
		uint32_t most_ways; /* resolved: c.assoc, or those that the smallest carve-out leaves */
		bool monitor;	    /* a set monitor (hw/twins/set_monitor.h) counts the index conflicts of each set */
		struct machine_cache c;
		uint32_t latency;      /* core cycles from issue to result of a hit */
		uint32_t miss_room;    /* of the miss queue, in packets, before a load misses or merges */
		bool store_needs_line; /* not all ways of its set wait for fills */
		enum machine_replacement replacement;
		uint32_t seed; /* of random replacement */
		enum machine_l1_allocate allocate;
		enum machine_l1_write_hit write_hit;	/* what a store does to what it hits */
		uint32_t banks, bank_bytes, port_bytes; /* sm/lsu/lsu_ports.h; bytes 0: a line; as many as there are */
		uint32_t packet_sectors;		/* that a miss's packet asks for, at most */
		struct machine_bypass bypass;
		struct {
			enum machine_prefetcher policy;
			uint32_t mshrs, queue; /* entries of each that a prefetch leaves free */
		} prefetch;
		struct { /* what is between coalescer and L1 (sm/lsu/mrpb.h) */
			enum machine_front policy;
			uint32_t depth; /* requests a warp */
			bool bypass;	/* loads go past the L1 where all ways of their set are reserved */
		} front;
		struct {			 /* pins by buffer (policy/buffer_pins.h), with REPLACE_PIN */
			char hard[64], soft[64]; /* names of buffers with + between them, or "none" */
			uint32_t timer;		 /* core cycles (hw/twins/pin_replacement.h) */
		} pin;
	} l1;

	struct {		       /* caches.* : of L1s and L2 slices */
		bool locality_classes; /* are counted (cache/locality_classes.h) */
		bool operators;	       /* are honoured (cache/l1.h) */
	} caches;

	struct {		     /* fetch.*, icache.* (sm/fetch.h) */
		uint32_t width;	     /* instructions of a warp's buffer; 0: they are always there */
		uint32_t latency;    /* core cycles from a lookup that finds them to issue */
		uint32_t inst_bytes; /* of an instruction; a power of two */
		struct machine_cache cache;
	} fetch;

	struct {			/* l0.*: a scheduler's instruction cache (sm/l0.h) */
		struct machine_cache c; /* bytes 0: none; its lines are the instruction cache's */
		uint32_t stream;	/* lines of its stream buffer; 0: none */
		uint32_t latency;	/* core cycles from the instruction cache to it */
	} l0;

	struct {			/* gcc.*: the instruction cache of a GPC (gpc/gcc.h) */
		struct machine_cache c; /* bytes 0: none; its lines are the instruction cache's */
		uint32_t latency;	/* core cycles from its lookup to the SM's instruction cache */
		uint32_t count;		/* GPCs, to which SMs belong in pairs, in turn */
		uint32_t prefetch;	/* bytes of a kernel that it looks up as a launch begins; 0: none */
	} gcc;

	struct { /* const.* */
		struct machine_cache c;
		uint32_t latency; /* core cycles */
	} const_cache;

	struct { /* net.* */
		uint32_t flit_bytes, header_bytes;
		uint32_t hop;		      /* net cycles from the sender's port to the receiver's, beside
					       * serialisation */
		uint32_t in_queue, out_queue; /* packets that a port holds before and after the crossbar */
	} net;

	struct { /* l2.* : a slice */
		bool enabled;
		struct machine_cache c;
		uint32_t slices; /* a channel, a power of two */
		enum machine_l2_side side;
		uint32_t latency;      /* L2 cycles in the pipe ahead of the tags */
		uint32_t port_bytes;   /* that the data port moves an L2 cycle; 0: as many as a request has */
		uint32_t atomic_bytes; /* of an atomic's operands that are done an L2 cycle; 0: all */
		enum machine_write_allocate write_allocate;
		enum machine_replacement replacement;
		uint32_t seed; /* of random replacement */
		uint32_t in_queue;
		uint32_t halves, far_latency; /* 1, or 2; core cycles from one to the other */
		uint32_t coalescer;	      /* entries of the coalescer ahead of the pipe; 0: there is none */
		uint32_t coalescer_merges;    /* reads that an entry holds, the leading one included */
		struct machine_bypass bypass;
	} l2;

	struct {			       /* dram.* : times in DRAM command-clock cycles unless said otherwise */
		struct machine_list of_module; /* key dram.stacks */
		uint32_t stacks;	       /* resolved: all modules, a power of two */
		uint32_t channels, interleave; /* a stack, odd * 2^k; bytes */
		enum machine_dram_sched sched;
		uint32_t queue; /* requests a channel */
		enum machine_dram_first first;
		uint32_t latency; /* core cycles in the pipe ahead of the controller */
		uint32_t banks, groups, group_bits;
		enum machine_command_bus command_bus;
		uint32_t burst_bytes, burst; /* bytes and cycles of one column access */
		uint32_t row_bytes;
		char map[64]; /* inside a channel, below the row, from the top: B bank, C column, S byte of the burst */
		uint32_t cl, rp, rc, ras, rcd, rrd, rrdl, ccd, ccdl, wl, cdlr, wr, rtp, faw, refi, rfc;
		bool refresh;
		enum machine_dram_refresh refresh_banks;
		uint32_t rfcsb, rrefd; /* of a refresh of a single bank */
		enum machine_dram_drain drain;
		uint32_t write_high, write_low; /* write drain: starts at, stops at this many waiting writes */
		uint32_t age_cap; /* column accesses of the channel that may overtake a request; then it goes first. 0:
				   * no limit */
	} dram;

	struct {		     /* device.* : what CUDA programs are told (docs/how-to/run-cuda-programs.md) */
		uint32_t capability; /* 70: compute capability 7.0 */
		uint32_t memory_mib;
	} device;

	struct {			/* pcie.* : copies between the host and the device */
		uint32_t gbps, latency; /* GB/s; ns of a copy */
	} pcie;

	struct {	      /* vm.* : docs/explanation/virtual-memory.md */
		bool enabled; /* false: virtual addresses are physical ones */
		bool tlb;     /* false: translation takes no time */
		uint32_t page, stack_mib;
		enum machine_page_placement placement; /* where a plan says nothing */
		struct machine_tlb l1;		       /* of an SM */
		uint32_t l1_pending;		       /* transactions of an SM that wait for a translation */
		struct machine_tlb l2;		       /* of a module */
		uint32_t walks;			       /* in flight, a module */
		uint32_t walk_cache;		       /* entries of upper levels, a module; 0: none */
		uint32_t fault_latency;		       /* core cycles until the pager has mapped a page */
		enum machine_migrate migrate;	       /* where the data of a page are until its first touch */
		uint32_t migrate_lines;		       /* in flight, a module's page mover */
	} vm;

	struct {		/* cpu.* : docs/explanation/cpu.md; times in CPU cycles, its clock is clock.cpu */
		uint32_t count; /* cores; 0: the machine has no CPU */
		uint32_t width; /* instructions that enter, and retire, a cycle */
		uint32_t rob;	/* instructions held */
		uint32_t simd;	/* lanes of a kernel that one instruction computes: a power of two */
		bool in_order;
		enum machine_cpu_distribution distribute;	     /* which CTAs a core gets */
		uint32_t ports, store_buffer;			     /* lookups a cycle; lines of retired stores */
		uint32_t int_latency[5], fp_latency[5], sfu_latency; /* add, max, mul, mad, div */
		uint32_t line;
		struct {
			uint32_t bytes, ways, latency; /* latency: from lookup to use, in all */
		} l1, l2, l3;
		uint32_t mshr, l3_mshr; /* lines on their way to a core; to the L3 */
		uint32_t init_insts;	/* plain instructions beside each store of the host program's initialisation */
		bool value_insts;	/* and those that the program states for its value */
	} cpu;

	struct {		     /* store_tracker.* : docs/studies/tafe.md */
		uint32_t entries;    /* of the comparator table */
		uint32_t latency;    /* CPU cycles until a line of the metadata is there */
		uint32_t call_insts; /* of a call of the interface, beside its loads and stores */
	} store_tracker;

	struct {		  /* group_dispatch.* : docs/studies/paver.md */
		uint32_t latency; /* core cycles from a request for an entry of the CTA lists in memory to its answer */
	} group_dispatch;

	struct { /* link.* : between modules, each direction of a link */
		enum machine_topology topology;
		struct machine_list fanout;	/* tree: children of a node, by its distance from the root */
		uint32_t mbps, latency;		/* MB/s; core cycles */
		uint32_t cpu_mbps, cpu_latency; /* of the CPU's link to each module; 0 MB/s: no CPU */
		uint32_t queue;			/* packets that wait at a link's far end for one way on */
		char list[1024];		/* topology list */
	} link;

	struct {		/* energy.* : docs/explanation/energy.md; fJ an event, uW of static power */
		uint32_t issue; /* an instruction of a warp */
		/* a lane: add, max, mul, mad, div; a load, store or atomic beside its accesses; a register operand */
		uint32_t int32[5], fp32[5], fp64[5], sfu, memory, reg;
		uint32_t tensor[5];	      /* a multiply-add of a product of matrices, by class */
		uint32_t shared, const_cache; /* an access */
		/* an access; a line, or a byte, that is read from the data or written to them */
		uint32_t l1_tag, l1_data, l2_tag, l2_byte;
		uint32_t flit, link_byte; /* through a crossbar; over a link */
		/* of a channel: commands; bytes over the data bus */
		uint32_t activate, read, write, refresh, io_byte;
		uint32_t sm_static, channel_static;
	} energy;

	struct {		  /* map.* : which address bits name the stack; hashing (hw/twins/addr_decoder.h) */
		uint32_t fgp_lsb; /* the lowest of them for fine-grained pages; 0: the highest bits of the page
				   * offset */
		bool hash_channel, hash_bank;
	} map;

	struct machine_origins origin;
};

/* log2 of a page's bytes. */
static inline uint32_t machine_page_bits(const struct machine *m)
{
	return (uint32_t)__builtin_ctz(m->vm.page);
}

/* Bytes at whose multiples a program's data structures begin, so that no page holds two; without page tables nothing is
 * placed by page. */
static inline uint32_t machine_data_align(const struct machine *m)
{
	return m->vm.enabled ? m->vm.page : 1;
}

/* Whether the SMs reach memory through an L2 of their own module. */
static inline bool machine_l2_at_sms(const struct machine *m)
{
	return m->l2.enabled && m->l2.side == L2_SIDE_SM;
}

/* The list's number for a module. */
static inline uint32_t machine_list_at(const struct machine_list *l, uint32_t module)
{
	return l->v[module < l->n ? module : l->n - 1];
}

static inline uint32_t machine_module_of_sm(const struct machine *m, uint32_t sm)
{
	uint32_t module = 0;

	for (; sm >= machine_list_at(&m->sm.of_module, module); module++)
		sm -= machine_list_at(&m->sm.of_module, module);
	return module;
}

/* Of a module: as many as its channels have. */
static inline uint32_t machine_slices(const struct machine *m, uint32_t module)
{
	return machine_list_at(&m->dram.of_module, module) * m->dram.channels * m->l2.slices;
}

/* The GPC of an SM. */
static inline uint32_t machine_gpc_of_sm(const struct machine *m, uint32_t sm)
{
	return sm / 2 % m->gcc.count;
}

/* The half of the L2 that an SM asks; 0 where it is one. */
static inline uint32_t machine_l2_half_of_sm(const struct machine *m, uint32_t sm)
{
	return sm * m->l2.halves / m->sm.count;
}

/* Reads a machine by name (csim/machines/NAME.yaml below `root`) or by path (it contains '/' or ends in .yaml). */
int machine_load(struct machine *m, const char *name_or_path, const char *machines_dir, struct err *e);

/* Applies one "key=value". */
int machine_set(struct machine *m, const char *assignment, struct err *e);

/* Computes what the keys marked `resolved` hold, and checks what no single key can show (sets a power of two,
 * irreducible polynomial of the right degree, an address map that is whole, modules that reach one another). Call after
 * the last machine_set.
 */
int machine_resolve(struct machine *m, struct err *e);
/* The same; an error begins with its key, without the place where the key was set. */
int machine_resolve_bare(struct machine *m, struct err *e);

/* All keys in the schema's order with their values, as a JSON object. */
struct json_t;
struct json_t *machine_json(const struct machine *m);

/* Prints every key, its value, unit, legal values and meaning, as an aligned table. */
#include <stdio.h>
void machine_print(const struct machine *m, FILE *to);

/* Sectors of a cache's line. */
static inline uint32_t machine_cache_sectors(const struct machine_cache *c)
{
	return c->sectors ? c->sectors : 1;
}

/* Sets of a cache. */
static inline uint32_t machine_cache_sets(const struct machine_cache *c)
{
	return c->bytes / c->line / c->assoc;
}

#endif
