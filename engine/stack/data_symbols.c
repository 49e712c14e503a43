#include "engine/stack/data_symbols.h"

#include "engine/helper/data_offset.h"
#include "engine/stack/symbols_private.h"

/* Data follows the code of its file; an address beyond this distance belongs to another file. */
#define DISTANCE_MAX ((uint64_t)4 << 30)

static bool known(struct symbols *symbols, const struct stack *space, const struct mapping *code,
		  uint64_t address, struct variable *variable, bool *pending)
{
	const char *note = NULL;
	uint64_t offset;
	struct dso *dso = symbols_locate(symbols, space, code->start, &offset, &note);
	struct reply *reply;

	if (!dso || dso->kind != DSO_FILE)
		return false;
	offset += address - code->start;
	if (offset & DATA_OFFSET)
		return false;
	reply = symbols_ask(symbols, dso, space, offset | DATA_OFFSET);
	*pending = reply && reply->state != REPLY_DONE;
	if (!reply || !reply->frames || !reply->frames[0].symbol)
		return false;
	*variable = (struct variable){
		.symbol = reply->frames[0].symbol,
		.offset = reply->frames[0].offset,
		.dso = dso->shown,
	};
	return true;
}

bool variables_find(struct symbols *symbols, uint32_t pid, uint32_t generation, uint64_t address,
		    struct variable *variable, bool *pending)
{
	const struct stack space = { .pid = pid, .generation = generation };
	const char *note = NULL;
	struct mapping code;
	uint64_t offset;
	bool found = false;

	*pending = false;
	pthread_mutex_lock(&symbols->lock);
	if (spaces_find_code_below(symbols->spaces, pid, generation, address, &code) &&
	    address >= code.end && address - code.end < DISTANCE_MAX)
		found = known(symbols, &space, &code, address, variable, pending);
	/* Its mapping may be missing: symbols_locate() requests reads of /proc at intervals. */
	if (!found && !*pending && !symbols_locate(symbols, &space, address, &offset, &note))
		*pending = !note;
	pthread_mutex_unlock(&symbols->lock);
	return found;
}
