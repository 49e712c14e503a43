#!/bin/bash
# A web server under load, and the order service behind it. make.sh creates the folder: programs,
# pages and an empty folder for logs.
cd "${0%/*}" || exit 1
trap 'kill $(jobs -p)' EXIT
trap 'exit 0' TERM INT HUP
nginx -p "$PWD" -c nginx.conf 2>/dev/null &
./orders orders.db &
until { exec 3<>/dev/tcp/127.0.0.1/8088; } 2>/dev/null; do :; done
exec 3>&-
wrk -t1 -c12 -d600s -s paths.lua http://127.0.0.1:8088/ >/dev/null &
wait
