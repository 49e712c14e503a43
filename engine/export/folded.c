#include "engine/export/folded.h"

#include "engine/export/call_tree.h"

/* A ';' would split the name, a newline the line. */
static void add_name(struct str *out, const char *name)
{
	if (!*name)
		str_addc(out, '?');
	for (; *name; name++)
		str_addc(out, *name == ';' ? ':' : *name == '\n' ? ' ' : *name);
}

static void add_frame(struct str *out, const struct frame *frame)
{
	str_addc(out, ';');
	if (frame->symbol)
		add_name(out, frame->symbol);
	else
		str_addx(out, frame->ip);
	if (frame->kind == FRAME_KERNEL)
		str_add(out, "_[k]");
}

void folded_add_stack(struct str *out, const char *comm, const struct frame *frames, size_t count)
{
	size_t inner = call_tree_scheduler_frames(frames, count);

	add_name(out, comm);
	for (size_t i = count; i-- > inner;) {
		if (frames[i].cut)
			str_add(out, ";[cut]");
		add_frame(out, &frames[i]);
	}
}

void folded_add(struct str *out, const char *stack, uint64_t weight)
{
	str_add(out, stack);
	str_addc(out, ' ');
	str_addu(out, weight);
	str_addc(out, '\n');
}
