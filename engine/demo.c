#include "engine/demo.h"

#include "demo_data.h"
#include "engine/recording/perfdata_decompress.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define BYTES_MAX ((size_t)64 << 20)

static int no_room(struct err *err, int code)
{
	return err_set(err, code, "cannot unpack the demo: %s", strerror(-code));
}

static int put_into(int fd, const char *bytes, size_t len)
{
	while (len) {
		ssize_t count = write(fd, bytes, len);

		if (count < 0 && errno != EINTR)
			return -errno;
		if (count > 0) {
			bytes += count;
			len -= (size_t)count;
		}
	}
	return 0;
}

int demo_open(struct demo *demo, struct err *err)
{
	size_t len = 0, names_len = 0;
	char *bytes = perfdata_decompress_all(demo_recording, demo_recording_len, BYTES_MAX, &len);
	int rc = 0;

	demo->names = perfdata_decompress_all(demo_names, demo_names_len, BYTES_MAX, &names_len);
	demo->fd = bytes && demo->names ? memfd_create("demo", MFD_CLOEXEC) : -1;
	if (!bytes || !demo->names)
		rc = no_room(err, -ENOMEM);
	else if (demo->fd < 0)
		rc = no_room(err, -errno);
	if (!rc) {
		rc = put_into(demo->fd, bytes, len);
		if (rc)
			no_room(err, rc);
	}
	free(bytes);
	if (rc)
		demo_close(demo);
	return rc;
}

void demo_close(struct demo *demo)
{
	if (demo->fd > 0)
		close(demo->fd);
	free(demo->names);
	memset(demo, 0, sizeof(*demo));
}
