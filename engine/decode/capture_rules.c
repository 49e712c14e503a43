#include "engine/decode/capture_rules.h"

#include "engine/decode/call_bytes.h"
#include "engine/decode/form.h"

#include <limits.h>
#include <linux/openat2.h>
#include <linux/stat.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#define SOCKADDR_BYTES 128 /* as the kernel's struct sockaddr_storage */
#define KERNEL_STRUCT_BYTES 256 /* of structs that only the kernel describes */
#define LIST_BYTES 1024    /* of an array of small things: more than is ever shown */

/* What a form's own function reads. */
struct special {
	const char *call;
	uint8_t arg;
	uint8_t kind;  /* enum capture_kind */
	bool at_exit;
	uint8_t size_arg;
	uint16_t unit; /* 0: 1 */
	uint16_t max;  /* 0: as much as is shown of a string */
};

#define GIVEN(call, arg, size_arg) { call, arg, CAPTURE_BY_ARG, false, size_arg, 1, 0 }
#define RECEIVED(call, arg) { call, arg, CAPTURE_BY_RESULT, true, 0, 1, 0 }
#define THING(call, arg, bytes) { call, arg, CAPTURE_FIXED, false, 0, 1, bytes }
#define FILLED(call, arg, bytes) { call, arg, CAPTURE_FIXED, true, 0, 1, bytes }
#define BOTH(call, arg, bytes) THING(call, arg, bytes), FILLED(call, arg, bytes)
#define GIVEN_ADDRESS(call, arg) \
	{ call, arg, CAPTURE_BY_ARG, false, (arg) + 1, 1, SOCKADDR_BYTES }
#define FILLED_ADDRESS(call, arg) \
	BOTH(call, (arg) + 1, 4), \
	{ call, arg, CAPTURE_BY_LENGTH, true, (arg) + 1, 1, SOCKADDR_BYTES }
#define GIVEN_ARRAY(call, arg, count_arg, bytes) \
	{ call, arg, CAPTURE_BY_ARG, false, count_arg, bytes, LIST_BYTES }
#define FILLED_ARRAY(call, arg, bytes) \
	{ call, arg, CAPTURE_BY_RESULT, true, 0, bytes, LIST_BYTES }

static const struct special specials[] = {
	RECEIVED("read", 1), RECEIVED("pread64", 1), RECEIVED("recvfrom", 1),
	GIVEN("write", 1, 2), GIVEN("pwrite64", 1, 2), GIVEN("sendto", 1, 2),
	THING("splice", 1, 8), THING("splice", 3, 8),
	THING("copy_file_range", 1, 8), THING("copy_file_range", 3, 8),
	BOTH("sendfile", 2, 8),
	FILLED("pipe", 0, 8), FILLED("pipe2", 0, 8), FILLED("socketpair", 3, 8),

	THING("openat2", 2, sizeof(struct open_how)),
	{ "readlink", 1, CAPTURE_BY_RESULT, true, 0, 1, 0 },
	{ "readlinkat", 2, CAPTURE_BY_RESULT, true, 0, 1, 0 },
	{ "getcwd", 0, CAPTURE_TEXT, true, 0, 1, PATH_MAX },
	FILLED("stat", 1, sizeof(struct stat)), FILLED("lstat", 1, sizeof(struct stat)),
	FILLED("fstat", 1, sizeof(struct stat)), FILLED("newfstatat", 2, sizeof(struct stat)),
	FILLED("statx", 4, sizeof(struct statx)),
	{ "getdents64", 1, CAPTURE_BY_RESULT, true, 0, 1, CAPTURE_BYTES_MAX },
	{ "getdents", 1, CAPTURE_BY_RESULT, true, 0, 1, CAPTURE_BYTES_MAX },

	GIVEN_ADDRESS("bind", 1), GIVEN_ADDRESS("connect", 1), GIVEN_ADDRESS("sendto", 4),
	FILLED_ADDRESS("accept", 1), FILLED_ADDRESS("accept4", 1),
	FILLED_ADDRESS("getsockname", 1), FILLED_ADDRESS("getpeername", 1),
	FILLED_ADDRESS("recvfrom", 4),
	{ "setsockopt", 3, CAPTURE_BY_ARG, false, 4, 1, LIST_BYTES },
	THING("getsockopt", 4, 4), FILLED("getsockopt", 4, 4),
	{ "getsockopt", 3, CAPTURE_BY_LENGTH, true, 4, 1, LIST_BYTES },

	GIVEN_ARRAY("poll", 0, 1, sizeof(struct pollfd)),
	GIVEN_ARRAY("ppoll", 0, 1, sizeof(struct pollfd)),
	THING("epoll_ctl", 3, sizeof(struct epoll_event)),
	FILLED_ARRAY("epoll_wait", 1, sizeof(struct epoll_event)),
	FILLED_ARRAY("epoll_pwait", 1, sizeof(struct epoll_event)),
	FILLED_ARRAY("epoll_pwait2", 1, sizeof(struct epoll_event)),

	FILLED("wait4", 1, 4), FILLED("uname", 0, sizeof(struct utsname)),
	THING("rt_sigaction", 1, 32), FILLED("rt_sigaction", 2, 32),
	GIVEN_ARRAY("rt_sigprocmask", 1, 3, 1),
	{ "rt_sigprocmask", 2, CAPTURE_BY_ARG, true, 3, 1, 128 },
	THING("utimensat", 2, 32), THING("utimes", 1, 32), THING("futimesat", 2, 32),
	THING("utime", 1, 16), THING("clone3", 0, 88),
	{ "getrandom", 0, CAPTURE_BY_RESULT, true, 0, 1, 0 },
};

