/*
 * recording_metadata - queries about a recording and its machine.
 */
#include "engine/recording/read/recording_private.h"

#include <string.h>

bool source_recording_points(struct source *source, bool *copies)
{
	const struct perfdata_file_own *own =
		source->ops == &recording_ops ? perfdata_file_own(recording_of(source)->file)
					      : NULL;

	*copies = own && own->copies;
	return own;
}

bool source_recording_waits(struct source *source, bool *ins)
{
	const struct recording *recording;
	const struct perfdata_header *header;
	const struct perfdata_file_own *own;

	*ins = true;
	if (source->ops != &recording_ops)
		return true;
	recording = recording_of(source);
	own = perfdata_file_own(recording->file);
	if (own) {
		*ins = !own->no_ins;
		return !own->no_waits;
	}
	*ins = false;
	if (recording->has_switches)
		return true;
	header = perfdata_file_header(recording->file);
	for (size_t i = 0; i < perfdata_header_event_count(header); i++)
		*ins = *ins || perfdata_header_event(header, i)->attr.context_switch;
	return *ins;
}

char *source_recording_own(struct source *source, unsigned feature, unsigned version, size_t *len)
{
	if (source->ops != &recording_ops)
		return NULL;
	return perfdata_header_take_own(perfdata_file_header(recording_of(source)->file), feature,
					version, len);
}

bool source_recording_flight(struct source *source, struct flight_mark *mark)
{
	const struct perfdata_file_own *own =
		source->ops == &recording_ops ? perfdata_file_own(recording_of(source)->file)
					      : NULL;

	if (!own || own->flight.reason == FLIGHT_NONE)
		return false;
	*mark = own->flight;
	return true;
}

bool source_recording_machine(struct source *source, struct perfdata_machine *machine)
{
	const struct perfdata_kernel_map *map;

	if (source->ops != &recording_ops)
		return false;
	map = perfdata_file_kernel(recording_of(source)->file);
	perfdata_machine_from_header(machine, perfdata_file_header(recording_of(source)->file));
	if (map) {
		machine->kernel_text = map->text;
		if (map->build_id_bytes) {
			machine->kernel_id_bytes = map->build_id_bytes;
			memcpy(machine->kernel_id, map->build_id, map->build_id_bytes);
		}
	}
	return true;
}

bool source_recording_kernel(struct source *source, struct recording_kernel *kernel)
{
	const struct perfdata_kernel_map *map;
	struct perfdata_header *header;
	struct perfdata_file *file;

	if (source->ops != &recording_ops)
		return false;
	file = recording_of(source)->file;
	header = perfdata_file_header(file);
	map = perfdata_file_kernel(file);
	memset(kernel, 0, sizeof(*kernel));
	kernel->release = perfdata_header_release(header);
	kernel->kallsyms = perfdata_header_kallsyms(header, &kernel->kallsyms_len);
	if (map) {
		kernel->text = map->text;
		kernel->build_id = map->build_id_bytes ? map->build_id : NULL;
		kernel->build_id_bytes = map->build_id_bytes;
	}
	if (!kernel->build_id)
		kernel->build_id = perfdata_build_ids_find(perfdata_header_build_ids(header),
							   PERFDATA_BUILD_IDS_KERNEL,
							   &kernel->build_id_bytes);
	return true;
}
