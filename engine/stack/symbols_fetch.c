/*
 * symbols_fetch - the thread that fetches debug files from servers, one at a time.
 */
#include "engine/stack/symbols_private.h"

#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

void symbols_ask_fetch(struct symbols *symbols, struct dso *dso)
{
	if (!symbols->fetches || dso->fetch_asked || !dso->build_id_bytes)
		return;
	dso->fetch_asked = true;
	dso->next_fetch = NULL;
	if (symbols->last_fetch)
		symbols->last_fetch->next_fetch = dso;
	else
		symbols->first_fetch = dso;
	symbols->last_fetch = dso;
	pthread_cond_broadcast(&symbols->work);
}

/* Repeat requests that were resolved without the debug file. */
static void ask_again(struct symbols *symbols, struct dso *dso)
{
	struct idmap_slot *slot;
	size_t cursor = 0;

	dso->note = NULL;
	while ((slot = idmap_next(&dso->replies, &cursor))) {
		struct reply *reply = slot->value;

		if (reply->state != REPLY_DONE)
			continue;
		reply->state = REPLY_ASKED;
		reply->again = true;
		reply_queue_push(&dso->asked, reply);
		symbols->pending++;
	}
	symbols_push_asked(symbols, dso);
}

static void fetch_one(struct symbols *symbols)
{
	struct dso *dso = symbols->first_fetch;
	uint8_t build_id[WIRE_ID_MAX];
	uint32_t bytes = dso->build_id_bytes;
	int fd;

	memcpy(build_id, dso->build_id, sizeof(build_id));
	symbols->first_fetch = dso->next_fetch;
	if (!symbols->first_fetch)
		symbols->last_fetch = NULL;
	symbols->fetching = dso->shown;
	pthread_mutex_unlock(&symbols->lock);
	fd = debug_file_fetch_open(symbols->fetch, build_id, bytes);
	pthread_mutex_lock(&symbols->lock);
	symbols->fetching = NULL;
	if (fd >= 0) {
		dso->fetched_fd = fd;
		ask_again(symbols, dso);
	}
}

void *symbols_fetch_thread(void *arg)
{
	struct symbols *symbols = arg;

	prctl(PR_SET_NAME, "stxtop-fetch", 0, 0, 0);
	pthread_mutex_lock(&symbols->lock);
	while (!symbols->stopping) {
		if (symbols->first_fetch)
			fetch_one(symbols);
		else
			pthread_cond_wait(&symbols->work, &symbols->lock);
	}
	pthread_mutex_unlock(&symbols->lock);
	return NULL;
}
