/* Requests of terminals. */
#include "engine/decode/ioctl_args.h"

#include "engine/decode/tables.h"

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
static const struct layout window_layout = { sizeof(struct window_size), 4, window_fields, false };

/*
 * Print "|" and the names, or the number if no bit has one. As strace, print the bar even alone.
 */
static void print_rest(struct printer *p, uint32_t modes, const struct constants *table)
{
	PUT(p, "|");
	if (modes && !print_flags_of(p, modes, table))
		str_addx(p->out, modes);
}

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
	print_rest(p, modes & ~(uint32_t)(CBAUD | CSIZE), &terminal_control_modes);
}

static void print_output_modes(struct printer *p, uint32_t modes)
{
	/* Each field is an enumeration in which 0 has a name too: NL0. */
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
	print_rest(p, modes, &terminal_output_modes);
}

static void print_modes(struct printer *p, const uint32_t modes[4])
{
	PUT(p, "{c_iflag=");
	if (modes[0] && !print_flags_of(p, modes[0], &terminal_input_modes))
		str_addx(p->out, modes[0]);
	PUT(p, ", c_oflag=");
	print_output_modes(p, modes[1]);
	PUT(p, ", c_cflag=");
	print_control_modes(p, modes[2]);
	PUT(p, ", c_lflag=");
	if (modes[3] && !print_flags_of(p, modes[3], &terminal_local_modes))
		str_addx(p->out, modes[3]);
	PUT(p, ", ...}");
}

/* Show the short form: the speed and the modes that stty(1) users know. */
static void show_termios(struct printer *p, uint64_t value, const void *data)
{
	struct termios termios;

	(void)data;
	if (printer_read(p, value, &termios, sizeof(termios)))
		print_modes(p, (const uint32_t[]){ termios.c_iflag, termios.c_oflag,
						   termios.c_cflag, termios.c_lflag });
	else
		show_pointer(p, value, NULL);
}

#define OLD_TERMIO_BYTES 18 /* struct termio, with 16-bit modes */

static void show_termio(struct printer *p, uint64_t value, const void *data)
{
	uint16_t modes[OLD_TERMIO_BYTES / 2];

	(void)data;
	if (printer_read(p, value, modes, sizeof(modes)))
		print_modes(p, (const uint32_t[]){ modes[0], modes[1], modes[2], modes[3] });
	else
		show_pointer(p, value, NULL);
}

