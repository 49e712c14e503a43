#include "widgets/toast.h"

#include "engine/base/utf8.h"
#include "widgets/canvas/wrap.h"

#include <string.h>

#define MAX_LINES 5
/* Minimum size of a canvas for a box. */
#define BOX_ROWS 6
#define BOX_COLS 24

void toast_init(struct toast *toast)
{
	memset(toast, 0, sizeof(*toast));
	for (size_t i = 0; i < TOAST_HISTORY_MAX; i++)
		str_init(&toast->messages[i].text);
}

void toast_release(struct toast *toast)
{
	for (size_t i = 0; i < TOAST_HISTORY_MAX; i++)
		str_release(&toast->messages[i].text);
	toast->count = 0;
	toast->shown = false;
}

/* ---- messages ---- */

static size_t place_of(const struct toast *toast, size_t index)
{
	return (toast->first + toast->count - 1 - index) % TOAST_HISTORY_MAX;
}

const struct toast_message *toast_message(const struct toast *toast, size_t index)
{
	return index < toast->count ? &toast->messages[place_of(toast, index)] : NULL;
}

static struct toast_message *add(struct toast *toast)
{
	if (toast->count < TOAST_HISTORY_MAX)
		toast->count++;
	else
		toast->first = (toast->first + 1) % TOAST_HISTORY_MAX;
	return &toast->messages[place_of(toast, 0)];
}

void toast_note(struct toast *toast, enum role role, uint64_t now_ns, const char *text)
{
	struct toast_message *message = toast->count ? &toast->messages[place_of(toast, 0)] : NULL;

	if (!message || message->role != role || strcmp(message->text.data, text)) {
		message = add(toast);
		str_clear(&message->text);
		str_add(&message->text, text);
		message->role = role;
		message->times = 0;
	}
	message->times++;
	message->said_ns = now_ns;
}

void toast_say(struct toast *toast, enum role role, uint64_t now_ns, uint64_t for_ns,
	       const char *text)
{
	toast_note(toast, role, now_ns, text);
	toast->shown = true;
	toast->until_ns = for_ns ? now_ns + for_ns : 0;
}

void toast_dismiss(struct toast *toast)
{
	toast->shown = false;
	toast->box = (struct rect){ 0, 0, 0, 0 };
}

bool toast_is_shown(struct toast *toast, uint64_t now_ns)
{
	if (toast->shown && toast->until_ns && now_ns >= toast->until_ns)
		toast_dismiss(toast);
	return toast->shown;
}

/* ---- drawing ---- */

static int count_lines(const char *text, int cols, int *widest)
{
	int lines = 0;

	*widest = 0;
	while (*text) {
		const char *next;
		size_t len = wrap_line(text, cols, &next);
		int width = utf8_text_width(text, len);

		*widest = width > *widest ? width : *widest;
		lines++;
		text = next;
	}
	return lines;
}

static void draw_lines(const char *text, enum role role, struct canvas *canvas, int cols)
{
	for (int row = 0; row < canvas->rows && *text; row++) {
		const char *next;
		size_t len = wrap_line(text, cols, &next);

		/* The last visible line ends with an ellipsis if text remains. */
		if (row == canvas->rows - 1)
			len = strlen(text);
		canvas_field(canvas, row, 0, canvas->cols, ALIGN_LEFT, role, text, len);
		text = next;
	}
}

static void draw_box(struct toast *toast, const struct toast_message *message,
		     struct canvas *canvas, int top)
{
	int room = (canvas->cols < TOAST_MAX_COLS + 6 ? canvas->cols - 6 : TOAST_MAX_COLS), cols;
	int lines = count_lines(message->text.data, room, &cols);
	int most = canvas->rows - top - 3 < MAX_LINES ? canvas->rows - top - 3 : MAX_LINES;
	struct canvas inside;

	lines = lines < most ? lines : most;
	toast->box = (struct rect){ top, canvas->cols - cols - 5, lines + 2, cols + 4 };
	canvas_fill(canvas, toast->box, ' ', ROLE_POPUP);
	canvas_box(canvas, toast->box, message->role);
	inside = canvas_sub(canvas,
			    (struct rect){ toast->box.row + 1, toast->box.col + 2, lines, cols });
	draw_lines(message->text.data, ROLE_POPUP, &inside, room);
}

void toast_draw(struct toast *toast, struct canvas *canvas, int top, uint64_t now_ns)
{
	const struct toast_message *message = toast_message(toast, 0);

	if (!toast_is_shown(toast, now_ns) || !message)
		return;
	if (canvas->rows - top >= BOX_ROWS && canvas->cols >= BOX_COLS) {
		draw_box(toast, message, canvas, top);
		return;
	}
	toast->box = (struct rect){ canvas->rows - 1, 0, 1, canvas->cols };
	canvas_fill(canvas, toast->box, ' ', ROLE_TEXT);
	canvas_field(canvas, canvas->rows - 1, 0, canvas->cols, ALIGN_LEFT, message->role,
		     message->text.data, message->text.len);
}
