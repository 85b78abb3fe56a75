# Shapes of the block, and the tests of its twin: rtl/rtl.mk says what is done with them.
RTL_SYNTH += \
	prefetch_unit/prefetch_unit \
	prefetch_unit/prefetch_unit:ENTRIES=4
COV_TESTS += tests/support/prefetch_stimulus.c tests/66[34]-*.c
MUTATION_SHAPES += \
	prefetch_unit/prefetch_unit:ENTRIES=2,TILES=2,TILE_W=2,ADDR_W=10,DIST_W=4,LINE=4,DEPTH=2,SPARE_MSHRS=1,SPARE_QUEUE=0 \
	prefetch_unit/prefetch_unit:ENTRIES=3,TILES=3,TILE_W=4,ADDR_W=12,DIST_W=12,LINE=32,DEPTH=3,SPARE_MSHRS=4,SPARE_QUEUE=2 \
	prefetch_unit/prefetch_unit:ENTRIES=4,TILES=4,TILE_W=5,ADDR_W=16,DIST_W=8,LINE=2,DEPTH=4,SPARE_MSHRS=0,SPARE_QUEUE=3
MUTATION_TWIN_SHAPES += \
	prefetch_unit/prefetch_unit:ENTRIES=5,TILES=3,TILE_W=32,ADDR_W=64,DIST_W=32,LINE=128,DEPTH=16 \
	prefetch_unit/prefetch_unit:ENTRIES=5,TILES=5,TILE_W=3,ADDR_W=32,DIST_W=32,LINE=32,DEPTH=3 \
	prefetch_unit/prefetch_unit:ENTRIES=5,TILES=3,TILE_W=8,ADDR_W=48,DIST_W=32,LINE=128,DEPTH=3
