/* ioctl(2): the request by name, and its argument if the layout is known. */
#include "engine/decode/ioctl_args.h"

#include "engine/decode/ioctl_codes.h"
#include "engine/decode/tables.h"

#include <linux/ioctl.h>
#include <linux/nsfs.h>

const struct ioctl_args *ioctl_args_at(size_t index)
{
	static const struct ioctl_args *const tables[] = {
		&ioctl_terminal_args, &ioctl_file_args,  &ioctl_net_args,     &ioctl_block_args,
		&ioctl_device_args,   &ioctl_input_args, &ioctl_console_args,
	};

	return index < sizeof(tables) / sizeof(tables[0]) ? tables[index] : NULL;
}

static const struct ioctl_arg *ioctl_arg_find(uint32_t code)
{
	const struct ioctl_args *args;

	for (size_t i = 0; (args = ioctl_args_at(i)); i++)
		for (size_t k = 0; k < args->count; k++)
			if (args->list[k].code == code)
				return &args->list[k];
	return NULL;
}

/* Base numbers of input device requests to which an event type or an axis is added. */
#define INPUT_BITS 0x20
#define INPUT_GET_AXIS 0x40
#define INPUT_SET_AXIS 0xc0
#define INPUT_TYPES 0x20
#define INPUT_AXES 0x40

static bool print_input_request(struct printer *p, uint32_t code)
{
	uint32_t nr = _IOC_NR(code), direction = _IOC_DIR(code);

	if (direction == _IOC_READ && nr >= INPUT_BITS && nr < INPUT_BITS + INPUT_TYPES) {
		PUT(p, "EVIOCGBIT(");
		/* Type 0 requests the bitmap of the event types themselves. */
		if (nr == INPUT_BITS)
			PUT(p, "0");
		else
			print_enum(p, nr - INPUT_BITS, &input_types);
		str_addf(p->out, ", %u)", _IOC_SIZE(code));
		return true;
	}
	if (direction == _IOC_READ && nr >= INPUT_GET_AXIS && nr < INPUT_GET_AXIS + INPUT_AXES) {
		PUT(p, "EVIOCGABS(");
		print_enum(p, nr - INPUT_GET_AXIS, &input_axes);
	} else if (direction == _IOC_WRITE && nr >= INPUT_SET_AXIS) {
		PUT(p, "EVIOCSABS(");
		print_enum(p, nr - INPUT_SET_AXIS, &input_axes);
	} else {
		return false;
	}
	PUT(p, ")");
	return true;
}

/* Print a request whose code contains the buffer size; the name shows it as a parameter. */
static bool print_sized(struct printer *p, uint32_t code)
{
	static const struct {
		uint32_t type, nr;
		const char *name;
	} sized[] = {
		{ 'E', 0x06, "EVIOCGNAME" },     { 'E', 0x07, "EVIOCGPHYS" },
		{ 'E', 0x08, "EVIOCGUNIQ" },     { 'E', 0x09, "EVIOCGPROP" },
		{ 'E', 0x0a, "EVIOCGMTSLOTS" },  { 'E', 0x18, "EVIOCGKEY" },
		{ 'E', 0x19, "EVIOCGLED" },      { 'E', 0x1a, "EVIOCGSND" },
		{ 'E', 0x1b, "EVIOCGSW" },       { 'j', 0x13, "JSIOCGNAME" },
		{ 'U', 0x2c, "UI_GET_SYSNAME" },
	};

	if (_IOC_TYPE(code) == 'E' && print_input_request(p, code))
		return true;
	if (_IOC_DIR(code) != _IOC_READ)
		return false;
	for (size_t i = 0; i < sizeof(sized) / sizeof(sized[0]); i++) {
		if (_IOC_TYPE(code) != sized[i].type || _IOC_NR(code) != sized[i].nr)
			continue;
		str_addf(p->out, "%s(%u)", sized[i].name, _IOC_SIZE(code));
		return true;
	}
	return false;
}

static void print_generic(struct printer *p, uint32_t code)
{
	PUT(p, "_IOC(");
	if (!_IOC_DIR(code))
		PUT(p, "_IOC_NONE");
	else
		show_flags(p, _IOC_DIR(code), &ioctl_directions);
	PUT(p, ", ");
	str_addf(p->out, "%#x, %#x, %#x)", _IOC_TYPE(code), _IOC_NR(code), _IOC_SIZE(code));
}

static void show_request(struct printer *p, uint64_t value, const void *data)
{
	uint32_t code = (uint32_t)value;
	const char *names[IOCTL_NAMES];
	size_t count;

	(void)data;
	if (print_sized(p, code))
		return;
	count = ioctl_code_names(code, names);
	if (!count)
		print_generic(p, code);
	for (size_t i = 0; i < count; i++) {
		if (i)
			PUT(p, " or ");
		str_add(p->out, names[i]);
	}
}

static unsigned ioctl_count(const struct call *call)
{
	const struct ioctl_arg *arg = ioctl_arg_find((uint32_t)call->args[1]);

	return arg && arg->kind == IOCTL_NOTHING ? 2 : 3;
}

static void show_ioctl_arg(struct printer *p, uint64_t value, const void *data)
{
	const struct ioctl_arg *arg = ioctl_arg_find((uint32_t)p->call->args[1]);

	(void)data;
	if (!arg) {
		show_address(p, value, NULL);
		return;
	}
	switch (arg->kind) {
	case IOCTL_READS: /* output of the kernel */
		if (!printer_succeeded(p)) {
			show_pointer(p, value, NULL);
			return;
		}
		p->when = BYTES_AT_EXIT;
		break;
	case IOCTL_WRITES:
	case IOCTL_BOTH:
	case IOCTL_NOTHING:
		break;
	}
	arg->show(p, value, arg->data);
}

static void ioctl_result(struct printer *p)
{
	str_addd(p->out, p->call->ret);
	if ((uint32_t)p->call->args[1] != NS_GET_NSTYPE)
		return;
	PUT(p, " (");
	show_flags(p, (uint64_t)p->call->ret, &setns_types);
	PUT(p, ")");
}

static const struct call_form ioctl_forms[] = {
	{ .name = "ioctl",
	  .classes = DESC,
	  .prototype = "unsigned int fd, unsigned int cmd, unsigned long arg",
	  .args = { [1] = SHOW(show_request), [2] = SHOW(show_ioctl_arg) },
	  .count = ioctl_count,
	  .result = ioctl_result },
};

CALL_FAMILY(ioctl);
