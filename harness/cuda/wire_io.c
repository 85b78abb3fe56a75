#include "cuda/wire_io.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/types.h>

bool wire_put(int fd, const void *from, size_t n)
{
	for (const char *p = from; n;) {
		ssize_t done = send(fd, p, n, MSG_NOSIGNAL);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		p += done;
		n -= (size_t)done;
	}
	return true;
}

bool wire_get(int fd, void *to, size_t n)
{
	for (char *p = to; n;) {
		ssize_t done = recv(fd, p, n, 0);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		p += done;
		n -= (size_t)done;
	}
	return true;
}
