#include "engine/decode/capture_descriptors.h"

#include <linux/fcntl.h>

/* The descriptor is the result, one of two behind a pointer, or a copy from fcntl(). */
/* clang-format off */
#define RETURNED(name) \
	{ name, true, { .kind = CAPTURE_DESCRIPTOR, .size = CAPTURE_BY_RESULT } }
#define ONE_OF_TWO(name, arg_, at) \
	{ name, true, { .kind = CAPTURE_DESCRIPTOR, .size = CAPTURE_BY_INT, \
			.size_arg = (arg_), .size_at = (at) } }
/* The descriptor is the first argument: the call changes what it refers to. */
#define CHANGED(name, ...) \
	{ name, true, { .kind = CAPTURE_DESCRIPTOR, .size = CAPTURE_BY_ARG, __VA_ARGS__ } }
#define DUPLICATED(request) \
	{ "fcntl", true, { .kind = CAPTURE_DESCRIPTOR, .size = CAPTURE_BY_RESULT, \
			   .flags = CAPTURE_ONLY_IS, .only_arg = 1, .only = (request) } }
#define ENTERED(name) \
	{ name, true, { .kind = CAPTURE_DIRECTORY } }

static const struct capture_special opens[] = {
	RETURNED("open"),	  RETURNED("openat"),	      RETURNED("openat2"),
	RETURNED("creat"),	  RETURNED("mq_open"),	      RETURNED("open_by_handle_at"),
	RETURNED("open_tree"),	  RETURNED("fsmount"),	      RETURNED("pidfd_getfd"),
	RETURNED("memfd_secret"),
	RETURNED("dup"),	  RETURNED("dup2"),	      RETURNED("dup3"),
	DUPLICATED(F_DUPFD),	  DUPLICATED(F_DUPFD_CLOEXEC),
	RETURNED("socket"),	  RETURNED("accept"),	      RETURNED("accept4"),
	CHANGED("bind"),	  CHANGED("connect", .flags = CAPTURE_FAILED),
	CHANGED("listen"),	  CHANGED("getsockname"),
	ONE_OF_TWO("pipe", 0, 0), ONE_OF_TWO("pipe2", 0, 0),
	ONE_OF_TWO("socketpair", 3, 0), ONE_OF_TWO("socketpair", 3, 4),
	{ "recvmsg", true, { .arg = 1, .kind = CAPTURE_RIGHTS } },
	/* Only the first message: descriptors of later messages are looked up in /proc. */
	{ "recvmmsg", true, { .arg = 1, .kind = CAPTURE_RIGHTS } },
	ENTERED("chdir"),	  ENTERED("fchdir"),
};
/* clang-format on */

const struct capture_special *capture_descriptor_at(size_t index)
{
	return index < sizeof(opens) / sizeof(opens[0]) ? &opens[index] : NULL;
}
