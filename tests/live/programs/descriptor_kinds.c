/*
 * descriptor_kinds FOLDER - opens one descriptor of each kind, calls F_GETFD on each immediately,
 * and prints their kinds and an empty line.
 *
 * Kinds that this kernel or user cannot have are omitted. After the end of standard input, it calls
 * F_GETFD on all of them again: by then, a tracer has had time to read /proc.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/io_uring.h>
#include <linux/netlink.h>
#include <linux/perf_event.h>
#include <linux/userfaultfd.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <unistd.h>

#define KINDS_MAX 80

static const char *folder;
static struct {
	const char *name;
	int fd;
} kinds[KINDS_MAX];
static size_t count;

static int must(int result)
{
	if (result < 0) {
		perror(count ? kinds[count - 1].name : "first");
		exit(1);
	}
	return result;
}

static int add(const char *name, int fd)
{
	if (fd < 0)
		return fd;
	if (count == KINDS_MAX)
		abort();
	kinds[count].name = name;
	kinds[count++].fd = fd;
	fcntl(fd, F_GETFD);
	return fd;
}

static const char *place(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void files(void)
{
	int writer;

	add("regular", must(open(place("regular"), O_RDWR | O_CREAT, 0600)));
	symlink("regular", place("link"));
	add("by a link", must(open(place("link"), O_RDONLY)));
	must(open(place("deleted"), O_RDWR | O_CREAT, 0600));
	add("opened, then deleted", must(open(place("deleted"), O_RDONLY)));
	unlink(place("deleted"));
	add("deleted", kinds[count - 1].fd);
	add("directory", must(open(folder, O_RDONLY | O_DIRECTORY)));
	add("without a name", open(folder, O_TMPFILE | O_RDWR, 0600));
	add("path only", must(open(place("regular"), O_PATH)));
	add("of /proc", must(open("/proc/self/status", O_RDONLY)));
	add("character device", must(open("/dev/null", O_RDWR)));
	add("block device", open("/dev/loop0", O_RDONLY));
	add("block device", open("/dev/vda", O_RDONLY));
	add("terminal", open("/dev/ptmx", O_RDWR | O_NOCTTY));
	must(mkfifo(place("fifo"), 0600));
	add("fifo", must(open(place("fifo"), O_RDONLY | O_NONBLOCK)));
	writer = must(open(place("fifo"), O_WRONLY));
	add("fifo, to write", writer);
}

static void anonymous(void)
{
	struct epoll_event event = { .events = EPOLLIN };
	sigset_t signals;
	int ends[2], epoll;

	must(pipe(ends));
	add("pipe, to read", ends[0]);
	add("pipe, to write", ends[1]);
	add("eventfd", must(eventfd(0, 0)));
	epoll = add("epoll", must(epoll_create1(EPOLL_CLOEXEC)));
	epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event);
	epoll_ctl(epoll, EPOLL_CTL_ADD, open(place("fifo"), O_RDONLY | O_NONBLOCK), &event);
	add("timerfd", must(timerfd_create(CLOCK_MONOTONIC, 0)));
	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR1);
	sigaddset(&signals, SIGCHLD);
	add("signalfd", must(signalfd(-1, &signals, 0)));
	add("inotify", must(inotify_init1(0)));
	add("fanotify", (int)syscall(SYS_fanotify_init, 0, 0));
	add("memfd", must(memfd_create("shared", MFD_CLOEXEC)));
	add("pidfd", (int)syscall(SYS_pidfd_open, getpid(), 0));
	add("userfaultfd", (int)syscall(SYS_userfaultfd, UFFD_USER_MODE_ONLY));
}

static void kernels(void)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.size = sizeof(attr),
					.config = PERF_COUNT_SW_DUMMY };
	struct bpf_insn program[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	struct io_uring_params params;
	union bpf_attr bpf;

	memset(&params, 0, sizeof(params));
	add("io_uring", (int)syscall(SYS_io_uring_setup, 2, &params));
	add("perf event", (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0));
	memset(&bpf, 0, sizeof(bpf));
	bpf.map_type = BPF_MAP_TYPE_ARRAY;
	bpf.key_size = bpf.value_size = 4;
	bpf.max_entries = 1;
	add("bpf map", (int)syscall(SYS_bpf, BPF_MAP_CREATE, &bpf, sizeof(bpf)));
	memset(&bpf, 0, sizeof(bpf));
	bpf.prog_type = BPF_PROG_TYPE_SOCKET_FILTER;
	bpf.insn_cnt = 2;
	bpf.insns = (uintptr_t)program;
	bpf.license = (uintptr_t) "GPL";
	add("bpf program", (int)syscall(SYS_bpf, BPF_PROG_LOAD, &bpf, sizeof(bpf)));
	add("namespace", open("/proc/self/ns/mnt", O_RDONLY));
}

union address {
	struct sockaddr any;
	struct sockaddr_in four;
	struct sockaddr_in6 six;
	struct sockaddr_un local;
	struct sockaddr_nl netlink;
};

static void internet(int family, const char *names[6])
{
	union address address = { .any.sa_family = (sa_family_t)family };
	socklen_t len = sizeof(address);
	int listening = socket(family, SOCK_STREAM, 0), client, server, udp;

	if (family == AF_INET)
		address.four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	else
		address.six.sin6_addr = in6addr_loopback;
	if (listening < 0 || bind(listening, &address.any,
				  family == AF_INET ? sizeof(address.four) : sizeof(address.six)))
		return; /* family not available */
	must(listen(listening, 1));
	must(getsockname(listening, &address.any, &len));
	add(names[0], listening);
	client = must(socket(family, SOCK_STREAM, 0));
	add(names[1], client);
	must(connect(client, &address.any, len));
	server = must(accept(listening, NULL, NULL));
	add(names[2], client);
	add(names[3], server);
	udp = must(socket(family, SOCK_DGRAM, 0));
	must(connect(udp, &address.any, len));
	add(names[4], udp);
	udp = must(socket(family, SOCK_DGRAM, 0));
	if (family == AF_INET)
		address.four.sin_port = 0;
	else
		address.six.sin6_port = 0;
	must(bind(udp, &address.any, len));
	add(names[5], udp);
}

