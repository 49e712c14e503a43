#include "tui/dialogs/filter_saving.h"

#include "tui/config/config_file.h"

#include <errno.h>

void filter_saving_init(struct filter_saving *saving)
{
	*saving = (struct filter_saving){ .path = STR_INIT, .name = STR_INIT, .text = STR_INIT };
}

void filter_saving_release(struct filter_saving *saving)
{
	str_release(&saving->path);
	str_release(&saving->name);
	str_release(&saving->text);
}

/* Background thread. */
static void save(void *ctx)
{
	struct filter_saving *saving = ctx;

	if (saving->text.len)
		saving->rc = saved_filters_put(saving->path.data, saving->name.data,
					       saving->text.data, &saving->err);
	else
		saving->rc = saved_filters_remove(saving->path.data, saving->name.data,
						  &saving->err);
	atomic_store(&saving->done, true);
}

int filter_saving_begin(struct filter_saving *saving, struct background *background,
			const char *name, const char *text, struct err *err)
{
	int rc;

	if (saving->running)
		return err_set(err, -EBUSY,
			       "the previous change is still being written; try again");
	str_clear(&saving->path);
	str_clear(&saving->name);
	str_clear(&saving->text);
	rc = config_file_path(SAVED_FILTERS_FILE, &saving->path, err);
	if (rc)
		return rc;
	str_add(&saving->name, name);
	str_add(&saving->text, text ? text : "");
	atomic_store(&saving->done, false);
	saving->running = true;
	if (background_run(background, save, saving))
		return 0;
	saving->running = false;
	return err_set(err, -EBUSY, "another file is being written; try again");
}

bool filter_saving_ended(struct filter_saving *saving)
{
	if (!saving->running || !atomic_load(&saving->done))
		return false;
	saving->running = false;
	return true;
}
