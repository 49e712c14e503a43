#include "engine/engine_state.h"

#include "engine/base/privilege.h"
#include "engine/prober.h"

#include <errno.h>
#include <string.h>

int engine_arm_flight(struct engine *e, const struct flight_request *request, struct err *err)
{
	struct flight_arming *arming;
	uint64_t before = privilege_raise();
	int rc;

	/* Access the directory with the user's own privileges, so that file permissions apply. */
	privilege_lower();
	rc = flight_prepare(e->flight, request, &arming, err);
	privilege_restore(before);
	if (rc)
		return rc;
	collector_lock(e->collector);
	rc = flight_arm(e->flight, arming, e->model, err);
	collector_unlock(e->collector);
	flight_arming_free(arming);
	return rc;
}

int engine_flight_arm(struct engine *e, const struct flight_request *request, struct err *err)
{
	int rc;

	if (!atomic_load(&e->ready))
		return err_set(err, -ENODATA, "collection has not started yet");
	if (!e->flight)
		return err_set(err, -EOPNOTSUPP,
			       "a recording has no new calls for the flight recorder");
	rc = engine_arm_flight(e, request, err);
	if (!rc)
		prober_begin(e->prober);
	return rc;
}

/* Return the flight recorder; NULL: there is none, or the engine has not started. */
static struct flight *flight_of(struct engine *e)
{
	return atomic_load(&e->ready) ? e->flight : NULL;
}

void engine_flight_disarm(struct engine *e)
{
	struct flight *flight = flight_of(e);

	if (!flight)
		return;
	collector_lock(e->collector);
	flight_disarm(flight, e->model);
	collector_unlock(e->collector);
}

void engine_flight_freeze(struct engine *e, enum flight_reason reason)
{
	struct flight *flight = flight_of(e);

	if (flight)
		flight_freeze(flight, reason);
}

void engine_flight_status(struct engine *e, struct flight_status *status)
{
	struct flight *flight = flight_of(e);

	memset(status, 0, sizeof(*status));
	if (!flight)
		return;
	collector_lock(e->collector);
	flight_get_status(flight, status);
	collector_unlock(e->collector);
}

bool engine_flight_next(struct engine *e, struct flight_save *save)
{
	struct flight *flight = flight_of(e);

	return flight && flight_next(flight, save);
}

void engine_flight_wait(struct engine *e)
{
	struct flight *flight = flight_of(e);

	if (flight)
		flight_wait(flight);
}

bool engine_flight_mark(struct engine *e, struct flight_mark *mark)
{
	if (!atomic_load(&e->ready) || e->flight_mark.reason == FLIGHT_NONE)
		return false;
	*mark = e->flight_mark;
	return true;
}
