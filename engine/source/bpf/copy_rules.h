/*
 * copy_rules - selects the memory of a call to copy, by the rules of engine/record/capture.h. Part
 * of stxtop.bpf.c.
 */
#ifndef BPF_COPY_RULES_H
#define BPF_COPY_RULES_H

#include "engine/source/bpf/copy_nested.h"
#include "engine/source/bpf/file_names.h"
#include "engine/source/bpf/results.h"

#define ONLY (CAPTURE_ONLY_IS | CAPTURE_ONLY_ONE_OF | CAPTURE_ONLY_WITH)

static __always_inline bool applies(const volatile struct capture_rule *rule,
				    const struct thread_state *thread, __u32 flags, __u32 how,
				    __s64 ret)
{
	__u32 only_arg = rule->only_arg;
	__u64 value, only = rule->only;

	if (failed(ret) ? !(flags & CAPTURE_FAILED) && how & COPY_FLAGS(CAPTURE_AT_EXIT)
			: flags & CAPTURE_CHANGES && how & COPY_RETURNED)
		return false;
	if (flags & CAPTURE_IF_ANY && ret <= 0)
		return false;
	if (!(flags & ONLY))
		return true;
	if (only_arg >= 6)
		return false;
	value = thread->args[only_arg];
	if (flags & CAPTURE_ONLY_IS)
		return (__u32)value == only;
	if (flags & CAPTURE_ONLY_ONE_OF)
		return only >> (value & 63) & 1;
	return value & only;
}

/* Return the count that the size of a rule refers to; 0 if it cannot be read. */
static __always_inline __u64 counted(const volatile struct capture_rule *rule,
				     const struct thread_state *thread, __s64 ret)
{
	__u32 size_arg = rule->size_arg, number;
	__u64 value;

	if (rule->size == CAPTURE_BY_RESULT)
		return ret;
	if (size_arg >= 6)
		return 0;
	value = thread->args[size_arg];
	if (rule->size == CAPTURE_BY_ARG)
		return value;
	value += rule->size_at;
	if (rule->size == CAPTURE_BY_LONG)
		return read_user(&value, sizeof(value), value) ? value : 0;
	return read_user(&number, sizeof(number), value) ? number : 0;
}

static __always_inline __u64 bytes_of_request(const struct thread_state *thread, __u32 how)
{
	__u32 code = thread->args[1];

	for (__u32 i = 0; i < CAPTURE_REQUEST_TRIES; i++) {
		const volatile struct capture_request *request =
			&rules.requests[CAPTURE_REQUEST_AT(code, i)];

		if (request->code == code)
			return how & COPY_FLAGS(CAPTURE_AT_EXIT) ? request->at_exit
								 : request->at_enter;
	}
	return 0;
}

/* Return the bytes of `count` units of a rule, at most its max. */
static __always_inline __u64 bytes_of(const volatile struct capture_rule *rule, __u64 count,
				      __u32 *how)
{
	__u64 max = rule->max, bytes = count > max ? count : count * rule->unit;

	if (bytes <= max)
		return bytes;
	*how |= COPY_FLAGS(CAPTURE_CUT);
	return max;
}

/* Apply one rule to the call of this thread. */
__noinline int copy_rule(struct thread_state *thread, __u32 nr, __u32 number, __u32 how, __s64 ret)
{
	const volatile struct capture_rule *rule;
	__u64 address, count, bytes, moved;
	struct user_message message;
	__u32 arg, flags, shift;
	struct chunks chunks;

	if (!thread || nr >= CAPTURE_CALLS || number >= CAPTURE_RULES)
		return 0;
	rule = &rules.calls[nr].rules[number];
	arg = rule->arg;
	flags = rule->flags;
	if (arg >= 6)
		return 0;
	if (flags && !applies(rule, thread, flags, how, ret))
		return 0;
	if (rule->kind == CAPTURE_DESCRIPTOR)
		return copy_file(counted(rule, thread, ret), arg);
	if (rule->kind == CAPTURE_DIRECTORY)
		return copy_file(CURRENT_DIRECTORY, arg);
	address = thread->args[arg];
	if (address < ADDRESS_MIN)
		return 0;
	address += rule->at;
	thread->rule = number;
	if (flags & CAPTURE_INDIRECT && !read_user(&address, sizeof(address), address)) {
		miss(thread, how);
		return 0;
	}
	how |= arg;
	count = bytes = rule->max;
	if (rule->size != CAPTURE_ALL) {
		count = counted(rule, thread, ret);
		shift = rule->shift & 63;
		if (shift)
			count = (count + (1ULL << shift) - 1) >> shift;
		bytes = bytes_of(rule, count, &how);
	}
	if (flags & CAPTURE_BUFFERS)
		how |= COPY_BUFFERS;
	moved = how & COPY_FLAGS(CAPTURE_AT_EXIT) ? ret : ~0ULL;
	switch (rule->kind) {
	case CAPTURE_TEXT:
		how |= COPY_TEXT;
		break;
	case CAPTURE_BYTES:
		if (bytes <= CAPTURE_BYTES_MAX)
			break;
		return copy_long(thread, address, bytes, how);
	case CAPTURE_REQUEST:
		bytes = bytes_of_request(thread, how);
		break;
	case CAPTURE_VECTOR:
		return copy_vector(thread, address, count, moved, how);
	case CAPTURE_MESSAGE:
		copy_range(thread, address, sizeof(struct user_message), how);
		return copy_message(thread, address, moved, how);
	case CAPTURE_RIGHTS:
		return read_user(&message, sizeof(message), address)
			       ? copy_rights(message.control, message.control_len, arg)
			       : 0;
	case CAPTURE_MESSAGES:
		return copy_messages(thread, address, count, how);
	case CAPTURE_STRINGS:
		return copy_strings(thread, address, bytes, how);
	case CAPTURE_COUNTED:
		return copy_counted(thread, address, how);
	case CAPTURE_IOCBS:
		return copy_iocbs(thread, address, count, how);
	default:
		return 0;
	}
	thread->bytes = bytes;
	if (find_chunks(&chunks, thread, how))
		add_chunk(&chunks, thread, address, thread->bytes, how);
	return 0;
}

/* Return the enter rules of a call as bits; rules_filled() returns the exit rules. */
static __always_inline __u32 rules_given(__u32 nr)
{
	return (1u << (rules.calls[nr].at_enter & 31)) - 1;
}

static __always_inline __u32 rules_filled(__u32 nr, __s64 ret)
{
	if (failed(ret) && !rules.calls[nr].failed)
		return 0;
	return ((1u << (rules.calls[nr].at_exit & 31)) - 1) << (rules.calls[nr].at_enter & 31);
}

/* Apply the rules in `these` to a call; `how` is for the enter rules only. */
__noinline int copy_rules(struct thread_state *thread, __u32 nr, __u32 these, __u32 how, __s64 ret)
{
	__u32 filled = COPY_REPORTED | COPY_FLAGS(CAPTURE_AT_EXIT), given;

	if (!thread || nr >= CAPTURE_CALLS)
		return 0;
	thread->pieces = 0;
	/* Most calls have one rule, for a path or a buffer. */
	if (these == 1)
		return copy_rule(thread, nr, 0, rules.calls[nr].at_enter ? how : filled, ret);
	given = rules_given(nr);
	for (__u32 i = 0; i < CAPTURE_RULES; i++) {
		if (!(these >> i))
			break;
		if (these >> i & 1)
			copy_rule(thread, nr, i, given >> i & 1 ? how : filled, ret);
	}
	return 0;
}

#endif
