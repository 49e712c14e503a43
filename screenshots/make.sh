#!/bin/bash
# Takes the pictures in this folder: the real program, watching load.sh and what that
# starts. `make screenshots` builds what it needs and runs it.
set -eu
cd "$(dirname "$0")/.."
build=$(realpath "${BUILD:-build}")
export PATH="$build/live:$PATH"

# The pictures carry a made-up host name in a namespace of their own.
for steps in screenshots/*.steps; do
	name=$(basename "$steps" .steps)
	unshare --uts -- sh -c 'hostname web1; exec "$@"' sh \
		"$build/screens" --program "$build/stxtop" --output screenshots "$steps"
	rsvg-convert -o "screenshots/$name.png" "screenshots/$name.svg"
	echo "screenshots/$name.svg screenshots/$name.png"
done
