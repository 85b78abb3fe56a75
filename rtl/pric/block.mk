# Shapes of the block, and the tests of its twin: rtl/rtl.mk says what is done with them.
RTL_SYNTH += \
	pric/pric_index \
	pric/pric_index:ADDR_BITS=27 \
	pric/pric_index:SETS=64,POLY=67 \
	pric/pric_index:ADDR_W=48,ADDR_BITS=48
COV_TESTS += tests/601-*.c tests/602-*.c tests/603-*.c
MUTATION_SHAPES += \
	pric/pric_index \
	pric/pric_index:SETS=64,POLY=67 \
	pric/pric_index:ADDR_W=64,ADDR_BITS=48
MUTATION_TWIN_SHAPES += \
	pric/pric_index:SETS=8,POLY=13,LINE_BYTES=1,ADDR_W=64,ADDR_BITS=64 \
	pric/pric_index:ADDR_W=48,ADDR_BITS=48
