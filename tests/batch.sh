#!/bin/bash
# Run batch modes under the thread sanitizer, with collector and main thread in parallel.
# On a race, stxtop exits with status 66 and a report, which is printed.
set -u
build=${BUILD:-build}
passed=0
failed=0
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
# The command has short-lived children and a pipe, to make forks, exits and waits.
# shellcheck disable=SC2016 # the watched shell expands it
work='for i in 1 2 3 4 5 6 7 8 9 10; do dd if=/dev/zero bs=512 count=400 | cat >/dev/null; done'

if [ "$(id -u)" != 0 ]; then
	echo "skipped: batch: needs root"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi
if [ ! -e /sys/kernel/tracing/events ]; then
	echo "skipped: batch: tracefs is not mounted"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi
for mode in -b -s -S --json; do
	"$build/stxtop" "$mode" -w /dev/null -- sh -c "$work" >"$log" 2>&1
	status=$?
	if [ "$status" -eq 0 ] && ! grep -q 'WARNING: ThreadSanitizer' "$log"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "failed: batch: stxtop $mode: status $status"
		grep -v 'records\|bytes' "$log" | head -n 40
	fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
