#include "support/shape_matrix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hw/tafe/tafe.h"
#include "hw/twins/addr_decoder.h"
#include "hw/twins/addr_decoder_pipe.h"
#include "hw/twins/bypass_monitor.h"
#include "hw/twins/locality_table.h"
#include "hw/twins/paver.h"
#include "hw/twins/pin_replacement.h"
#include "hw/twins/prefetch_unit.h"
#include "hw/twins/pric.h"
#include "hw/twins/set_monitor.h"
#include "hw/twins/throttle.h"
#include "hw/twins/throttle_coordinator.h"

static const struct matrix_shape shape[] = {
	/* Each degree of a polynomial once; from 11 on, Seroussi's of lowest weight (Hewlett-Packard Laboratories,
	 * HPL-98-135, 1998). */
	{&pric_block, "sets=2 poly=2 line=1 addr_w=2 addr_bits=2", false},
	{&pric_block, "sets=2 poly=3 line=1 addr_w=64 addr_bits=64", false}, /* the widest tag: 63 bits */
	{&pric_block, "sets=4 poly=7 line=65536 addr_w=64 addr_bits=64", false},
	{&pric_block, "sets=8 poly=11 addr_w=33 addr_bits=33", false},
	{&pric_block, "sets=16 poly=31 addr_w=64 addr_bits=63", false},
	{&pric_block, "sets=32 poly=61 addr_w=64 addr_bits=64", false},
	{&pric_block, "sets=64 poly=117 line=64", false},
	{&pric_block, "sets=128 poly=253 line=32", false},
	{&pric_block, "sets=256 poly=505 addr_w=48 addr_bits=48", false},
	{&pric_block, "sets=512 poly=1019 addr_w=48 addr_bits=47", false},
	{&pric_block, "sets=1024 poly=2047 addr_w=64 addr_bits=17", false},
	{&pric_block, "sets=2048 poly=2053 addr_w=48 addr_bits=48", true},
	{&pric_block, "sets=4096 poly=4105 addr_w=48 addr_bits=48", false},
	{&pric_block, "sets=8192 poly=8219 addr_w=48 addr_bits=48", false},
	{&pric_block, "sets=16384 poly=16417 addr_w=48 addr_bits=48", false},
	{&pric_block, "sets=32768 poly=32771 addr_w=64 addr_bits=64", true},
	{&pric_block, "sets=65536 poly=65579 line=1 addr_w=64 addr_bits=64", false},
	/* Tags of one bit, of a word of 32, of one more, and as wide as they can be. */
	{&set_monitor_block, "sets=2 tag_w=1 count_w=2", false},
	{&set_monitor_block, "sets=64 tag_w=32 count_w=3", false},
	{&set_monitor_block, "sets=128 tag_w=33 count_w=4", false},
	{&set_monitor_block, "sets=256 tag_w=57 count_w=2", true},
	/* div_const takes 8, 16, ... 56 bits and one more than these: by address, stacks, channels and blocks. And it
	 * divides by each odd number. */
	{&addr_decoder_block, "addr_w=20 stacks=1 channels=12 interleave=1024 map_w=10 burst_w=4 banks=4 bank_mask=768", false},
	{&addr_decoder_block, "addr_w=21 stacks=1 channels=12 interleave=1024 map_w=10 burst_w=4 banks=4 bank_mask=768", false},
	{&addr_decoder_block, "addr_w=24 stacks=1 channels=3 map_w=16", false},
	{&addr_decoder_block, "addr_w=34 stacks=4 channels=3", false},
	{&addr_decoder_block, "addr_w=48 stacks=64 fgp_lsb=6 channels=12", true},
	{&addr_decoder_block, "addr_w=48 stacks=1 channels=3", false},
	{&addr_decoder_block, "addr_w=49 stacks=1 channels=3 hash_bank=1", false},
	{&addr_decoder_block, "addr_w=64 stacks=64 fgp_lsb=5 channels=12", false},
	{&addr_decoder_block, "addr_w=64 stacks=1 channels=3 ports=16", false},
	{&addr_decoder_block, "addr_w=48 stacks=1 channels=5", false},
	{&addr_decoder_block, "addr_w=49 stacks=1 channels=40 hash_channel=1", true},
	{&addr_decoder_block, "addr_w=64 stacks=4 channels=7 hash_channel=1", false},
	{&addr_decoder_block, "addr_w=40 stacks=2 channels=144 hash_channel=1 hash_bank=1", false},
	{&addr_decoder_block, "addr_w=64 stacks=1 channels=11", false},
	{&addr_decoder_block, "addr_w=48 stacks=1 channels=208 hash_channel=1 ports=16", false},
	{&addr_decoder_block, "addr_w=64 stacks=1 channels=15 interleave=32", false},
	{&addr_decoder_block, "stacks=64 fgp_lsb=6 channels=64 hash_channel=1 hash_bank=1 banks=64 bank_mask=0xfc00", true},
	{&addr_decoder_block, "stacks=64 fgp_lsb=18 page_bits=24 channels=192 banks=64 bank_mask=0xa8e00 map_w=20", false},
	{&addr_decoder_block, "stacks=2 fgp_lsb=11 channels=256 hash_channel=1 banks=1 bank_mask=0 map_w=26", false},
	{&addr_decoder_block, "stacks=1 channels=128 hash_channel=1 interleave=1048576 banks=2 bank_mask=128 map_w=8", false},
	{&addr_decoder_pipe_block, "ports=2 stacks=64 fgp_lsb=6 channels=64 hash_channel=1 banks=64 bank_mask=0xfc00", true},
	{&addr_decoder_pipe_block, "ports=16 addr_w=48 stacks=1 channels=3", false},
	{&addr_decoder_pipe_block, "ports=4 addr_w=48 stacks=1 channels=40 hash_channel=1", false},
	/* Addresses of 64 bits, indices of 32, blocks of up to 65536 threads a side; and the least of all. */
	{&tafe_block, "entries=2 addr_w=48 index_w=32 tb_w=31 block_w=10", true},
	{&tafe_block, "entries=8 addr_w=64 index_w=32 tb_w=31 block_w=16", true},
	{&tafe_block, "entries=4 addr_w=33 index_w=17 tb_w=16 block_w=16", false},
	{&tafe_block, "entries=2 addr_w=16 index_w=4 tb_w=4 block_w=1", false},
	/* SMs around powers of two, and where their number needs a sixth bit. */
	{&paver_block, "sms=1 ptr_w=2 tb_w=1", false},
	{&paver_block, "sms=2 ptr_w=16 tb_w=16", false},
	{&paver_block, "sms=16 ptr_w=13 tb_w=16", true},
	{&paver_block, "sms=17 ptr_w=12 tb_w=24", false},
	{&paver_block, "sms=32 ptr_w=16 tb_w=16", false},
	{&paver_block, "sms=33 ptr_w=31 tb_w=32", false},
	{&paver_block, "sms=40 ptr_w=16 tb_w=16", true},
	{&paver_block, "sms=64 ptr_w=32 tb_w=32", false},
	{&paver_block, "sms=127 ptr_w=16 tb_w=16", false},
	{&paver_block, "sms=128 ptr_w=17 tb_w=17", false},
	{&paver_block, "sms=132 ptr_w=16 tb_w=16", true},
	{&paver_block, "sms=256 ptr_w=32 tb_w=32", false},
	{&pin_replacement_block, "sets=1 ways=1 timer=1", false},
	{&pin_replacement_block, "sets=2 ways=15 timer=65536", false},
	{&pin_replacement_block, "sets=64 ways=16 timer=65535", false},
	{&pin_replacement_block, "sets=256 ways=2 timer=2147483647", false},
	{&pin_replacement_block, "sets=8 ways=8 timer=256", true},
	{&locality_table_block, "entries=2 addr_w=64 prio_w=1 dist_w=32", false},
	{&locality_table_block, "entries=31 addr_w=33 prio_w=8 dist_w=31", false},
	{&locality_table_block, "entries=17 addr_w=64 prio_w=8 dist_w=32", true},
	{&locality_table_block, "entries=32 addr_w=8 prio_w=2 dist_w=1", false},
	{&prefetch_unit_block, "entries=2 tiles=16 tile_w=32 addr_w=64 dist_w=32 line=128 depth=15", false},
	{&prefetch_unit_block, "entries=17 tiles=2 tile_w=1 addr_w=33 dist_w=32 line=64 depth=16 spare_mshrs=0", false},
	{&prefetch_unit_block, "entries=4 tiles=4 tile_w=8 addr_w=64 dist_w=32 line=2 depth=4", true},
	{&prefetch_unit_block, "entries=3 tiles=1 tile_w=31 addr_w=8 dist_w=8 line=128 depth=1 spare_queue=1023", false},
	{&bypass_monitor_block, "rate=1 period=2", false},
	{&bypass_monitor_block, "rate=99 period=65536", false},
	{&bypass_monitor_block, "rate=50 period=65537", false},
	{&bypass_monitor_block, "rate=99 period=16", true},
	{&bypass_monitor_block, "rate=90 period=1073741824", false},
	{&throttle_block, "kernels=1 period=2 periods=1 watchdog=0 count_w=4 commit_w=1 miss_w=1", false},
	{&throttle_block, "kernels=16 period=64 periods=16 watchdog=16 count_w=8 commit_w=4 miss_w=3", true},
	{&throttle_block, "kernels=64 period=1073741824 periods=255 watchdog=65535 count_w=32 commit_w=12 miss_w=6", false},
	{&throttle_coordinator_block, "sms=2 kernels=1 n=1 threshold=0 count_w=4", false},
	{&throttle_coordinator_block, "sms=16 kernels=16 n=1 count_w=16", true},
	{&throttle_coordinator_block, "sms=40 kernels=33 n=15 threshold=65535 per_cycles=1073741824 count_w=32", false},
	{&throttle_coordinator_block, "sms=128 kernels=64 n=2 any=1 count_w=17", false},
	/* A turn is an SM of 8 bits, and a number of warps has 7. */
	{&throttle_coordinator_block, "sms=129 kernels=2 n=1 count_w=32", true},
	{&throttle_coordinator_block, "sms=256 kernels=16 n=1 count_w=32", false},
};

_Static_assert(sizeof shape / sizeof shape[0] <= MATRIX_MOST, "MATRIX_MOST is too small");

unsigned matrix_size(void)
{
	return sizeof shape / sizeof shape[0];
}

const struct matrix_shape *matrix_shape(unsigned number)
{
	return &shape[number];
}

bool matrix_is_whole(void)
{
	const char *which = getenv("LOCUS_SHAPES");

	if (!which || !*which)
		return false;
	if (strcmp(which, "all")) {
		fprintf(stderr, "LOCUS_SHAPES: \"%s\" is not all; leave it out for the usual shapes\n", which);
		exit(2);
	}
	return true;
}

bool matrix_has(const struct matrix_shape *s)
{
	return s->always || matrix_is_whole();
}

unsigned matrix_seeds(void)
{
	return matrix_is_whole() ? 3 : 1;
}
