/* The samples' stop watch: milliseconds of the host. Written anew from how the samples call it. */
#ifndef LOCUS_CUDA_HELPER_TIMER_H
#define LOCUS_CUDA_HELPER_TIMER_H

#include <chrono>

class StopWatchInterface
{
	std::chrono::steady_clock::time_point begun;
	float sum = 0;
	int sessions = 0;
	bool running = false;

	float since() const
	{
		return std::chrono::duration<float, std::milli>(std::chrono::steady_clock::now() - begun).count();
	}

      public:
	void start()
	{
		begun = std::chrono::steady_clock::now();
		running = true;
	}
	void stop()
	{
		sum += running ? since() : 0;
		sessions += running;
		running = false;
	}
	void reset()
	{
		sum = 0;
		sessions = 0;
		begun = std::chrono::steady_clock::now();
	}
	float getTime() const
	{
		return sum + (running ? since() : 0);
	}
	float getAverageTime() const
	{
		return sessions ? sum / sessions : 0;
	}
};

static inline bool sdkCreateTimer(StopWatchInterface **t)
{
	*t = new StopWatchInterface;
	return true;
}
static inline bool sdkDeleteTimer(StopWatchInterface **t)
{
	delete *t;
	*t = nullptr;
	return true;
}
static inline bool sdkStartTimer(StopWatchInterface **t)
{
	(*t)->start();
	return true;
}
static inline bool sdkStopTimer(StopWatchInterface **t)
{
	(*t)->stop();
	return true;
}
static inline bool sdkResetTimer(StopWatchInterface **t)
{
	(*t)->reset();
	return true;
}
static inline float sdkGetTimerValue(StopWatchInterface **t)
{
	return (*t)->getTime();
}
static inline float sdkGetAverageTimerValue(StopWatchInterface **t)
{
	return (*t)->getAverageTime();
}

#endif
