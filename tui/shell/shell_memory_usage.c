#include "tui/shell/shell_memory_usage.h"

#include "engine/base/clock.h"
#include "engine/base/units.h"
#include "tui/shell/shell_settings.h"

#include <stdio.h>
#include <string.h>

#define AGAIN_NS NS_PER_S

static const char page_title[] = "About stxtop: memory and CPU";

/* Job thread. */
static void read_use(void *ctx)
{
	struct shell_memory_usage *use = ctx;

	self_usage_read(&use->own, use->command);
	memset(use->owners, 0, sizeof(use->owners));
	if (use->engine)
		engine_memory(use->engine, use->owners);
}

void shell_memory_usage_init(struct shell *shell)
{
	shell->use.job = (struct job){ .run = read_use, .ctx = &shell->use };
}

void shell_memory_usage_release(struct shell *shell)
{
	job_cancel(&shell->use.job);
}

static void send(struct shell *shell)
{
	struct session *session = &shell->session;
	struct shell_memory_usage *use = &shell->use;

	if (job_is_pending(&use->job))
		return;
	use->engine = session->phase == SESSION_RUNNING ? session->engine : NULL;
	use->command = (uint32_t)session->options->engine.target.command;
	use->sent_ns = clock_now_ns();
	job_submit(&use->job, session->job_queue);
}

static void add_size(struct help *help, const char *name, const struct memory_usage *use)
{
	char now[UNITS_TEXT_BYTES], most[UNITS_TEXT_BYTES], bound[UNITS_TEXT_BYTES] = "-";
	char text[3 * UNITS_TEXT_BYTES + 16];

	units_format_bytes(now, use->now);
	units_format_bytes(most, use->most);
	if (use->bound)
		units_format_bytes(bound, use->bound);
	snprintf(text, sizeof(text), "%9s %9s %9s  %s", now, most, bound, name);
	help_add(help, use->bound && use->now > use->bound ? ROLE_WARN : ROLE_TEXT, text);
}

static void add_process(struct help *help, const char *name, size_t rss_bytes, double cpu)
{
	char size[UNITS_TEXT_BYTES], text[2 * UNITS_TEXT_BYTES];

	snprintf(text, sizeof(text), "%s, %.1f %% of a CPU", units_format_bytes(size, rss_bytes),
		 cpu * 100);
	help_add_key(help, name, text);
}

static void fill(struct help *help, const struct shell_memory_usage *use)
{
	char text[48];

	help_addf(help, ROLE_STRONG, "stxtop %s", STXTOP_VERSION);
	help_add_heading(help, "Processes: resident memory, and CPU of the last second");
	add_process(help, "stxtop", use->own.rss_bytes, use->own.cpu);
	snprintf(text, sizeof(text), "%u helper processes", use->own.helpers);
	add_process(help, text, use->own.helpers_rss_bytes, use->own.helpers_cpu);
	add_process(help, "total", use->own.rss_bytes + use->own.helpers_rss_bytes,
		    use->own.cpu + use->own.helpers_cpu);
	help_add_heading(help, "Memory by component");
	help_add(help, ROLE_DIM, "      now   highest     bound  component");
	for (int i = 0; i < MEMORY_OWNER_COUNT; i++)
		add_size(help, memory_owner_name((enum memory_owner)i), &use->owners[i]);
	help_add(
		help, ROLE_DIM,
		"Bounds depend on --history. Without a bound (-), the size depends on live "
		"threads, processes and mappings; the number of ended ones is limited. The rest of "
		"the resident memory is code, libraries, screens and free blocks of the "
		"allocator.");
}

static bool is_open(const struct shell *shell)
{
	return shell->page.open && shell->page.title == page_title;
}

void shell_memory_usage_open(struct shell *shell)
{
	help_clear(&shell->page.help);
	shell->page.title = page_title;
	shell->page.open = true;
	shell->page.is_detail = false;
	help_add(&shell->page.help, ROLE_DIM, "counting…");
	send(shell);
	shell_memory_usage_look(shell);
}

static void fill_header(struct shell *shell)
{
	const struct self_usage *own = &shell->use.own;
	char size[UNITS_TEXT_BYTES];

	if (shell->use.in_header)
		snprintf(shell->header.use, sizeof(shell->header.use), "self %s %.0f%%",
			 units_format_bytes(size, own->rss_bytes + own->helpers_rss_bytes),
			 (own->cpu + own->helpers_cpu) * 100);
}

void shell_memory_usage_look(struct shell *shell)
{
	struct shell_memory_usage *use = &shell->use;
	struct help anew;

	if (job_is_done(&use->job)) {
		if (is_open(shell)) {
			help_init(&anew);
			fill(&anew, use);
			help_take(&shell->page.help, &anew);
			help_release(&anew);
		}
		fill_header(shell);
		shell->session.dirty = true;
	}
	if (!use->in_header && shell->header.use[0])
		shell->header.use[0] = '\0';
	if ((is_open(shell) || use->in_header) && clock_now_ns() >= use->sent_ns + AGAIN_NS)
		send(shell);
}

bool shell_memory_usage_act(struct shell *shell, enum action action)
{
	struct err err;

	if (action == ACTION_MEMORY_USAGE)
		shell_memory_usage_open(shell);
	else if (action == ACTION_HEADER_USE && shell->settings.all)
		shell_settings_choose(shell, SETTING_SELF_USAGE,
				      shell->use.in_header ? "no" : "yes", &err);
	else
		return false;
	return true;
}
