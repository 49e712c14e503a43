#include "tui/session/targets.h"

#include "engine/base/clock.h"
#include "engine/base/escape.h"
#include "engine/base/mem.h"
#include "engine/filter/target_filters.h"
#include "tui/session/session_state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LOOK_NS (NS_PER_S / 4)
#define LOOK_AT 64 /* number of tasks checked per look, which takes a millisecond */

static size_t count_of(const struct target *target)
{
	return target->pid_count + target->tid_count;
}

static void begin_looking(struct targets *targets)
{
	free(targets->ended);
	targets->living = count_of(&targets->now);
	targets->ended = mem_zalloc(targets->living + 1, sizeof(*targets->ended));
	targets->next = 0;
}

void targets_init(struct targets *targets, const struct target *first)
{
	memset(targets, 0, sizeof(*targets));
	target_copy(&targets->now, first);
	target_note_starts(&targets->now);
	target_init(&targets->before);
	str_init(&targets->doing);
	begin_looking(targets);
	targets->owners_version = UINT64_MAX;
}

static void forget_owners(struct targets *targets)
{
	for (size_t i = 0; i < targets->owners.count; i++)
		str_release(&targets->folders[i]);
	free(targets->folders);
	free(targets->gone);
	targets->folders = NULL;
	targets->gone = NULL;
	owner_operands_release(&targets->owners);
}

void targets_release(struct targets *targets)
{
	forget_owners(targets);
	target_release(&targets->now);
	target_release(&targets->before);
	str_release(&targets->doing);
	free(targets->ended);
}

/* ---- changes ------------------------------------------------------------------------ */

/* Request a new target; takes ownership of `wanted`. targets_look() reports the result. */
static void ask(struct session *session, struct target *wanted, const char *doing)
{
	struct targets *targets = &session->targets;

	if (targets->asked)
		target_release(&targets->now); /* no result will arrive for the replaced request */
	else {
		target_release(&targets->before);
		targets->before = targets->now;
	}
	targets->now = *wanted;
	targets->asked = true;
	str_clear(&targets->doing);
	str_add(&targets->doing, doing);
	begin_looking(targets);
	session->targets_gone = false;
	session->dirty = true;
	engine_set_target(session->engine, &targets->now);
}

enum target_kind { KIND_PID, KIND_TID, KIND_USER, KIND_CGROUP, KIND_COUNT };

static const char *const kinds[KIND_COUNT] = {
	[KIND_PID] = "pid",
	[KIND_TID] = "tid",
	[KIND_USER] = "user",
	[KIND_CGROUP] = "cgroup",
};

const char *targets_kind(size_t index)
{
	return index < KIND_COUNT ? kinds[index] : NULL;
}

/* Parse the kind and advance *text to the list. KIND_COUNT: unknown kind. */
static enum target_kind parse_kind(const char **text)
{
	size_t len;

	*text += strspn(*text, " +");
	if (**text >= '0' && **text <= '9')
		return KIND_PID;
	len = strcspn(*text, " ");
	for (int kind = 0; kind < KIND_COUNT; kind++) {
		if (strlen(kinds[kind]) != len || strncmp(*text, kinds[kind], len))
			continue;
		*text += len;
		*text += strspn(*text, " ");
		return (enum target_kind)kind;
	}
	return KIND_COUNT;
}

static int add_owners(struct session *session, enum target_kind kind, const char *list,
		      struct err *err)
{
	struct filter_error error = { .err.text = "" };
	struct str operands = STR_INIT;
	int ret;

	ret = kind == KIND_USER ? target_user_operands(list, &operands, err)
				: target_cgroup_operands(list, &operands, err);
	if (!ret) {
		ret = owner_terms_add(&session->filter_stack,
				      kind == KIND_USER ? OWNER_USER : OWNER_CGROUP, operands.data,
				      &error);
		if (ret)
			*err = error.err;
		else
			session_apply_filter(session);
	}
	str_release(&operands);
	return ret;
}

static int add_tasks(struct session *session, enum target_kind kind, const char *list,
		     struct err *err)
{
	struct target fresh, wanted;
	struct str doing = STR_INIT;
	int ret;

	/* Check only the new tasks: an earlier task that has ended is not an error. */
	target_init(&fresh);
	ret = kind == KIND_PID ? target_add_pids(&fresh, list, err)
			       : target_add_tids(&fresh, list, err);
	if (!ret)
		ret = target_check(&fresh, err);
	target_release(&fresh);
	if (ret)
		return ret;
	target_copy(&wanted, &session->targets.now);
	/*
	 * Ids that are in the target already keep their start times, so that a later task with a
	 * reused id does not match.
	 */
	if (kind == KIND_PID)
		target_add_pids(&wanted, list, err);
	else
		target_add_tids(&wanted, list, err);
	target_note_starts(&wanted);
	str_addf(&doing, "%s %s %s watched %s", kinds[kind], list, strchr(list, ',') ? "are" : "is",
		 target_is_system(&session->targets.now) ? "instead of the whole system" : "too");
	ask(session, &wanted, doing.data);
	str_release(&doing);
	return 0;
}

