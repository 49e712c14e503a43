#!/bin/bash
# What the pictures watch: threads at a contended lock, a mix of calls, short-lived children.
contention 30 >/dev/null &
mix 2 0 100000000 >/dev/null &
# A pipe in which nothing ever comes: a pause without a process for each.
exec 3<> <(:)
while ! read -rt 0.5 <&3; do
	ls -R /usr/include >/dev/null
	grep -rq nothing-like-it /usr/include/linux
done
