#!/bin/sh
# Records --demo and its names from a real run. Needs root.
# Usage: make.sh STXTOP FOLDER: writes FOLDER/demo.data.zst and FOLDER/demo.names.zst.
set -eu
stxtop=$(realpath "$1")
out=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)
home=/srv/demo

mkdir -p $home
trap 'rm -rf $home' EXIT
cp "$here/shop.c" $home/
cd $home
cc -g -O1 -fno-omit-frame-pointer -fno-inline -fno-optimize-sibling-calls -pthread -o shop shop.c
# A made-up host name, and no cgroup or path of this machine.
cp "$stxtop" stxtop
# shellcheck disable=SC2016 # expanded by that shell
unshare --uts sh -c 'hostname shop
	for procs in /sys/fs/cgroup/cgroup.procs /sys/fs/cgroup/*/cgroup.procs; do
		if [ -w "$procs" ]; then echo $$ >"$procs" || true; fi
	done
	PATH=$PWD:$PATH exec stxtop -s -g fp -o demo.data -w /dev/null -- ./shop $PWD/journal'
mv demo.data "$out/"
# On a busy machine, names may arrive late: wait for all of them.
for try in 1 2 3 4 5 6; do
	./stxtop -i "$out/demo.data" --json | "$here/names.py" >"$out/demo.names"
	if grep -q 'ledger_add.*shop.c' "$out/demo.names" &&
		grep -q 'append_entry.*shop.c' "$out/demo.names"; then
		break
	fi
	[ $try -lt 6 ] || { echo "no names of the program came; try again" >&2; exit 1; }
done
zstd -q -19 --rm -f "$out/demo.data" "$out/demo.names"
ls -l "$out"/demo.*
