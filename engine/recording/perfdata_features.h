/*
 * perfdata_features - the feature sections of a perf.data file, by their bits in its header.
 */
#ifndef RECORDING_PERFDATA_FEATURES_H
#define RECORDING_PERFDATA_FEATURES_H

/* Feature bits (tools/perf/util/header.h). */
enum perf_feature {
	PERF_FEATURE_NONE = 0, /* see perfdata_ext.h on PERFDATA_EXT_TABLE */
	PERF_FEATURE_TRACING_DATA = 1,
	PERF_FEATURE_BUILD_ID = 2,
	PERF_FEATURE_HOSTNAME = 3,
	PERF_FEATURE_RELEASE = 4,
	PERF_FEATURE_VERSION = 5,
	PERF_FEATURE_ARCH = 6,
	PERF_FEATURE_CPUS = 7,
	PERF_FEATURE_CPU_DESC = 8,
	PERF_FEATURE_CPUID = 9,
	PERF_FEATURE_MEMORY = 10,
	PERF_FEATURE_CMDLINE = 11,
	PERF_FEATURE_EVENTS = 12,
	PERF_FEATURE_SAMPLE_TIME = 21,
	PERF_FEATURE_CLOCK = 23,
	/* set in a directory of `perf record --threads`: the records are in other files */
	PERF_FEATURE_FOLDER = 24,
	PERF_FEATURE_COMPRESSED = 27,
	PERF_FEATURE_CLOCK_DATA = 29,
	PERF_FEATURE_WRITTEN, /* end of the features that stxtop writes, except its own */
	PERF_FEATURE_COUNT = 256,
};

#endif
