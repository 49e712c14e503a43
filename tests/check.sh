#!/bin/bash
# Runs the suites named, prints each one's counts and, last, their sum.
#
#	BUILD=build tests/check.sh lint unit replay screens live
#
# A suite is tests/NAME/run where there is one, else the program $BUILD/NAME.
# Its last line says "N passed, N failed, N skipped"; a suite that ends without
# it, or that fails without counting a failure, is itself one failure.
set -u
cd "$(dirname "$0")/.." || exit 2
export BUILD=${BUILD:-build}
export SAN=${SAN:-}
# The same text on every machine, whatever the caller's locale is.
export LC_ALL=C.UTF-8
unset LANGUAGE
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1:abort_on_error=0}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
export TSAN_OPTIONS=${TSAN_OPTIONS:-exitcode=66:second_deadlock_stack=1}
[ -z "$SAN" ] || export CK_TIMEOUT_MULTIPLIER=8
suite_seconds=${SUITE_SECONDS:-900}

passed=0
failed=0
skipped=0
output=$(mktemp) || exit 2
trap 'rm -f "$output"' EXIT

# The thread sanitizer's shadow does not fit beside a widely randomised layout.
launcher=()
[ "$SAN" != thread ] || launcher=(setarch -R)

for suite in "$@"; do
	if [ -x "tests/$suite/run" ]; then
		command=("tests/$suite/run")
	elif [ -x "tests/$suite.sh" ]; then
		command=("tests/$suite.sh")
	else
		command=("$BUILD/$suite")
	fi
	if [ ! -x "${command[0]}" ]; then
		echo "failed: $suite: there is no ${command[0]} to run"
		echo "$suite: 0 passed, 1 failed, 0 skipped"
		failed=$((failed + 1))
		continue
	fi
	timeout -k 10 "$suite_seconds" "${launcher[@]}" "${command[@]}" </dev/null >"$output" 2>&1
	status=$?
	last=$(tail -n 1 "$output")
	if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped$ ]]; then
		head -n -1 "$output"
		p=${BASH_REMATCH[1]} f=${BASH_REMATCH[2]} s=${BASH_REMATCH[3]}
	else
		cat "$output"
		p=0 f=0 s=0
		echo "failed: $suite: ended (status $status) without its counts"
		f=1
	fi
	if [ "$status" -ne 0 ] && [ "$f" -eq 0 ]; then
		echo "failed: $suite: exit status $status, though no test failed"
		f=1
	fi
	echo "$suite: $p passed, $f failed, $s skipped"
	passed=$((passed + p))
	failed=$((failed + f))
	skipped=$((skipped + s))
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
