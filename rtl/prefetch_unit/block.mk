# Shapes of the block, and the tests of its twin: rtl/rtl.mk says what is done with them.
RTL_SHAPES += \
	prefetch_unit/prefetch_unit \
	prefetch_unit/prefetch_unit:ENTRIES=2,TILES=1,TILE_W=1,ADDR_W=8,DIST_W=1,LINE=2,DEPTH=1,SPARE_MSHRS=0,SPARE_QUEUE=0 \
	prefetch_unit/prefetch_unit:ENTRIES=5,TILES=3,TILE_W=4,ADDR_W=12,DIST_W=12,LINE=32,DEPTH=3,SPARE_MSHRS=1023,SPARE_QUEUE=1023 \
	prefetch_unit/prefetch_unit:ENTRIES=32,TILES=64,TILE_W=32,ADDR_W=64,DIST_W=32,DEPTH=16
RTL_SYNTH += \
	prefetch_unit/prefetch_unit \
	prefetch_unit/prefetch_unit:ENTRIES=4
COV_TESTS += tests/support/prefetch_stimulus.c tests/66[34]-*.c
