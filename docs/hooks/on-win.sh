#!/bin/sh
# Runs a command whenever a match is won; the seats that have won are in SEATS, such as "2" or "1 3".
#
#   on-win.sh aplay -q fanfare.wav
#
# FEED names the feed of another table. It ends with the table: let systemd start it again.
echo '{}' | socat STDIO,ignoreeof "UNIX-CONNECT:${FEED:-/run/ligretto-table/feed.sock}" |
jq --unbuffered -r '.effects[]? | select(.is == "MatchEnded") | .winners | map(tostring) | join(" ")' |
while read -r SEATS; do
    export SEATS
    "$@" < /dev/null || echo "on-win.sh: exit code $?: $*" >&2
done
