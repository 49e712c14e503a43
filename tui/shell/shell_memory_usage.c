#include "tui/shell/shell_memory_usage.h"

#include "engine/base/clock.h"
#include "engine/base/units.h"
#include "tui/shell/shell.h"

#include <stdio.h>
#include <string.h>

#define AGAIN_NS NS_PER_S

static const char page_title[] = "About stxtop: memory and CPU";

/* On the errand's thread. */
static void read_use(void *ctx)
{
	struct desk_use *use = ctx;

	own_use_read(&use->own, use->command);
	memset(use->owners, 0, sizeof(use->owners));
	if (use->engine)
		engine_memory(use->engine, use->owners);
}

void desk_use_init(struct desk *desk)
{
	desk->use.errand = (struct errand){ .run = read_use, .ctx = &desk->use };
}

void desk_use_release(struct desk *desk)
{
	errand_recall(&desk->use.errand);
}

static void send(struct desk *desk)
{
	struct session *session = &desk->session;
	struct desk_use *use = &desk->use;

	if (errand_is_pending(&use->errand))
		return;
	use->engine = session->phase == SESSION_RUNNING ? session->engine : NULL;
	use->command = (uint32_t)session->options->engine.target.command;
	use->sent_ns = clock_now_ns();
	errand_send(&use->errand, session->errands);
}

static void add_size(struct help *help, const char *name, const struct memory_use *use)
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

static void fill(struct help *help, const struct desk_use *use)
{
	char text[48];

	help_addf(help, ROLE_STRONG, "stxtop %s", STXTOP_VERSION);
	help_add_heading(help, "Processes: resident memory, and CPU of the last second");
	add_process(help, "stxtop", use->own.rss_bytes, use->own.cpu);
	snprintf(text, sizeof(text), "%u helper processes", use->own.helpers);
	add_process(help, text, use->own.helpers_rss_bytes, use->own.helpers_cpu);
	add_process(help, "total", use->own.rss_bytes + use->own.helpers_rss_bytes,
		    use->own.cpu + use->own.helpers_cpu);
	help_add_heading(help, "Memory by owner");
	help_add(help, ROLE_DIM, "      now   highest     bound  owner");
	for (int i = 0; i < MEMORY_OWNER_COUNT; i++)
		add_size(help, memory_owner_name((enum memory_owner)i), &use->owners[i]);
	help_add(help, ROLE_DIM,
		 "Bounds follow --history. Where there is none (-), what lives on "
		 "the machine sets the size: threads, processes, their mappings; what has ended is "
		 "kept in bounded numbers. The rest of the resident memory is code, libraries, "
		 "screens, and what the allocator keeps free.");
}

static bool is_open(const struct desk *desk)
{
	return desk->page.open && desk->page.title == page_title;
}

void desk_use_open(struct desk *desk)
{
	help_clear(&desk->page.help);
	desk->page.title = page_title;
	desk->page.open = true;
	desk->page.is_detail = false;
	help_add(&desk->page.help, ROLE_DIM, "counting…");
	send(desk);
	desk_use_look(desk);
}

static void fill_header(struct desk *desk)
{
	const struct own_use *own = &desk->use.own;
	char size[UNITS_TEXT_BYTES];

	if (desk->use.in_header)
		snprintf(desk->header.use, sizeof(desk->header.use), "self %s %.0f%%",
			 units_format_bytes(size, own->rss_bytes + own->helpers_rss_bytes),
			 (own->cpu + own->helpers_cpu) * 100);
}

void desk_use_look(struct desk *desk)
{
	struct desk_use *use = &desk->use;
	struct help anew;

	if (errand_is_back(&use->errand)) {
		if (is_open(desk)) {
			help_init(&anew);
			fill(&anew, use);
			help_take(&desk->page.help, &anew);
			help_release(&anew);
		}
		fill_header(desk);
		desk->session.dirty = true;
	}
	if (!use->in_header && desk->header.use[0])
		desk->header.use[0] = '\0';
	if ((is_open(desk) || use->in_header) && clock_now_ns() >= use->sent_ns + AGAIN_NS)
		send(desk);
}

bool desk_use_act(struct desk *desk, enum action action)
{
	struct err err;

	if (action == ACTION_MEMORY_USE)
		desk_use_open(desk);
	else if (action == ACTION_HEADER_USE && desk->settings.all)
		desk_settings_choose(desk, SETTING_OWN_USE, desk->use.in_header ? "no" : "yes",
				     &err);
	else
		return false;
	return true;
}
