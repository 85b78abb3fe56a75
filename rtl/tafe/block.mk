# Shapes of the block, and the tests of its twin: rtl/rtl.mk says what is done with them.
RTL_SYNTH += \
	tafe/tafe_top \
	tafe/tafe_comparator \
	tafe/tafe_inverse \
	tafe/tafe_extent
COV_TESTS += tests/support/tafe_bench.c tests/support/tafe_host.c tests/63[12]-*.c
MUTATION_SHAPES += \
	tafe/tafe_top:ENTRIES=4,ADDR_W=20,INDEX_W=10,TB_W=6,BLOCK_W=4 \
	tafe/tafe_top:ENTRIES=2,ADDR_W=24,INDEX_W=16,TB_W=8,BLOCK_W=4 \
	tafe/tafe_top:ENTRIES=8,ADDR_W=16,INDEX_W=11,TB_W=5,BLOCK_W=3
MUTATION_TWIN_SHAPES += \
	tafe/tafe_top:ENTRIES=8,ADDR_W=64,INDEX_W=32,TB_W=31,BLOCK_W=16 \
	tafe/tafe_top:ENTRIES=2,ADDR_W=63,INDEX_W=17,TB_W=20,BLOCK_W=8
