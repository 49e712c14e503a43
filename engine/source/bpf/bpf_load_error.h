/*
 * bpf_load_error - why the kernel will not have the programs, in a sentence.
 *
 * The number of an error says little: what is missing is found out by looking at capabilities,
 * at the state of the kernel and at what the verifier wrote. Any thread; a few milliseconds.
 */
#ifndef BPF_BPF_LOAD_ERROR_H
#define BPF_BPF_LOAD_ERROR_H

#include "engine/base/err.h"

/* At what it said no. */
enum bpf_stage {
	BPF_STAGE_MAPS,
	BPF_STAGE_PROGRAMS,
	BPF_STAGE_RINGS,
	BPF_STAGE_ATTACH,
};

/*
 * Returns ret, which is -errno, and writes the sentence, which begins "no BPF: ". program: the
 * one that was rejected, log: what the verifier wrote of it; NULL where there are none.
 */
int bpf_refusal_explain(int ret, enum bpf_stage stage, const char *program, const char *log,
			struct err *err);

#endif
