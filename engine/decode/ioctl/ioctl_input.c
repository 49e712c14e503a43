/* Requests of input devices. */
#include "engine/decode/ioctl_args.h"

#include "engine/decode/struct_layout.h"
#include "engine/decode/tables.h"

#include <linux/input.h>
#include <string.h>

LAYOUT(input_id_layout, struct input_id, MEMBER(struct input_id, bustype, show_unsigned),
       MEMBER(struct input_id, vendor, show_unsigned),
       MEMBER(struct input_id, product, show_unsigned),
       MEMBER(struct input_id, version, show_unsigned));
SHORT_LAYOUT(keymap_layout, struct input_keymap_entry,
	     MEMBER(struct input_keymap_entry, flags, show_unsigned),
	     MEMBER(struct input_keymap_entry, len, show_unsigned));
SHORT_LAYOUT(effect_layout, struct ff_effect, MEMBER_ENUM(struct ff_effect, type, input_effects),
	     MEMBER(struct ff_effect, id, show_short),
	     MEMBER(struct ff_effect, direction, show_unsigned));
SHORT_LAYOUT(axis_layout, struct input_absinfo, MEMBER(struct input_absinfo, value, show_unsigned),
	     MEMBER(struct input_absinfo, minimum, show_unsigned));

static const struct pointee version_pointee = { 4, show_hex, NULL };

static void show_repeat(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_array(p, value, 2, 4, element_unsigned, NULL);
}

/* clang-format off */
#define AXIS(axis) \
	{ EVIOCGABS(axis), IOCTL_READS, show_struct, &axis_layout, 0 }, \
	{ EVIOCSABS(axis), IOCTL_WRITES, show_struct, &axis_layout, 0 }

static const struct ioctl_arg ioctl_input_args_list[] = {
	{ EVIOCGVERSION, IOCTL_READS, show_pointee, &version_pointee, 0 },
	{ EVIOCGID, IOCTL_READS, show_struct, &input_id_layout, 0 },
	{ EVIOCGREP, IOCTL_READS, show_repeat, NULL, 8 },
	{ EVIOCSREP, IOCTL_WRITES, show_repeat, NULL, 8 },
	{ EVIOCGKEYCODE_V2, IOCTL_READS, show_struct, &keymap_layout, 0 },
	{ EVIOCSKEYCODE_V2, IOCTL_WRITES, show_struct, &keymap_layout, 0 },
	{ EVIOCGEFFECTS, IOCTL_READS, show_pointee, &unsigned_pointee, 0 },
	{ EVIOCSFF, IOCTL_WRITES, show_struct, &effect_layout, 0 },
	{ EVIOCSCLOCKID, IOCTL_WRITES, show_pointee, &unsigned_pointee, 0 },
	{ EVIOCRMFF, IOCTL_WRITES, show_int, NULL, 0 },
	{ EVIOCGRAB, IOCTL_WRITES, show_ulong, NULL, 0 },
	{ EVIOCREVOKE, IOCTL_WRITES, show_ulong, NULL, 0 },
	AXIS(ABS_X), AXIS(ABS_Y), AXIS(ABS_Z), AXIS(ABS_RX), AXIS(ABS_RY), AXIS(ABS_RZ),
	AXIS(ABS_PRESSURE), AXIS(ABS_DISTANCE), AXIS(ABS_MT_SLOT), AXIS(ABS_MT_TRACKING_ID),
	AXIS(ABS_MT_POSITION_X), AXIS(ABS_MT_POSITION_Y), AXIS(ABS_MT_PRESSURE),
};
/* clang-format on */
IOCTL_ARGS(ioctl_input_args);
