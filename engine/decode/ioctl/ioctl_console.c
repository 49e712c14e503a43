/* Requests of consoles and their keyboards. */
#include "engine/decode/ioctl_args.h"

#include "engine/decode/struct_layout.h"
#include "engine/decode/tables.h"

#include <linux/kd.h>

/* Frequency of the timer in Hz; the argument gives the period of a tone in timer ticks. */
#define TONE_CLOCK 1193182u

static void show_decimal_enum(struct printer *p, uint64_t value, const void *data)
{
	const struct constants *table = data;
	const char *name = constants_name(table, (uint32_t)value);

	if (name) {
		str_add(p->out, name);
		return;
	}
	str_addd(p->out, (int32_t)value);
	print_comment(p, table->unknown);
}

static void print_tone(struct printer *p, uint32_t ticks)
{
	str_addu(p->out, ticks);
	if (ticks && ticks <= UINT16_MAX)
		str_addf(p->out, " /* %u Hz */", TONE_CLOCK / ticks);
	else
		print_comment(p, "off");
}

static void show_sound(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	print_tone(p, (uint32_t)value);
}

static void show_leds(struct printer *p, uint64_t value, const void *data)
{
	show_flags(p, (uint8_t)value, data);
}

static const struct pointee mode_pointee = { 4, show_enum, &console_modes };
static const struct pointee keyboard_pointee = { 4, show_decimal_enum, &keyboard_modes };
static const struct pointee meta_pointee = { 4, show_enum, &keyboard_metas };
static const struct pointee type_pointee = { 1, show_enum, &keyboard_types };
static const struct pointee leds_pointee = { 1, show_leds, &keyboard_leds };
static const struct pointee flags_pointee = { 1, show_leds, &keyboard_flags };

static const struct ioctl_arg ioctl_console_args_list[] = {
	{ KDGETMODE, IOCTL_READS, show_pointee, &mode_pointee, 0 },
	{ KDSETMODE, IOCTL_WRITES, show_enum, &console_modes, 0 },
	{ KDGKBMODE, IOCTL_READS, show_pointee, &keyboard_pointee, 0 },
	{ KDSKBMODE, IOCTL_WRITES, show_decimal_enum, &keyboard_modes, 0 },
	{ KDGKBMETA, IOCTL_READS, show_pointee, &meta_pointee, 0 },
	{ KDSKBMETA, IOCTL_WRITES, show_enum, &keyboard_metas, 0 },
	{ KDGKBTYPE, IOCTL_READS, show_pointee, &type_pointee, 0 },
	{ KDGETLED, IOCTL_READS, show_pointee, &leds_pointee, 0 },
	{ KDSETLED, IOCTL_WRITES, show_leds, &keyboard_leds, 0 },
	{ KDGKBLED, IOCTL_READS, show_pointee, &flags_pointee, 0 },
	{ KDSKBLED, IOCTL_WRITES, show_leds, &keyboard_flags, 0 },
	{ KIOCSOUND, IOCTL_WRITES, show_sound, NULL, 0 },
	{ KDSIGACCEPT, IOCTL_WRITES, show_signal, NULL, 0 },
	{ KDENABIO, IOCTL_NOTHING, NULL, NULL, 0 },
	{ KDDISABIO, IOCTL_NOTHING, NULL, NULL, 0 },
	{ KDMAPDISP, IOCTL_NOTHING, NULL, NULL, 0 },
	{ KDUNMAPDISP, IOCTL_NOTHING, NULL, NULL, 0 },
};
IOCTL_ARGS(ioctl_console_args);
