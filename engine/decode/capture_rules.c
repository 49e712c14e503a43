#include "engine/decode/capture_rules.h"

#include "engine/decode/call_bytes.h"
#include "engine/decode/capture_descriptors.h"
#include "engine/decode/capture_specials.h"
#include "engine/decode/form.h"
#include "engine/decode/ioctl_args.h"
#include "engine/decode/shapes.h"

#include <limits.h>
#include <linux/ioctl.h>
#include <signal.h>
#include <string.h>

#define KERNEL_STRUCT_BYTES 512 /* maximum size of a struct that only the kernel BTF describes */
#define SIGEVENT_BYTES 64
#define SIGSET_BYTES 8

/* Insert a rule after the rules for the enter, or for the exit; false: the table is full. */
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

static void add_sigset(struct capture_call *call, unsigned arg, bool at_exit,
		       const struct sigset_arg *set)
{
	const struct capture_rule rule = {
		.arg = (uint8_t)arg,
		.kind = CAPTURE_BYTES,
		.size = CAPTURE_BY_ARG,
		.size_arg = set->size_arg,
		.unit = 1,
		.max = SIGSET_BYTES,
	};

	add_rule(call, at_exit, &rule);
}

/* Return the size of the memory that a shared show function reads; 0: unknown, or none. */
static uint32_t bytes_shown(show_fn *show, const void *data)
{
	static const struct {
		show_fn *show;
		uint32_t bytes;
	} known[] = {
		{ show_siginfo, sizeof(siginfo_t) },
		{ show_sigevent, SIGEVENT_BYTES },
		{ show_two_timespecs, 32 },
		{ show_two_timevals, 32 },
	};

	if (show == show_struct)
		return ((const struct layout *)data)->bytes;
	if (show == show_pointee)
		return ((const struct pointee *)data)->bytes;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].show == show)
			return known[i].bytes;
	return 0;
}

/* Add the rules that the form of an argument implies. */
static void add_by_form(struct capture_call *call, const struct syscall_info *info, unsigned arg,
			uint32_t text_bytes)
{
	const struct arg_form *form = info->form ? &info->form->args[arg] : NULL;
	show_fn *show = form ? form->show : NULL;
	bool out = form && form->out;
	uint32_t bytes = show ? bytes_shown(show, form->data) : 0;

	if (bytes)
		add_pointed_to(call, arg, out, CAPTURE_BYTES, bytes);
	else if (show == show_sigset)
		add_sigset(call, arg, out, form->data);
	else if (show == show_path || (!show && info->args[arg].kind == ARG_PATH))
		add_pointed_to(call, arg, out, CAPTURE_TEXT, PATH_MAX);
	else if (show == show_string || (!show && info->args[arg].kind == ARG_STRING))
		add_pointed_to(call, arg, out, CAPTURE_TEXT, text_bytes);
	else if (!show && info->args[arg].kernel_struct)
		add_pointed_to(call, arg, !syscall_arg_is_given(info, arg), CAPTURE_BYTES,
			       KERNEL_STRUCT_BYTES);
}

static bool is_special(const char *call, unsigned arg)
{
	const struct capture_special *special;

	for (size_t i = 0; (special = capture_special_at(i)); i++)
		if (special->rule.arg == arg && !strcmp(special->call, call))
			return true;
	return false;
}

static void add_special(struct capture_rules *rules, const struct syscalls *syscalls,
			const struct capture_special *special, uint32_t text_bytes)
{
	int nr = syscalls_number(syscalls, special->call, strlen(special->call));
	struct capture_rule rule = special->rule;

	if (nr < 0 || nr >= CAPTURE_CALLS)
		return;
	if (!rule.unit)
		rule.unit = 1;
	if (rule.max == CAPTURE_SHOWN)
		rule.max = (uint16_t)text_bytes;
	add_rule(&rules->calls[nr], special->at_exit, &rule);
	if (rule.flags & CAPTURE_FAILED)
		rules->calls[nr].failed = 1;
}

#define REQUEST_MORE_BYTES 128

/* Return the size of the memory that the argument of a request points to. */
static uint32_t request_bytes(const struct ioctl_arg *arg)
{
	uint32_t bytes = arg->bytes ? arg->bytes : bytes_shown(arg->show, arg->data);

	if (bytes || !_IOC_DIR(arg->code) || arg->show == show_pointer)
		return bytes;
	/* The request code contains the size; a show function can read beyond it. */
	return _IOC_SIZE(arg->code) + (arg->kind == IOCTL_BOTH ? REQUEST_MORE_BYTES : 0);
}

static void add_request(struct capture_rules *rules, const struct ioctl_arg *arg)
{
	uint16_t bytes = (uint16_t)request_bytes(arg);

	for (uint32_t i = 0; bytes && i < CAPTURE_REQUEST_TRIES; i++) {
		struct capture_request *request =
			&rules->requests[CAPTURE_REQUEST_AT(arg->code, i)];

		if (request->code && request->code != arg->code)
			continue;
		request->code = arg->code;
		request->at_enter = arg->kind != IOCTL_READS ? bytes : 0;
		request->at_exit = arg->kind != IOCTL_WRITES ? bytes : 0;
		break;
	}
}

static void add_descriptors(struct capture_rules *rules, const struct syscalls *syscalls)
{
	const struct capture_special *opens;

	for (size_t i = 0; (opens = capture_descriptor_at(i)); i++)
		add_special(rules, syscalls, opens, 0);
}

void capture_rules_make(struct capture_rules *rules, const struct syscalls *syscalls,
			uint32_t string_bytes, bool descriptors)
{
	/* One byte beyond the shown ones reveals that the string continues. */
	uint32_t text_bytes = (string_bytes ? string_bytes : STRING_BYTES) + 1;
	const struct capture_special *special;
	const struct ioctl_args *args;

	if (text_bytes > CAPTURE_BYTES_MAX)
		text_bytes = CAPTURE_BYTES_MAX;
	memset(rules, 0, sizeof(*rules));
	rules->origin = BYTES_KERNEL;
	rules->late_origin = BYTES_LATE;
	rules->text_bytes = (uint16_t)text_bytes;
	for (uint32_t nr = 0; nr < CAPTURE_CALLS && nr < syscalls_count(syscalls); nr++) {
		const struct syscall_info *info = syscalls_info(syscalls, nr);

		for (unsigned arg = 0; arg < info->arg_count; arg++)
			if (!is_special(info->name, arg))
				add_by_form(&rules->calls[nr], info, arg, text_bytes);
	}
	for (size_t i = 0; (special = capture_special_at(i)); i++)
		add_special(rules, syscalls, special, text_bytes);
	if (descriptors)
		add_descriptors(rules, syscalls);
	for (size_t i = 0; (args = ioctl_args_at(i)); i++)
		for (size_t k = 0; k < args->count; k++)
			add_request(rules, &args->list[k]);
}