static const struct pointee modem_pointee = { 4, show_flags, &modem_lines };

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
	{ TCGETS, IOCTL_READS, show_termios, NULL, sizeof(struct termios) },
	{ TCSETS, IOCTL_WRITES, show_termios, NULL, sizeof(struct termios) },
	{ TCGETS2, IOCTL_READS, show_termios, NULL, 0 },
	{ TCSETS2, IOCTL_WRITES, show_termios, NULL, 0 },
	{ TCSETSW2, IOCTL_WRITES, show_termios, NULL, 0 },
	{ TCSETSF2, IOCTL_WRITES, show_termios, NULL, 0 },
	{ TCSETSW, IOCTL_WRITES, show_termios, NULL, sizeof(struct termios) },
	{ TCSETSF, IOCTL_WRITES, show_termios, NULL, sizeof(struct termios) },
	{ TIOCGLCKTRMIOS, IOCTL_READS, show_termios, NULL, sizeof(struct termios) },
	{ TIOCSLCKTRMIOS, IOCTL_WRITES, show_termios, NULL, sizeof(struct termios) },
	{ TCGETA, IOCTL_READS, show_termio, NULL, OLD_TERMIO_BYTES },
	{ TCSETA, IOCTL_WRITES, show_termio, NULL, OLD_TERMIO_BYTES },
	{ TCSETAW, IOCTL_WRITES, show_termio, NULL, OLD_TERMIO_BYTES },
	{ TCSETAF, IOCTL_WRITES, show_termio, NULL, OLD_TERMIO_BYTES },
	{ TIOCMGET, IOCTL_READS, show_pointee, &modem_pointee, 0 },
	{ TIOCMSET, IOCTL_WRITES, show_pointee, &modem_pointee, 0 },
	{ TIOCMBIS, IOCTL_WRITES, show_pointee, &modem_pointee, 0 },
	{ TIOCMBIC, IOCTL_WRITES, show_pointee, &modem_pointee, 0 },
	{ TIOCGEXCL, IOCTL_READS, show_pointee, &int_pointee, 0 },
	{ TIOCSSOFTCAR, IOCTL_WRITES, show_pointee, &int_pointee, 0 },
	{ TIOCSSERIAL, IOCTL_NOTHING, NULL, NULL, 0 },
	{ TIOCGWINSZ, IOCTL_READS, show_struct, &window_layout, 0 },
	{ TIOCSWINSZ, IOCTL_WRITES, show_struct, &window_layout, 0 },
	{ TIOCGPGRP, IOCTL_READS, show_pointee, &int_pointee, 0 },
	{ TIOCSPGRP, IOCTL_WRITES, show_pointee, &int_pointee, 0 },
	{ TIOCGSID, IOCTL_READS, show_pointee, &int_pointee, 0 },
	{ TIOCOUTQ, IOCTL_READS, show_pointee, &int_pointee, 0 },
	{ FIONREAD, IOCTL_READS, show_pointee, &int_pointee, 0 },
	{ FIONBIO, IOCTL_WRITES, show_pointee, &int_pointee, 0 },
	{ FIOASYNC, IOCTL_WRITES, show_pointee, &int_pointee, 0 },
	{ FIOQSIZE, IOCTL_READS, show_pointee, &long_pointee, 0 },
	{ TIOCGPTN, IOCTL_READS, show_pointee, &int_pointee, 0 },
	{ TIOCGDEV, IOCTL_READS, show_pointee, &unsigned_pointee, 0 },
	{ TIOCSPTLCK, IOCTL_WRITES, show_pointee, &int_pointee, 0 },
	{ TIOCGPTLCK, IOCTL_READS, show_pointee, &int_pointee, 0 },
	{ TIOCGETD, IOCTL_READS, show_pointee, &int_pointee, 0 },
	{ TIOCSETD, IOCTL_WRITES, show_pointee, &int_pointee, 0 },
	{ TIOCPKT, IOCTL_WRITES, show_pointee, &int_pointee, 0 },
	{ TIOCGSOFTCAR, IOCTL_READS, show_pointee, &int_pointee, 0 },
	{ TIOCSTI, IOCTL_WRITES, show_char_pointee, NULL, 1 },
	{ TCSBRK, IOCTL_WRITES, show_int, NULL, 0 },
	{ TCSBRKP, IOCTL_WRITES, show_int, NULL, 0 },
	{ TCXONC, IOCTL_WRITES, show_enum, &terminal_flow_actions, 0 },
	{ TCFLSH, IOCTL_WRITES, show_enum, &terminal_flush_queues, 0 },
	{ TIOCSCTTY, IOCTL_WRITES, show_int, NULL, 0 },
	{ TIOCEXCL, IOCTL_NOTHING, NULL, NULL, 0 },
	{ TIOCNXCL, IOCTL_NOTHING, NULL, NULL, 0 },
	{ TIOCNOTTY, IOCTL_NOTHING, NULL, NULL, 0 },
	{ TIOCSBRK, IOCTL_NOTHING, NULL, NULL, 0 },
	{ TIOCCBRK, IOCTL_NOTHING, NULL, NULL, 0 },
	{ TIOCCONS, IOCTL_NOTHING, NULL, NULL, 0 },
	{ TIOCVHANGUP, IOCTL_NOTHING, NULL, NULL, 0 },
	{ FIOCLEX, IOCTL_NOTHING, NULL, NULL, 0 },
	{ FIONCLEX, IOCTL_NOTHING, NULL, NULL, 0 },
};
IOCTL_ARGS(ioctl_terminal_args);
