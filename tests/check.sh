#!/bin/bash
# Runs the suites named, prints each one's counts and, last, their sum.
#
#	BUILD=build tests/check.sh lint unit replay screens live
#
# A suite is tests/NAME/run or tests/NAME.sh where there is one, else the program
# $BUILD/NAME. Its last line says "N passed, N failed, N skipped"; a suite that
# ends without it, or that fails without counting a failure, is itself one failure. What
# failed is on lines "failed: NAME: why", which are told again in front of the sum: where only
# the end of all this is kept, it says which they were.
set -u
cd "$(dirname "$0")/.." || exit 2
export BUILD=${BUILD:-build}
export SAN=${SAN:-}
# The same text on every machine, whatever the caller's locale is.
export LC_ALL=C.UTF-8
# Nor is anything else what the user of this machine chose, or what a terminal says of itself.
unset LANGUAGE COLORFGBG COLORTERM NO_COLOR COLUMNS LINES TMUX STY TERM_PROGRAM SUDO_USER \
	DEBUGINFOD_URLS DEBUGINFOD_CACHE_PATH PERF_CONFIG
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
export TSAN_OPTIONS=${TSAN_OPTIONS:-exitcode=66:second_deadlock_stack=1}
# Limits of unit tests are for what hangs, not for a machine that is slow or busy.
export CK_TIMEOUT_MULTIPLIER=$((${#SAN} ? 16 : 8))
suite_seconds=${SUITE_SECONDS:-1300}

passed=0
failed=0
skipped=0
runner=
output=$(mktemp) || exit 2
failures=$(mktemp) || exit 2
trap 'rm -f "$output" "$failures"' EXIT
# timeout has made a group of its own, which Ctrl-C does not reach; it passes TERM on.
trap '[ -z "$runner" ] || kill "$runner"; exit 130' INT TERM HUP

# The thread sanitizer's shadow does not fit beside a widely randomised layout.
launcher=()
[ "$SAN" != thread ] || launcher=(setarch -R)

fails() {
	echo "$1" | tee -a "$failures"
}

# Each failure in one line, and the names of all, however many they are.
tell_failures() {
	echo
	cut -c 1-300 "$failures" | head -n 20
	echo "all that failed: $(sed 's/^failed: //; s/: .*//' "$failures" |
		uniq | paste -sd , | sed 's/,/, /g')"
}

for suite in "$@"; do
	if [ -x "tests/$suite/run" ]; then
		command=("tests/$suite/run")
	elif [ -x "tests/$suite.sh" ]; then
		command=("tests/$suite.sh")
	else
		command=("$BUILD/$suite")
	fi
	if [ ! -x "${command[0]}" ]; then
		fails "failed: $suite: there is no ${command[0]} to run"
		echo "$suite: 0 passed, 1 failed, 0 skipped"
		failed=$((failed + 1))
		continue
	fi
	: >"$output"
	# A shell without job control has its background jobs ignore INT and QUIT: not these.
	env --default-signal=INT,QUIT timeout -k 10 "$suite_seconds" \
		"${launcher[@]}" "${command[@]}" </dev/null >"$output" 2>&1 &
	runner=$!
	# Shown as it comes, but for the last line. Not a pipe from the suite: whatever it
	# leaves behind would keep that open.
	tail -f -n +1 -s 0.2 --pid="$runner" "$output" |
		awk 'NR > 1 { print held; fflush() } { held = $0 }'
	wait "$runner"
	status=$?
	runner=
	last=$(tail -n 1 "$output")
	grep -a '^failed: ' "$output" >>"$failures"
	f=0
	if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped$ ]]; then
		p=${BASH_REMATCH[1]} f=${BASH_REMATCH[2]} s=${BASH_REMATCH[3]}
	else
		[ -z "$last" ] || echo "$last"
		p=0 f=0 s=0
		if [ "$status" -ne 124 ] && [ "$status" -ne 137 ]; then
			fails "failed: $suite: ended (status $status) without its counts"
			f=1
		fi
	fi
	if [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then
		fails "failed: $suite: stopped after $suite_seconds seconds"
		f=$((f + 1))
	fi
	if [ "$status" -ne 0 ] && [ "$f" -eq 0 ]; then
		fails "failed: $suite: exit status $status, though no test failed"
		f=1
	fi
	echo "$suite: $p passed, $f failed, $s skipped"
	passed=$((passed + p))
	failed=$((failed + f))
	skipped=$((skipped + s))
done
[ "$failed" -eq 0 ] || tell_failures
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
