#!/bin/bash
# A web server under load, and the service that it would ask for orders. make.sh has made
# its folder: programs, pages and an empty one for logs.
cd "${0%/*}" || exit 1
trap 'kill $(jobs -p)' EXIT
trap 'exit 0' TERM INT HUP
nginx -p "$PWD" -c nginx.conf 2>/dev/null &
./orders orders.db &
until { exec 3<>/dev/tcp/127.0.0.1/8088; } 2>/dev/null; do :; done
exec 3>&-
wrk -t1 -c12 -d600s -s paths.lua http://127.0.0.1:8088/ >/dev/null &
wait
