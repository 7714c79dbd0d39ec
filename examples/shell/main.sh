#!/bin/sh
# Runs deploy.sh beside a server of its own, so that there is a page to answer in.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
PATH="$here/../../bin/path:$PATH"
BECKON_DATA=${BECKON_DATA:-$(mktemp -d)}
export PATH BECKON_DATA

beckon serve --port 0 --json >/dev/null &
server=$!
trap '{ kill $server; wait $server; } 2>/dev/null || :' EXIT
trap 'exit 130' INT TERM
until address=$(beckon open 2>/dev/null); do
  kill -0 $server
  sleep 0.2
done

cat <<END
A script asks you twice before it deploys. Open the page and answer in its inbox:

  $address

The address is good once, for a minute. In a second terminal, this prints another:

  node bin/beckon.js open --data $BECKON_DATA

Ctrl+C ends this. To go on from there: BECKON_DATA=$BECKON_DATA sh examples/shell/main.sh

END
"$here/deploy.sh" "${1:-1.2.0}"
