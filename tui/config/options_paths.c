/* options_paths - options that locate the files of the recorded machine. */
#include "tui/config/options_private.h"

#include "engine/base/escape.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static bool check(struct parse *parse, const char *option, const char *path, bool directory)
{
	char shown[160];
	struct stat st;

	escape_name(shown, sizeof(shown), path);
	if (stat(path, &st))
		return options_refuse(parse, "%s: %s: %s", option, shown, strerror(errno));
	if (directory && !S_ISDIR(st.st_mode))
		return options_refuse(parse, "%s: %s is not a directory", option, shown);
	if (!directory && !S_ISREG(st.st_mode))
		return options_refuse(parse, "%s: %s is not a regular file", option, shown);
	return true;
}

bool options_take_place(struct parse *parse, int key, const char *value)
{
	struct symbol_paths_options *places = &parse->options->engine.places;

	switch (key) {
	case OPT_SYMFS:
		places->symfs = value;
		return check(parse, "--symfs", value, true);
	case OPT_BUILDID_DIR:
		places->buildid_dir = value;
		return check(parse, "--buildid-dir", value, true);
	case OPT_KALLSYMS:
		places->kallsyms = value;
		return check(parse, "--kallsyms", value, false);
	case OPT_VMLINUX:
		places->vmlinux = value;
		return check(parse, "--vmlinux", value, false);
	default:
		places->debug_dirs = value;
		return true;
	}
}

bool options_check_places(struct parse *parse)
{
	const struct symbol_paths_options *places = &parse->options->engine.places;

	if (!parse->options->engine.recording &&
	    (places->symfs || places->buildid_dir || places->kallsyms || places->vmlinux))
		return options_refuse(parse, "--symfs, --buildid-dir, --kallsyms and --vmlinux are "
					     "for a recording of another machine; name it with -i");
	if (parse->options->engine.recording && parse->options->engine.no_names &&
	    !parse->options->engine.record.path)
		return options_refuse(
			parse, "--no-names applies to -o; -i uses the names in the recording");
	return true;
}