static void local(int type, const char *name, const char *path, const char *names[4])
{
	union address address = { .local.sun_family = AF_UNIX };
	int server = must(socket(AF_UNIX, type, 0)), client = must(socket(AF_UNIX, type, 0));
	size_t room = sizeof(address.local.sun_path);
	socklen_t len;

	/* An abstract name begins with NUL. */
	if (name)
		snprintf(address.local.sun_path + 1, room - 1, "%s", name);
	else
		snprintf(address.local.sun_path, room, "%s", path);
	len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) +
			  (name ? 1 + strlen(name) : strlen(path) + 1));
	must(bind(server, &address.any, len));
	if (type != SOCK_DGRAM)
		must(listen(server, 1));
	add(names[0], server);
	add(names[1], client);
	must(connect(client, &address.any, len));
	add(names[2], client);
	if (type != SOCK_DGRAM)
		add(names[3], must(accept(server, NULL, NULL)));
}

static void sockets(void)
{
	static const char *four[] = { "tcp, listening", "tcp, new",       "tcp, connected",
				      "tcp, accepted",  "udp, connected", "udp, bound" };
	static const char *six[] = { "tcp6, listening", "tcp6, new",       "tcp6, connected",
				     "tcp6, accepted",  "udp6, connected", "udp6, bound" };
	static const char *stream[] = { "unix stream, listening", "unix stream, new",
					"unix stream, connected", "unix stream, accepted" };
	static const char *abstract[] = { "abstract, listening", "abstract, new",
					  "abstract, connected", "abstract, accepted" };
	static const char *packets[] = { "seqpacket, listening", "seqpacket, new",
					 "seqpacket, connected", "seqpacket, accepted" };
	static const char *grams[] = { "unix dgram, bound", "unix dgram, new",
				       "unix dgram, connected", NULL };
	union address netlink = { .netlink.nl_family = AF_NETLINK };
	int pair[2];

	internet(AF_INET, four);
	internet(AF_INET6, six);
	must(socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	add("one of a pair", pair[0]);
	add("the other one", pair[1]);
	local(SOCK_STREAM, NULL, place("stream"), stream);
	local(SOCK_STREAM, "stxtop descriptor kinds", NULL, abstract);
	local(SOCK_SEQPACKET, NULL, place("packets"), packets);
	local(SOCK_DGRAM, NULL, place("grams"), grams);
	add("netlink, new", must(socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE)));
	must(bind(kinds[count - 1].fd, &netlink.any, sizeof(netlink.netlink)));
	add("netlink, bound", kinds[count - 1].fd);
	add("packet", socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL)));
	add("raw", socket(AF_INET, SOCK_RAW, IPPROTO_ICMP));
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	folder = argv[1];
	files();
	anonymous();
	kernels();
	sockets();
	for (size_t i = 0; i < count; i++)
		printf("%s\n", kinds[i].name);
	puts("");
	fflush(stdout);
	while (read(STDIN_FILENO, &(char){ 0 }, 1) > 0)
		;
	for (size_t i = 0; i < count; i++)
		fcntl(kinds[i].fd, F_GETFD);
	return 0;
}
