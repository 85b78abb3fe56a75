# Shapes of the block, and the tests of its twin: rtl/rtl.mk says what is done with them.
RTL_SYNTH += \
	bypass_monitor/bypass_monitor \
	bypass_monitor/bypass_monitor:PERIOD=100
COV_TESTS += tests/support/bypass_stimulus.c tests/66[56]-*.c
MUTATION_SHAPES += \
	bypass_monitor/bypass_monitor:RATE=1,PERIOD=2 \
	bypass_monitor/bypass_monitor:RATE=75,PERIOD=12 \
	bypass_monitor/bypass_monitor:RATE=50,PERIOD=64
MUTATION_TWIN_SHAPES += \
	bypass_monitor/bypass_monitor:RATE=50,PERIOD=127
