#include "engine/base/str.h"
#include "engine/decode/call_text.h"
#include "engine/decode/printer.h"
#include "tests/unit/runner.h"

#include <linux/neighbour.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/syscall.h>

#define AT 0x1000

static struct syscalls *syscalls;
static const char *socket_name = "NETLINK:[ROUTE:77]";

static struct memory {
	const void *bytes;
	size_t len;
} memory;

static size_t name_fd(void *ctx, const struct call *call, int fd, bool after, char *out,
		      size_t out_bytes)
{
	size_t len = strlen(socket_name);

	(void)ctx;
	(void)call;
	(void)fd;
	(void)after;
	memcpy(out, socket_name, len < out_bytes ? len : out_bytes);
	return len;
}

static void read_memory(void *ctx, const struct call *call, const struct bytes_ask *ask, void *to,
			struct bytes_answer *answer)
{
	uint64_t skip = ask->address - AT;

	(void)ctx;
	(void)call;
	answer->len = 0;
	answer->origin = BYTES_KERNEL;
	if (skip >= memory.len)
		return;
	answer->len = memory.len - skip < ask->len ? (uint32_t)(memory.len - skip) : ask->len;
	answer->cut = answer->len < ask->len;
	memcpy(to, (const uint8_t *)memory.bytes + skip, answer->len);
}

/* Check the text of a sendto of `len` bytes, of which `known` were copied. */
static void check(const void *bytes, size_t known, size_t len, const char *expected)
{
	struct call call = { .state = CALL_DONE, .nr = SYS_sendto, .args = { 3, AT, len } };
	struct fd_namer namer = { .name = name_fd };
	struct call_bytes provider = { .read = read_memory };
	struct call_text_options options = { .bytes = &provider, .fd_namer = &namer };
	struct str out = STR_INIT;

	memory = (struct memory){ bytes, known };
	call_text_arg(&out, syscalls, &call, 1, &options);
	ck_assert_str_eq(out.data, expected);
	str_release(&out);
}

static void set_up(void)
{
	syscalls = syscalls_load(NULL);
}

static void tear_down(void)
{
	syscalls_free(syscalls);
}

static const struct {
	struct nlmsghdr header;
	struct ifinfomsg link;
} get_link = { { 32, RTM_GETLINK, NLM_F_REQUEST | NLM_F_DUMP, 7, 0 },
	       { .ifi_family = 17, .ifi_type = 772, .ifi_index = 1 } };

#define LINK_HEADER \
	"{nlmsg_len=32, nlmsg_type=RTM_GETLINK, " \
	"nlmsg_flags=NLM_F_REQUEST|NLM_F_DUMP, nlmsg_seq=7, nlmsg_pid=0}"
#define LINK \
	"[" LINK_HEADER ", {ifi_family=AF_PACKET, ifi_type=ARPHRD_LOOPBACK, " \
	"ifi_index=if_nametoindex(\"lo\"), ifi_flags=0, ifi_change=0}]"

START_TEST(route_messages_have_names)
{
	const struct {
		struct nlmsghdr header;
		struct ndmsg neighbour;
		char attributes[8];
	} new_neighbour = { { 36, RTM_NEWNEIGH, NLM_F_ACK | NLM_F_CREATE | NLM_F_EXCL, 1, 2 },
			    { .ndm_family = 2,
			      .ndm_ifindex = 5,
			      .ndm_state = NUD_PERMANENT,
			      .ndm_type = RTN_UNICAST },
			    "" };

	check(&get_link, 32, 32, LINK);
	check(&new_neighbour, 36, 36,
	      "[{nlmsg_len=36, nlmsg_type=RTM_NEWNEIGH, "
	      "nlmsg_flags=NLM_F_ACK|NLM_F_EXCL|NLM_F_CREATE, nlmsg_seq=1, nlmsg_pid=2}, "
	      "{ndm_family=AF_INET, ndm_ifindex=5, ndm_state=NUD_PERMANENT, ndm_flags=0, "
	      "ndm_type=RTN_UNICAST}, ...]");
}
END_TEST

