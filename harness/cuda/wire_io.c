#include "cuda/wire_io.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

/* One call of the system for a whole message, as a rule. */
bool wire_put(int fd, const void *head, size_t n, const void *behind, size_t n_behind)
{
	struct iovec part[2] = {{.iov_base = (void *)(size_t)head, .iov_len = n},
				{.iov_base = (void *)(size_t)behind, .iov_len = n_behind}};
	struct msghdr m = {.msg_iov = part, .msg_iovlen = 2};

	while (part[0].iov_len + part[1].iov_len) {
		ssize_t done = sendmsg(fd, &m, MSG_NOSIGNAL);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		for (int i = 0; i < 2; i++) {
			size_t of_it = (size_t)done < part[i].iov_len ? (size_t)done : part[i].iov_len;

			part[i].iov_base = (char *)part[i].iov_base + of_it;
			part[i].iov_len -= of_it;
			done -= (ssize_t)of_it;
		}
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
