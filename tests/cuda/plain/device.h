/* The device that the program runs on. */
#ifndef DEVICE_H
#define DEVICE_H

#include <cstddef>

struct Device {
	int sms;
	size_t bytes;
};

/* The first. Ends the program if there is none. */
Device pick_device();

#endif
