#!/bin/sh
# Deploys one version, after somebody has said where to and somebody has said yes.
# Run it again wherever it was stopped: what was answered is not asked again.
set -eu
version=${1:?Say which version: deploy.sh VERSION}

target=$(beckon choose "Where should $version go?" staging production \
  --key "deploy $version: where")

beckon confirm "Deploy $version to $target?" --name deploy --details - \
  --timeout 2h --key "deploy $version to $target" <<END
{ "command": "rollout --version $version --to $target" }
END

echo "deploying $version to $target"
