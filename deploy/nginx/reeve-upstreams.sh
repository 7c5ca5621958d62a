#!/bin/sh
# Requests /readyz of each process in reeve-upstreams.conf every two seconds, marks those that do not respond with 200 as `down`,
# and reloads nginx when something has changed. While none is ready, none is marked, so that clients get the response of Reeve.
# Needs curl. RELOAD is the command that reloads nginx.
set -eu

file=${1:-/etc/nginx/reeve-upstreams.conf}
reload=${RELOAD:-systemctl reload nginx}

list_addresses() {
  sed -n 's/^server \([^ ;]*\).*/\1/p' "$file" | sort -u
}

# The argument is `host:port`, or `unix:` and a path.
is_ready() {
  case $1 in
    unix:*) set -- --unix-socket "${1#unix:}" http://localhost/readyz ;;
    *) set -- "http://$1/readyz" ;;
  esac
  [ "$(curl --silent --output /dev/null --max-time 3 --write-out '%{http_code}' "$@")" = 200 ]
}

# Replaces the marks in the file. The arguments are the addresses of processes that are not ready.
mark() {
  sed 's/^\(server .*\) down;/\1;/' "$file" >"$file.new"
  for address in "$@"; do
    sed -i "s#^\(server $address[ ;].*\|server $address\);#\1 down;#" "$file.new"
  done
  if cmp -s "$file" "$file.new"; then
    rm "$file.new"
    return
  fi
  mv "$file.new" "$file"
  echo "Not ready: ${*:-none}"
  $reload || echo 'nginx could not be reloaded' >&2
}

# Without this program, only the checks of nginx itself remain.
trap 'mark; exit' TERM INT

while :; do
  unready=
  ready=0
  for address in $(list_addresses); do
    if is_ready "$address"; then ready=1; else unready="$unready $address"; fi
  done
  [ "$ready" = 1 ] || unready=
  # Split into its words.
  # shellcheck disable=SC2086
  mark $unready
  # In the background, so that a signal ends the wait.
  sleep 2 &
  wait $!
done
