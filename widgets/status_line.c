#include "widgets/status_line.h"

void status_line_init(struct status_line *status)
{
	*status = (struct status_line){ .text = STR_INIT, .role = ROLE_TEXT };
}

void status_line_release(struct status_line *status)
{
	str_release(&status->text);
}

void status_line_set(struct status_line *status, enum role role, uint64_t now_ns, uint64_t for_ns,
		     const char *format, ...)
{
	struct str text = STR_INIT; /* formatted first: an argument can be the old message */
	va_list args;

	va_start(args, format);
	str_vaddf(&text, format, args);
	va_end(args);
	str_release(&status->text);
	status->text = text;
	status->role = role;
	status->until_ns = for_ns ? now_ns + for_ns : 0;
}

void status_line_clear(struct status_line *status)
{
	str_clear(&status->text);
	status->until_ns = 0;
}

bool status_line_is_shown(struct status_line *status, uint64_t now_ns)
{
	if (status->until_ns && now_ns >= status->until_ns)
		status_line_clear(status);
	return status->text.len > 0;
}

void status_line_draw(struct status_line *status, struct canvas *canvas, int row, uint64_t now_ns)
{
	if (status_line_is_shown(status, now_ns))
		canvas_field(canvas, row, 0, canvas->cols, ALIGN_LEFT, status->role,
			     status->text.data, status->text.len);
}
