# Shapes of the blocks, and the tests of their twins: rtl/rtl.mk says what is done with them.
RTL_SYNTH += \
	throttle/throttle \
	throttle/throttle:KERNELS=1 \
	throttle/throttle_coordinator \
	throttle/throttle_coordinator:SMS=80
COV_TESTS += tests/support/throttle_stimulus.c tests/66[789]-*.c
MUTATION_SHAPES += \
	throttle/throttle:KERNELS=1,PERIOD=2,PERIODS=1,WATCHDOG=1,COUNT_W=4,COMMIT_W=1,MISS_W=1 \
	throttle/throttle:KERNELS=2,PERIOD=5,PERIODS=2,WATCHDOG=2,COUNT_W=5,COMMIT_W=2 \
	throttle/throttle:KERNELS=3,PERIOD=7,PERIODS=3,WATCHDOG=2,COUNT_W=6,COMMIT_W=3,MISS_W=4 \
	throttle/throttle_coordinator:SMS=2,KERNELS=1,N=1,THRESHOLD=200,COUNT_W=4 \
	throttle/throttle_coordinator:SMS=3,KERNELS=2,N=2,THRESHOLD=300,ANY=1,COUNT_W=6 \
	throttle/throttle_coordinator:SMS=5,KERNELS=3,N=3,THRESHOLD=500,PER_CYCLES=100,COUNT_W=9
MUTATION_TWIN_SHAPES += \
	throttle/throttle:KERNELS=5,PERIOD=7,PERIODS=2,WATCHDOG=0,COUNT_W=32,COMMIT_W=12,MISS_W=6 \
	throttle/throttle_coordinator:SMS=16,KERNELS=5,N=15,THRESHOLD=10,COUNT_W=32
