/*
 * hung_mount DIR FILE... - a FUSE file system that stops answering at SIGUSR1.
 *
 * Mounts itself at DIR, with copies of the files and an empty folder "folder", and prints "ready".
 * After SIGUSR1 it prints "hung", accepts requests and answers none: processes that wait for an
 * answer cannot be killed. At the end of its standard input, it unmounts itself and exits. However
 * the program ends, the kernel fails all requests, and at most a dead mount remains.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define REQUEST_BYTES (1 << 20)
#define FILES_MAX 32
#define FOLDER 2 /* inode of "folder" */
#define FIRST_FILE 3

struct file {
	const char *name;
	char *bytes;
	size_t len;
	mode_t mode;
};

static struct file files[FILES_MAX];
static size_t file_count;
static volatile sig_atomic_t hung;
static int fuse_fd;

static void hang(int number)
{
	(void)number;
	hung = 1;
}

static void load(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct file *file = &files[file_count++];
	int fd = open(path, O_RDONLY);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || file_count > FILES_MAX)
		exit(1);
	file->name = slash ? slash + 1 : path;
	file->len = (size_t)st.st_size;
	file->bytes = malloc(file->len + 1);
	file->mode = st.st_mode & 0777;
	if (read(fd, file->bytes, file->len) != (ssize_t)file->len)
		exit(1);
	close(fd);
}

static void answer(uint64_t unique, int error, const void *data, size_t len)
{
	struct fuse_out_header header = { (uint32_t)(sizeof(header) + len), error, unique };
	struct iovec parts[] = { { &header, sizeof(header) }, { (void *)(uintptr_t)data, len } };

	if (writev(fuse_fd, parts, 2) < 0 && errno != ENOENT)
		_exit(1);
}

static struct fuse_attr attributes(uint64_t node)
{
	struct fuse_attr attr = { .ino = node, .nlink = 1, .blksize = 4096 };

	if (node >= FIRST_FILE) {
		attr.size = files[node - FIRST_FILE].len;
		attr.mode = S_IFREG | files[node - FIRST_FILE].mode;
	} else {
		attr.mode = S_IFDIR | 0755;
	}
	return attr;
}

static void look_up(const struct fuse_in_header *in, const char *name)
{
	struct fuse_entry_out out = { .nodeid = 0 };

	if (!strcmp(name, "folder"))
		out.nodeid = FOLDER;
	for (size_t i = 0; i < file_count; i++)
		if (!strcmp(name, files[i].name))
			out.nodeid = FIRST_FILE + i;
	if (!out.nodeid || in->nodeid != FUSE_ROOT_ID) {
		answer(in->unique, -ENOENT, NULL, 0);
		return;
	}
	/* Validity 0: the kernel sends each lookup to this program. */
	out.attr = attributes(out.nodeid);
	answer(in->unique, 0, &out, sizeof(out));
}

static void begin(const struct fuse_in_header *in, const struct fuse_init_in *init)
{
	struct fuse_init_out out = { .major = FUSE_KERNEL_VERSION,
				     .minor = 31,
				     .max_readahead = init->max_readahead,
				     .max_write = 4096 };

	answer(in->unique, 0, &out, sizeof(out));
}

static void read_file(const struct fuse_in_header *in, const struct fuse_read_in *ask)
{
	const struct file *file = &files[in->nodeid - FIRST_FILE];
	size_t left = ask->offset < file->len ? file->len - ask->offset : 0;

	answer(in->unique, 0, file->bytes + ask->offset, left < ask->size ? left : ask->size);
}

static void serve(const struct fuse_in_header *in)
{
	const void *body = in + 1;
	struct fuse_attr_out attr = { .attr_valid = 0 };
	struct fuse_open_out opened = { .fh = 0 };

	switch (in->opcode) {
	case FUSE_INIT:
		begin(in, body);
		break;
	case FUSE_LOOKUP:
		look_up(in, body);
		break;
	case FUSE_GETATTR:
		attr.attr = attributes(in->nodeid);
		answer(in->unique, 0, &attr, sizeof(attr));
		break;
	case FUSE_OPEN:
	case FUSE_OPENDIR:
		answer(in->unique, 0, &opened, sizeof(opened));
		break;
	case FUSE_READ:
		read_file(in, body);
		break;
	case FUSE_READDIR:
	case FUSE_FLUSH:
	case FUSE_RELEASE:
	case FUSE_RELEASEDIR:
		answer(in->unique, 0, NULL, 0);
		break;
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT:
		break;
	default:
		answer(in->unique, -ENOSYS, NULL, 0);
		break;
	}
}

int main(int argc, char **argv)
{
	struct pollfd fds[2] = { { .events = POLLIN }, { .fd = STDIN_FILENO, .events = POLLIN } };
	char options[128], *request = malloc(REQUEST_BYTES);
	int said = 0;

	for (int i = 2; i < argc; i++)
		load(argv[i]);
	signal(SIGUSR1, hang);
	fuse_fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	snprintf(options, sizeof(options), "fd=%d,rootmode=40755,user_id=%u,group_id=0,allow_other",
		 fuse_fd, (unsigned)getuid());
	if (argc < 2 || fuse_fd < 0 || mount("stxtop-test", argv[1], "fuse", MS_NODEV, options)) {
		printf("no mount: %s\n", strerror(errno));
		return 1;
	}
	printf("ready\n");
	fflush(stdout);
	fds[0].fd = fuse_fd;
	for (;;) {
		int ready = poll(fds, 2, -1);

		if (hung && !said) {
			said = 1;
			printf("hung\n");
			fflush(stdout);
		}
		if (ready < 0)
			continue;
		if (fds[1].revents)
			break;
		if (!(fds[0].revents & POLLIN) || read(fuse_fd, request, REQUEST_BYTES) < 0)
			continue;
		if (!hung)
			serve((const struct fuse_in_header *)request);
	}
	close(fuse_fd); /* the kernel fails all pending requests */
	umount2(argv[1], MNT_DETACH);
	return 0;
}