/* Room for a rule behind those of its moment; false: there is none. */
static bool add_rule(struct capture_call *call, bool at_exit, const struct capture_rule *rule)
{
	unsigned count = call->at_enter + call->at_exit;

	if (count == CAPTURE_RULES)
		return false;
	if (at_exit) {
		call->rules[count] = *rule;
		call->at_exit++;
		return true;
	}
	memmove(&call->rules[call->at_enter + 1], &call->rules[call->at_enter],
		call->at_exit * sizeof(*rule));
	call->rules[call->at_enter++] = *rule;
	return true;
}

static void add_pointed_to(struct capture_call *call, unsigned arg, bool at_exit, uint8_t kind,
			   uint32_t max)
{
	const struct capture_rule rule = {
		.arg = (uint8_t)arg,
		.kind = kind,
		.unit = 1,
		.max = (uint16_t)(max < CAPTURE_BYTES_MAX ? max : CAPTURE_BYTES_MAX),
	};

	add_rule(call, at_exit, &rule);
}

/* What an argument's form says by itself. */
static void add_by_form(struct capture_call *call, const struct syscall_info *info, unsigned arg,
			uint32_t text_bytes)
{
	const struct arg_form *form = info->form ? &info->form->args[arg] : NULL;
	bool out = form && form->out;

	if (form && form->show == show_struct) {
		const struct layout *layout = form->data;

		add_pointed_to(call, arg, out, CAPTURE_FIXED, layout->bytes);
	} else if (form && form->show == show_pointee) {
		const struct pointee *pointee = form->data;

		add_pointed_to(call, arg, out, CAPTURE_FIXED, pointee->bytes);
	} else if (form && form->show == show_string) {
		add_pointed_to(call, arg, out, CAPTURE_TEXT, text_bytes);
	} else if (form && form->show && form->show != show_path) {
		return;
	} else if ((form && form->show) || info->args[arg].kind == ARG_PATH) {
		add_pointed_to(call, arg, out, CAPTURE_TEXT, PATH_MAX);
	} else if (info->args[arg].kind == ARG_STRING) {
		add_pointed_to(call, arg, out, CAPTURE_TEXT, text_bytes);
	} else if (info->args[arg].kernel_struct) {
		add_pointed_to(call, arg, strncmp(info->args[arg].type, "const ", 6) != 0,
			       CAPTURE_FIXED, KERNEL_STRUCT_BYTES);
	}
}

static bool is_special(const char *call, unsigned arg)
{
	for (size_t i = 0; i < sizeof(specials) / sizeof(specials[0]); i++)
		if (specials[i].arg == arg && !strcmp(specials[i].call, call))
			return true;
	return false;
}

static void add_special(struct capture_rules *rules, const struct syscalls *syscalls,
			const struct special *special, uint32_t text_bytes)
{
	int nr = syscalls_number(syscalls, special->call, strlen(special->call));
	uint32_t max = special->max ? special->max : text_bytes;
	const struct capture_rule rule = {
		.arg = special->arg,
		.kind = special->kind,
		.size_arg = special->size_arg,
		.unit = special->unit ? special->unit : 1,
		.max = (uint16_t)(max < CAPTURE_BYTES_MAX ? max : CAPTURE_BYTES_MAX),
	};

	if (nr >= 0 && nr < CAPTURE_CALLS)
		add_rule(&rules->calls[nr], special->at_exit, &rule);
}

void capture_rules_make(struct capture_rules *rules, const struct syscalls *syscalls,
			uint32_t string_bytes)
{
	/* One more than is shown tells whether there is more. */
	uint32_t text_bytes = (string_bytes ? string_bytes : STRING_BYTES) + 1;

	memset(rules, 0, sizeof(*rules));
	rules->origin = BYTES_KERNEL;
	for (uint32_t nr = 0; nr < CAPTURE_CALLS && nr < syscalls_count(syscalls); nr++) {
		const struct syscall_info *info = syscalls_info(syscalls, nr);

		for (unsigned arg = 0; arg < info->arg_count; arg++)
			if (!is_special(info->name, arg))
				add_by_form(&rules->calls[nr], info, arg, text_bytes);
	}
	for (size_t i = 0; i < sizeof(specials) / sizeof(specials[0]); i++)
		add_special(rules, syscalls, &specials[i], text_bytes);
}
