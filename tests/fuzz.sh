#!/bin/bash
# Run each $BUILD/fuzz/NAME for FUZZ_SECONDS with the seeds in tests/fuzz/seeds/NAME/.
# New inputs go to $BUILD/fuzz-corpus/NAME/, a failing input to $BUILD/fuzz-corpus/NAME-crash-*.
set -u
cd "$(dirname "$0")/.." || exit 2
build=${BUILD:-build}
seconds=${FUZZ_SECONDS:-20}
passed=0
failed=0

for program in "$build"/fuzz/*; do
	[ -x "$program" ] || continue
	name=${program##*/}
	corpus=$build/fuzz-corpus/$name
	log=$build/fuzz-corpus/$name.log
	mkdir -p "$corpus"
	arguments=("-max_total_time=$seconds" "-artifact_prefix=$build/fuzz-corpus/$name-"
		-timeout=10 -rss_limit_mb=2048 -print_final_stats=1)
	[ ! -f "tests/fuzz/$name.dict" ] || arguments+=("-dict=tests/fuzz/$name.dict")
	arguments+=("$corpus")
	[ ! -d "tests/fuzz/seeds/$name" ] || arguments+=("tests/fuzz/seeds/$name")
	if LC_ALL=C.UTF-8 "$program" "${arguments[@]}" >"$log" 2>&1 </dev/null; then
		passed=$((passed + 1))
		runs=$(awk '/stat::number_of_executed_units/ { print $2 }' "$log")
		kept=$(find "$corpus" -type f | wc -l)
		echo "fuzz: $name: $runs inputs in $seconds s, $kept in the corpus"
	else
		failed=$((failed + 1))
		echo "failed: fuzz: $name: see $log"
		grep -E -m 3 'ERROR|SUMMARY|runtime error|Test unit written' "$log"
	fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
