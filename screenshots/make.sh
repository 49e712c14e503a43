#!/bin/bash
# Takes the pictures in this folder: the real program on this machine's calls, with a few
# programs started for the purpose. `make screenshots` builds what it needs and runs it.
set -eu
cd "$(dirname "$0")/.."
build=$(realpath "${BUILD:-build}")
export PATH="$build/live:$PATH"

pids=()
stop_load() {
	for pid in "${pids[@]}"; do
		kill "$pid" 2>/dev/null || true
	done
}
trap stop_load EXIT

contention 600 &
pids+=($!)
mix 2 0 100000000 &
pids+=($!)
(while sleep 0.2; do ls -R /usr/share/doc >/dev/null 2>&1; done) &
pids+=($!)
sleep 1

# The pictures carry a made-up host name in a namespace of their own.
for steps in screenshots/*.steps; do
	name=$(basename "$steps" .steps)
	unshare --uts -- sh -c 'hostname web1; exec "$@"' sh \
		"$build/screens" --program "$build/stxtop" --output screenshots "$steps"
	rsvg-convert -o "screenshots/$name.png" "screenshots/$name.svg"
	echo "screenshots/$name.svg screenshots/$name.png"
done