int targets_add(struct session *session, const char *text, struct err *err)
{
	struct str list = STR_INIT;
	enum target_kind kind = parse_kind(&text);
	int ret;

	if (session->phase != SESSION_RUNNING || session->options->engine.recording ||
	    session->status.finished)
		return err_set(err, -ENODATA, "collection is not running");
	if (kind == KIND_COUNT || !*text)
		return err_set(err, -EINVAL,
			       "expected pid, tid, user or cgroup and a list, as in pid 42,43");
	str_add(&list, text);
	while (list.len && list.data[list.len - 1] == ' ')
		str_cut(&list, list.len - 1);
	ret = kind == KIND_USER || kind == KIND_CGROUP ? add_owners(session, kind, list.data, err)
						       : add_tasks(session, kind, list.data, err);
	str_release(&list);
	return ret;
}

static bool remove_task(struct session *session, enum target_kind kind, uint32_t id)
{
	struct target wanted;
	struct str doing = STR_INIT;
	bool was;

	target_copy(&wanted, &session->targets.now);
	was = kind == KIND_PID ? target_remove_pid(&wanted, id) : target_remove_tid(&wanted, id);
	if (!was) {
		target_release(&wanted);
		return false;
	}
	str_addf(&doing, "%s %u is no longer watched%s", kinds[kind], id,
		 target_is_system(&wanted) ? " alone: the whole system is" : "");
	ask(session, &wanted, doing.data);
	str_release(&doing);
	return true;
}

bool targets_remove_pid(struct session *session, uint32_t pid)
{
	return remove_task(session, KIND_PID, pid);
}

bool targets_remove_tid(struct session *session, uint32_t tid)
{
	return remove_task(session, KIND_TID, tid);
}

bool targets_remove_command(struct session *session)
{
	struct target wanted;

	if (!session->targets.now.command)
		return false;
	target_copy(&wanted, &session->targets.now);
	wanted.command = 0;
	ask(session, &wanted,
	    target_is_system(&wanted)
		    ? "the command is no longer watched alone: the whole system is"
		    : "the command is no longer watched");
	return true;
}

bool targets_remove_owner(struct session *session, size_t index)
{
	struct targets *targets = &session->targets;
	struct filter_error error;

	if (index >= targets->owners.count)
		return false;
	if (owner_terms_remove(&session->filter_stack, &targets->owners, index, &error))
		session_say(session, ROLE_ERROR, "%s", error.err.text);
	else
		session_apply_filter(session);
	return true;
}

/* ---- the selected row ------------------------------------------------------------- */

/*
 * Drop a process that is watched only as a descendant of the target process `head`. All descendants
 * of `head` are watched, so only a filter can drop one of them.
 */
static void leave_out(struct session *session, const struct selection *selection, uint32_t head)
{
	struct filter_error error;
	char term[32], label[32];

	snprintf(term, sizeof(term), "pid != %u", selection->pid);
	snprintf(label, sizeof(label), "not pid %u", selection->pid);
	if (filter_stack_add(&session->filter_stack, term, label, &error)) {
		session_say(session, ROLE_ERROR, "%s", error.err.text);
		return;
	}
	session_apply_filter(session);
	session_say(session, ROLE_TEXT,
		    "%u is a watched descendant of %u: the filter now excludes it", selection->pid,
		    head);
}

void targets_toggle(struct session *session)
{
	const struct target *now = &session->targets.now;
	const struct selection *selection = &session->selection;
	char text[32];
	struct err err;
	uint32_t head;

	if (!selection->has_pid) {
		session_say(session, ROLE_WARN, "The selected row is not a single process");
		return;
	}
	if (target_is_system(now)) {
		session_say(
			session, ROLE_WARN,
			"The whole system is watched: p narrows to this process, P excludes it");
		return;
	}
	if (targets_remove_pid(session, selection->pid) ||
	    (selection->pid == (uint32_t)now->command && targets_remove_command(session)))
		return;
	head = target_ancestor(now, selection->pid);
	if (head) {
		leave_out(session, selection, head);
		return;
	}
	snprintf(text, sizeof(text), "pid %u", selection->pid);
	if (targets_add(session, text, &err))
		session_say(session, ROLE_ERROR, "%s", err.text);
}

