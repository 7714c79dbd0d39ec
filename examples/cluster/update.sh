#!/bin/sh
# A rolling update: one server after the other, each only when the one before it is well.
set -eu
for node in node-1 node-2 node-3; do
  docker compose up --detach --no-deps --force-recreate --wait "$node"
done
