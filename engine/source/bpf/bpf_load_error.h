/*
 * bpf_load_error - explains in a message why the kernel refuses the programs.
 *
 * An errno value says little. The cause is derived from capabilities, kernel features and settings,
 * and the verifier log. Any thread; a few milliseconds.
 */
#ifndef BPF_BPF_LOAD_ERROR_H
#define BPF_BPF_LOAD_ERROR_H

#include "engine/base/err.h"

/* The step that failed. */
enum bpf_stage {
	BPF_STAGE_MAPS,
	BPF_STAGE_PROGRAMS,
	BPF_STAGE_RINGS,
	BPF_STAGE_ATTACH,
};

/*
 * Write the message, which begins with "no BPF: ", and return ret, which is -errno. program: name
 * of the rejected program, log: its verifier log; NULL: none.
 */
int bpf_refusal_explain(int ret, enum bpf_stage stage, const char *program, const char *log,
			struct err *err);

#endif
