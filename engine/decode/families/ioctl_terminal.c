/* Requests of terminals. */
#include "engine/decode/families/ioctl_args.h"

#include "engine/decode/constants/tables.h"

#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <string.h>

struct window_size {
	uint16_t ws_row, ws_col, ws_xpixel, ws_ypixel;
};
static const struct field window_fields[] = {
	MEMBER(struct window_size, ws_row, show_unsigned),
	MEMBER(struct window_size, ws_col, show_unsigned),
	MEMBER(struct window_size, ws_xpixel, show_unsigned),
	MEMBER(struct window_size, ws_ypixel, show_unsigned),
};
static const struct layout window_layout = { sizeof(struct window_size), 4, window_fields,
	false };

static void print_control_modes(struct printer *p, uint32_t modes)
{
	uint32_t speed = modes & CBAUD, in = modes >> IBSHIFT & CBAUD;

	print_enum(p, speed, &terminal_speeds);
	if (in) {
		PUT(p, "|");
		print_enum(p, in, &terminal_speeds);
		PUT(p, "<<IBSHIFT");
		modes &= ~((uint32_t)CBAUD << IBSHIFT);
	}
	PUT(p, "|");
	print_enum(p, modes & CSIZE, &terminal_sizes);
	print_more_flags(p, modes & ~(uint32_t)(CBAUD | CSIZE), &terminal_control_modes);
}

static void print_output_modes(struct printer *p, uint32_t modes)
{
	/* Each is a choice of its own; "none" has a name too: NL0. */
	static const struct {
		uint32_t mask;
		const char *name;
	} delays[] = {
		{ NLDLY, "NL" }, { CRDLY, "CR" }, { TABDLY, "TAB" },
		{ BSDLY, "BS" }, { VTDLY, "VT" }, { FFDLY, "FF" },
	};

	for (size_t i = 0; i < sizeof(delays) / sizeof(delays[0]); i++) {
		uint32_t choice = (modes & delays[i].mask) / (delays[i].mask & -delays[i].mask);

		str_addf(p->out, "%s%s%u", i ? "|" : "", delays[i].name, choice);
		modes &= ~delays[i].mask;
	}
	if (modes)
		print_more_flags(p, modes, &terminal_output_modes);
}

/* The short form: the speed and the modes that people know by stty(1). */
static void show_termios(struct printer *p, uint64_t value, const void *data)
{
	struct termios termios;

	(void)data;
	if (!printer_read(p, value, &termios, sizeof(termios))) {
		show_pointer(p, value, NULL);
		return;
	}
	PUT(p, "{c_iflag=");
	print_flags_of(p, termios.c_iflag, &terminal_input_modes);
	PUT(p, ", c_oflag=");
	print_output_modes(p, termios.c_oflag);
	PUT(p, ", c_cflag=");
	print_control_modes(p, termios.c_cflag);
	PUT(p, ", c_lflag=");
	print_flags_of(p, termios.c_lflag, &terminal_local_modes);
	PUT(p, ", ...}");
}

static void show_char_pointee(struct printer *p, uint64_t value, const void *data)
{
	uint8_t c;

	(void)data;
	if (!printer_read(p, value, &c, 1)) {
		show_pointer(p, value, NULL);
		return;
	}
	print_quoted(p, &c, 1);
}

static const struct ioctl_arg ioctl_terminal_args_list[] = {
	{ TCGETS, IOCTL_READS, show_termios, NULL },
	{ TCSETS, IOCTL_WRITES, show_termios, NULL },
	{ TCGETS2, IOCTL_READS, show_termios, NULL },
	{ TCSETS2, IOCTL_WRITES, show_termios, NULL },
	{ TCSETSW2, IOCTL_WRITES, show_termios, NULL },
	{ TCSETSF2, IOCTL_WRITES, show_termios, NULL },
	{ TCSETSW, IOCTL_WRITES, show_termios, NULL },
	{ TCSETSF, IOCTL_WRITES, show_termios, NULL },
	{ TIOCGWINSZ, IOCTL_READS, show_struct, &window_layout },
	{ TIOCSWINSZ, IOCTL_WRITES, show_struct, &window_layout },
	{ TIOCGPGRP, IOCTL_READS, show_pointee, &int_pointee },
	{ TIOCSPGRP, IOCTL_WRITES, show_pointee, &int_pointee },
	{ TIOCGSID, IOCTL_READS, show_pointee, &int_pointee },
	{ TIOCOUTQ, IOCTL_READS, show_pointee, &int_pointee },
	{ FIONREAD, IOCTL_READS, show_pointee, &int_pointee },
	{ FIONBIO, IOCTL_WRITES, show_pointee, &int_pointee },
	{ FIOASYNC, IOCTL_WRITES, show_pointee, &int_pointee },
	{ FIOQSIZE, IOCTL_READS, show_pointee, &long_pointee },
	{ TIOCGPTN, IOCTL_READS, show_pointee, &int_pointee },
	{ TIOCGDEV, IOCTL_READS, show_pointee, &unsigned_pointee },
	{ TIOCSPTLCK, IOCTL_WRITES, show_pointee, &int_pointee },
	{ TIOCGPTLCK, IOCTL_READS, show_pointee, &int_pointee },
	{ TIOCGETD, IOCTL_READS, show_pointee, &int_pointee },
	{ TIOCSETD, IOCTL_WRITES, show_pointee, &int_pointee },
	{ TIOCPKT, IOCTL_WRITES, show_pointee, &int_pointee },
	{ TIOCGSOFTCAR, IOCTL_READS, show_pointee, &int_pointee },
	{ TIOCSTI, IOCTL_WRITES, show_char_pointee, NULL },
	{ TCSBRK, IOCTL_WRITES, show_int, NULL },
	{ TCSBRKP, IOCTL_WRITES, show_int, NULL },
	{ TCXONC, IOCTL_WRITES, show_enum, &terminal_flow_actions },
	{ TCFLSH, IOCTL_WRITES, show_enum, &terminal_flush_queues },
	{ TIOCSCTTY, IOCTL_WRITES, show_int, NULL },
	{ TIOCEXCL, IOCTL_NOTHING, NULL, NULL },
	{ TIOCNXCL, IOCTL_NOTHING, NULL, NULL },
	{ TIOCNOTTY, IOCTL_NOTHING, NULL, NULL },
	{ TIOCSBRK, IOCTL_NOTHING, NULL, NULL },
	{ TIOCCBRK, IOCTL_NOTHING, NULL, NULL },
	{ TIOCCONS, IOCTL_NOTHING, NULL, NULL },
	{ TIOCVHANGUP, IOCTL_NOTHING, NULL, NULL },
	{ FIOCLEX, IOCTL_NOTHING, NULL, NULL },
	{ FIONCLEX, IOCTL_NOTHING, NULL, NULL },
};
IOCTL_ARGS(ioctl_terminal_args);
