#!/bin/bash
# Writes the pictures in this folder: stxtop watches the programs in workloads/.
#
#	BUILD=build screenshots/make.sh [PICTURE...]
#
# Run by `make screenshots`. The pictures show a made-up host name and no data of this machine: the
# workloads run in namespaces with an empty /srv.
set -eu
cd "$(dirname "$0")/.."
build=$(realpath "${BUILD:-build}")
workloads=$PWD/screenshots/workloads

if [ "${1:-}" != --inside ]; then
	if [ "$(id -u)" != 0 ]; then
		echo "stxtop: pictures take namespaces; as root, run: make screenshots" >&2
		exit 1
	fi
	if [ ! -x /usr/sbin/nginx ]; then
		echo "stxtop: the pictures watch nginx, which is not here; as root, run:" \
			"apt-get install nginx (its package starts a server on port 80)" >&2
		exit 1
	fi
	srv=$(mktemp -d /var/tmp/srv.XXXXXX)
	trap 'rm -rf "$srv"' EXIT
	chmod 755 "$srv"
	unshare --uts --mount --propagation slave -- \
		"$PWD/screenshots/make.sh" --inside "$srv" "$@"
	exit
fi

mount --bind "$2" /srv
hostname web1
shift 2
mount -t tmpfs none /usr/local/bin
install "$build/stxtop" /usr/local/bin
export PATH="$PATH:/usr/sbin" HOME=/srv LANG=C.UTF-8
unset XDG_CONFIG_HOME XDG_STATE_HOME XDG_CACHE_HOME NO_COLOR
mkdir /srv/shop /srv/stxtop
cp "$workloads"/nginx.conf "$workloads"/*.c "$workloads"/*.lua /srv/shop
install "$workloads/serve.sh" /srv/shop/serve
mkdir -p /srv/shop/logs /srv/shop/pages/goods
for page in index goods/tea goods/bread goods/salt; do
	for ((line = 0; line < 400; line++)); do
		echo "<p>$page</p>"
	done >"/srv/shop/pages/$page.html"
done
(cd /srv/shop && gcc -g -O1 -pthread -o orders orders.c -lsqlite3 &&
	gcc -g -O1 -pthread -o ledger ledger.c)
cp -r Makefile LICENSE engine widgets tui keymaps tests man screenshots /srv/stxtop
[ $# -gt 0 ] || set -- screenshots/*.steps
for name; do
	name=$(basename "$name" .steps)
	rm -f /srv/shop/orders.db*
	"$build/screens" --program /usr/local/bin/stxtop --output screenshots \
		"screenshots/$name.steps"
	rsvg-convert --zoom 2 "screenshots/$name.svg" |
		pngquant --strip - >"screenshots/$name.png"
	echo "screenshots/$name.svg screenshots/$name.png"
done
