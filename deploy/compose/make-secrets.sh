#!/bin/sh
# Makes the secrets that compose.yaml mounts, once; what is there already is left alone. Run it in any folder.
set -eu
cd "$(dirname "$0")/secrets"
# Nobody else enters the folder; in the container, a user with another number reads the files.
chmod 0700 .
for name in database-password certificate-key-secret; do
  [ -e "$name" ] || od -An -N32 -tx1 /dev/urandom | tr -d ' \n' >"$name"
done
[ -e database-url ] || printf 'postgres://corridor:%s@database/corridor' "$(cat database-password)" >database-url
chmod 0444 database-password database-url certificate-key-secret