/* ---- results and ended tasks -------------------------------------------------------- */

static void take_verdict(struct session *session)
{
	struct targets *targets = &session->targets;

	if (!targets->asked || session->status.target_pending)
		return;
	targets->asked = false;
	if (session->status.target_error[0]) {
		target_release(&targets->now);
		targets->now = targets->before;
		target_init(&targets->before);
		begin_looking(targets);
		session_say(session, ROLE_ERROR, "%s", session->status.target_error);
		return;
	}
	session_say(session, ROLE_TEXT, "Now %s", targets->doing.data);
}

static void say_end(struct session *session, const char *kind, uint32_t id)
{
	char name[ENGINE_NAME_BYTES];
	uint32_t pid;

	engine_thread(session->engine, id, &pid, name);
	session_say(session, ROLE_WARN, "%s%s%s %u has exited; %zu of %zu targets %s left", name,
		    name[0] ? ", " : "", kind, id, session->targets.living,
		    count_of(&session->targets.now), session->targets.living == 1 ? "is" : "are");
}

/* Check LOOK_AT tasks per look, so that even among thousands an exit is found within seconds. */
static void look_at_tasks(struct session *session)
{
	struct targets *targets = &session->targets;
	const struct target *now = &targets->now;
	size_t count = count_of(now);

	for (size_t i = 0; i < LOOK_AT && i < count; i++) {
		size_t at = targets->next++ % count, tid = at - now->pid_count;
		bool process = at < now->pid_count;

		if (targets->ended[at] ||
		    (process ? target_pid_lives(now, at) : target_tid_lives(now, tid)))
			continue;
		targets->ended[at] = true;
		targets->living--;
		if (count > 1)
			say_end(session, process ? "process" : "thread",
				process ? now->pids[at] : now->tids[tid]);
	}
	targets->stopped = target_stopped(now);
}

static bool same_owners(const struct owner_operands *a, const struct owner_operands *b)
{
	for (size_t i = 0; i < a->count && a->count == b->count; i++)
		if (a->items[i].kind != b->items[i].kind ||
		    strcmp(a->items[i].text.data, b->items[i].text.data))
			return false;
	return a->count == b->count;
}

static void find_folders(struct targets *targets, const struct filter_stack *filter_stack)
{
	struct owner_operands owners = { .items = NULL };
	struct str word = STR_INIT;

	owner_terms_list(filter_stack, &owners);
	/* Another part of the filter changed: the folders are the same as before. */
	if (targets->folders && same_owners(&owners, &targets->owners)) {
		for (size_t i = 0; i < owners.count; i++)
			targets->owners.items[i].term = owners.items[i].term;
		owner_operands_release(&owners);
		return;
	}
	forget_owners(targets);
	targets->owners = owners;
	targets->folders = mem_zalloc(targets->owners.count + 1, sizeof(*targets->folders));
	targets->gone = mem_zalloc(targets->owners.count + 1, sizeof(*targets->gone));
	for (size_t i = 0; i < targets->owners.count; i++) {
		str_init(&targets->folders[i]);
		if (targets->owners.items[i].kind != OWNER_CGROUP)
			continue;
		str_clear(&word);
		owner_operand_word(&targets->owners.items[i], &word);
		target_cgroup_folder(word.data, &targets->folders[i]);
	}
	str_release(&word);
}

void targets_list_owners(struct session *session)
{
	struct targets *targets = &session->targets;

	if (targets->owners_version == session->filter_version)
		return;
	targets->owners_version = session->filter_version;
	find_folders(targets, &session->filter_stack);
}

static void look_at_groups(struct session *session)
{
	struct targets *targets = &session->targets;
	struct stat st;

	targets_list_owners(session);
	for (size_t i = 0; i < targets->owners.count; i++) {
		bool gone = targets->folders[i].len && stat(targets->folders[i].data, &st);

		if (gone && !targets->gone[i])
			session_say(session, ROLE_WARN,
				    "Cgroup %s was removed; it is watched again if recreated",
				    targets->owners.items[i].text.data);
		targets->gone[i] = gone;
	}
}

void targets_look(struct session *session)
{
	struct targets *targets = &session->targets;

	take_verdict(session);
	if (session->options->engine.recording || session->clock_ns < targets->looked_ns + LOOK_NS)
		return;
	targets->looked_ns = session->clock_ns;
	look_at_tasks(session);
	look_at_groups(session);
}

bool targets_are_gone(const struct session *session)
{
	const struct targets *targets = &session->targets;

	if (targets->living)
		return false;
	if (targets->now.command)
		return session->command_ended;
	return count_of(&targets->now) > 0;
}
