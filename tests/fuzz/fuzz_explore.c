/*
 * fuzz_explore - any bytes as a recording, read by the engine with all its threads and shown by the
 * interface, which then gets some keys. Bytes of the file select the keys.
 */
#include "tests/fuzz/recording_damage.h"
#include "tui/shell/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define WAITS_MAX 400
#define WAIT_US 500
#define WORKS_MAX 64
#define KEYS 12 /* pressed per input */
#define HISTORY_BYTES ((size_t)2 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* libtraceevent leaks some strings of a format that it rejects, a bounded number per file. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent.so";
}

static const char *const keys[] = {
	"1",    "2",    "3",  "4",   "5",         "6",          "7",   "8",     "9",     "d",
	"w",    "x",    "E",  "C",   "e",         "+",          "|",   "b",     "Enter", "Enter",
	"Down", "Down", "Up", "End", "Home",      "Tab",        "Tab", "Esc",   "Left",  "Right",
	"PgDn", "J",    "(",  ")",   "Ctrl-Left", "Ctrl-Right", "'",   "Space", "s",     "p",
	"t",    "a",    "m",  "=",   "u",         "z",          "i",   "D",     "o",     "v",
	"I",    "F6",   "F1", "y",   "Del",
};

/* Wait until the recording was read, at most 0.2 s. */
static void wait_for_end(struct engine *engine)
{
	struct engine_status status;
	struct play_status play;

	for (int i = 0; i < WAITS_MAX; i++) {
		engine_status(engine, &status);
		engine_play_status(engine, &play);
		if (status.finished || play.at_end)
			return;
		usleep(WAIT_US);
	}
}

static void show(struct shell *shell, struct canvas *canvas)
{
	int row, col;
	bool hurry;

	shell->session.clock_ns += 1000000;
	shell_refresh(shell, true);
	for (int i = 0; i < WORKS_MAX && shell_has_work(shell, &hurry); i++)
		shell_work(shell);
	shell_draw(shell, canvas, &row, &col);
}

static void explore(struct engine *engine, const char *path, const uint8_t *data, size_t size)
{
	struct options options = { .engine = { .recording = path } };
	struct command_output output;
	struct bindings *bindings;
	struct canvas canvas;
	struct shell *shell = calloc(1, sizeof(*shell));
	struct err err;

	if (!shell || bindings_new(&bindings, NULL, &err))
		abort();
	command_output_init(&output, -1);
	shell_init(shell, engine, &options, NULL, bindings, &output);
	canvas_init(&canvas, 40, 120, false);
	session_started(&shell->session);
	show(shell, &canvas);
	for (size_t i = 0; i < KEYS; i++) {
		struct input_event event = { .kind = EVENT_KEY };
		uint8_t which = size > KEYS ? data[size - 1 - i] ^ data[size / 2 + i / 2]
					    : (uint8_t)i;

		if (key_parse(keys[which % (sizeof(keys) / sizeof(keys[0]))], &event.key))
			abort();
		shell_event(shell, &event);
		shell_refresh(shell, false);
		show(shell, &canvas);
	}
	canvas_release(&canvas);
	shell_release(shell);
	command_output_release(&output);
	bindings_free(bindings);
	free(shell);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct engine_options options = { .interactive = true,
					  .descriptors = true,
					  .history_bytes = HISTORY_BYTES };
	static int fd = -1;
	struct engine *engine;
	struct err err;
	char path[64];

	if (fd < 0)
		fd = memfd_create("recording", MFD_CLOEXEC);
	if (ftruncate(fd, 0) < 0 || pwrite(fd, data, size, 0) != (ssize_t)size)
		return 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	target_init(&options.target);
	options.recording = path;
	if (engine_new(&engine, &err))
		abort();
	if (!engine_start(engine, &options, &err)) {
		wait_for_end(engine);
		explore(engine, path, data, size);
	}
	engine_free(engine);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	return recording_damage(data, size, max, seed);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *two,
				 size_t two_size, uint8_t *out, size_t max, unsigned int seed)
{
	return recording_damage_mix(one, one_size, two, two_size, out, max, seed);
}
