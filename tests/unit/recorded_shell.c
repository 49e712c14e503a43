#include "tests/unit/recorded_shell.h"

#include "engine/base/clock.h"
#include "tests/unit/runner.h"

#include <string.h>
#include <unistd.h>

#define WAIT_NS (10 * NS_PER_S)

struct engine *recorded_engine(const char *recording)
{
	struct engine_options options = { .recording = recording };
	uint64_t until = clock_now_ns() + WAIT_NS;
	struct engine_status status;
	struct engine *engine;
	struct err err;

	target_init(&options.target);
	ck_assert_msg(!engine_new(&engine, &err), "%s", err.text);
	ck_assert_msg(!engine_start(engine, &options, &err), "%s", err.text);
	do {
		engine_status(engine, &status);
		usleep(1000);
	} while (!status.finished && clock_now_ns() < until);
	ck_assert(status.finished);
	return engine;
}

size_t recorded_calls(struct engine *engine, struct call *calls, uint64_t *seqs, size_t max)
{
	uint64_t at, end;
	size_t count = 0;

	engine_calls_range(engine, &at, &end);
	/* A query has a time limit and returns the calls found until then: repeat it. */
	while (at < end && count < max)
		count += engine_calls_after(engine, &at, NULL, calls + count, seqs + count,
					    max - count);
	ck_assert_uint_eq(at, end);
	return count;
}

void recorded_shell_begin(struct recorded_shell *on, const char *recording)
{
	struct err err;

	memset(on, 0, sizeof(*on));
	on->engine = recorded_engine(recording);
	on->options.engine.recording = recording;
	ck_assert_msg(!bindings_new(&on->bindings, NULL, &err), "%s", err.text);
	command_output_init(&on->output, -1);
	shell_init(&on->shell, on->engine, &on->options, NULL, on->bindings, &on->output);
	canvas_init(&on->canvas, 40, 120, false);
	session_started(&on->shell.session);
}

void recorded_shell_open(struct recorded_shell *on, const char *recording)
{
	recorded_shell_begin(on, recording);
	recorded_shell_settle(on);
}

void recorded_shell_close(struct recorded_shell *on)
{
	canvas_release(&on->canvas);
	shell_release(&on->shell);
	command_output_release(&on->output);
	bindings_free(on->bindings);
	engine_free(on->engine);
}

static void draw(struct recorded_shell *on)
{
	int row, col;

	shell_draw(&on->shell, &on->canvas, &row, &col);
}

void recorded_shell_settle(struct recorded_shell *on)
{
	uint64_t until = clock_now_ns() + WAIT_NS;
	bool hurry;

	on->shell.session.clock_ns = clock_now_ns();
	shell_refresh(&on->shell, true);
	while (shell_has_work(&on->shell, &hurry) && clock_now_ns() < until) {
		on->shell.session.clock_ns = clock_now_ns();
		shell_work(&on->shell);
	}
	draw(on);
	ck_assert(!shell_has_work(&on->shell, &hurry));
}

void recorded_shell_press(struct recorded_shell *on, const char *key)
{
	struct input_event event = { .kind = EVENT_KEY };

	ck_assert_msg(!key_parse(key, &event.key), "%s", key);
	shell_event(&on->shell, &event);
	shell_refresh(&on->shell, false);
	recorded_shell_settle(on);
}

void recorded_shell_type(struct recorded_shell *on, const char *text)
{
	for (; *text; text++) {
		struct input_event event = { .kind = EVENT_KEY,
					     .key = { .code = (unsigned char)*text } };

		shell_event(&on->shell, &event);
	}
	recorded_shell_settle(on);
}

void recorded_shell_click(struct recorded_shell *on, int row, int col)
{
	struct input_event event = {
		.kind = EVENT_MOUSE,
		.mouse = { .action = MOUSE_PRESS, .button = 1, .row = row, .col = col }
	};

	shell_event(&on->shell, &event);
	event.mouse.action = MOUSE_RELEASE;
	shell_event(&on->shell, &event);
	recorded_shell_settle(on);
}

int recorded_shell_row(struct recorded_shell *on, const char *text)
{
	int found = -1;

	draw(on);
	for (int row = 0; row < on->canvas.rows && found < 0; row++) {
		struct str line = STR_INIT;

		canvas_row_text(&on->canvas, row, &line);
		if (strstr(line.data, text))
			found = row;
		str_release(&line);
	}
	return found;
}