START_TEST(several_messages_are_a_list)
{
	char two[64 + 4];

	memcpy(two, &get_link, 32);
	memcpy(two + 32, &get_link, 32);
	check(two, 64, 64, "[" LINK ", " LINK "]");
	/* Bytes that were not copied, and bytes that do not exist. */
	check(two, 33, 64, "[" LINK ", ...]");
	check(two, 32, 64, "[" LINK ", ...]");
	check(two, 20, 32, "[" LINK_HEADER ", {ifi_family=AF_PACKET, ...}]");
	check(two, 16, 32, "[" LINK_HEADER ", ...]");
	check(two, 16, 16, LINK_HEADER);
	check(two, 8, 8, "\" \\0\\0\\0\\22\\0\\1\\3\"");
}
END_TEST

START_TEST(an_error_contains_the_header_of_its_request)
{
	struct {
		struct nlmsghdr header;
		int32_t error;
		struct nlmsghdr asked;
	} refused = { { 36, NLMSG_ERROR, NLM_F_CAPPED, 7, 9 },
		      -95,
		      { 32, RTM_GETLINK, NLM_F_REQUEST, 7, 0 } };
	struct {
		struct nlmsghdr header;
		int32_t status;
	} done = { { 20, NLMSG_DONE, NLM_F_MULTI, 7, 9 }, 0 };

	check(&refused, 36, 36,
	      "[{nlmsg_len=36, nlmsg_type=NLMSG_ERROR, nlmsg_flags=NLM_F_CAPPED, nlmsg_seq=7, "
	      "nlmsg_pid=9}, {error=-EOPNOTSUPP, msg={nlmsg_len=32, nlmsg_type=RTM_GETLINK, "
	      "nlmsg_flags=NLM_F_REQUEST, nlmsg_seq=7, nlmsg_pid=0}}]");
	check(&done, 20, 20,
	      "[{nlmsg_len=20, nlmsg_type=NLMSG_DONE, nlmsg_flags=NLM_F_MULTI, nlmsg_seq=7, "
	      "nlmsg_pid=9}, 0]");
}
END_TEST

START_TEST(wrong_lengths_end_the_list)
{
	struct nlmsghdr headers[4] = { { 0, 3, 0, 0, 0 }, { 1, 3, 0, 0, 0 }, { ~0u, 3, 0, 0, 0 } };

	check(headers, 48, 48,
	      "[{nlmsg_len=0, nlmsg_type=NLMSG_DONE, nlmsg_flags=0, nlmsg_seq=0, nlmsg_pid=0}, "
	      "{nlmsg_len=1, nlmsg_type=NLMSG_DONE, nlmsg_flags=0, nlmsg_seq=0, nlmsg_pid=0}, "
	      "{nlmsg_len=4294967295, nlmsg_type=NLMSG_DONE, nlmsg_flags=0, nlmsg_seq=0, "
	      "nlmsg_pid=0}]");
}
END_TEST

START_TEST(other_protocols_have_headers_and_bytes)
{
	socket_name = "NETLINK:[GENERIC:77]";
	check(&get_link, 32, 32,
	      "[{nlmsg_len=32, nlmsg_type=0x12, nlmsg_flags=NLM_F_REQUEST|0x300, nlmsg_seq=7, "
	      "nlmsg_pid=0}, \"\\x11\\x00\\x04\\x03\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00"
	      "\\x00\\x00\\x00\\x00\"]");
	/* A socket other than netlink carries plain bytes. */
	socket_name = "TCP:[127.0.0.1:5->127.0.0.1:6]";
	check(&get_link, 32, 32,
	      "\" \\0\\0\\0\\22\\0\\1\\3\\7\\0\\0\\0\\0\\0\\0\\0\\21\\0\\4\\3\\1\\0\\0\\0\\0"
	      "\\0\\0\\0\\0\\0\\0\\0\"");
	socket_name = "";
	check("abc", 3, 3, "\"abc\"");
}
END_TEST

Suite *suite_netlink(void);
Suite *suite_netlink(void)
{
	Suite *suite = suite_create("netlink");
	TCase *tests = tcase_create("netlink");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, route_messages_have_names);
	tcase_add_test(tests, several_messages_are_a_list);
	tcase_add_test(tests, an_error_contains_the_header_of_its_request);
	tcase_add_test(tests, wrong_lengths_end_the_list);
	tcase_add_test(tests, other_protocols_have_headers_and_bytes);
	suite_add_tcase(suite, tests);
	return suite;
}
