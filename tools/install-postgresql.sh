#!/bin/sh
# Install PostgreSQL's server from Debian's packages for the tests, when there is none.
set -eu

# The same places as in tests/postgres.py.
has_server() {
  for folder in "$(dirname "$(readlink -f "$(command -v postgres)")")" \
      "$(pg_config --bindir)" /usr/lib/postgresql/*/bin; do
    if [ -f "$folder/postgres" ] && [ -f "$folder/initdb" ]; then return 0; fi
  done
  return 1
}

if has_server 2>/dev/null; then exit 0; fi

if ! command -v apt-get >/dev/null || { [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; }; then
  echo "The tests need a PostgreSQL server: install one, for example Debian's package postgresql." >&2
  exit 1
fi
if [ "$(id -u)" != 0 ]; then exec sudo "$0"; fi

echo "Installing PostgreSQL for the tests from Debian's packages ..."
log=$(mktemp)
settings=/etc/postgresql-common/createcluster.d
trap 'rm -f "$log" "$settings/qlub.conf"; rmdir --ignore-fail-on-non-empty "$settings"' EXIT
trap 'exit 1' HUP INT TERM

# Debian's package makes and starts a cluster of its own, which the tests do not use. Debian's own switch
# keeps it from that. It is set for this installation only, so later ones are as Debian wants them.
mkdir -p "$settings"
echo "create_main_cluster = false" >"$settings/qlub.conf"

install() {
  DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o DPkg::Lock::Timeout=300 \
    install --no-install-recommends postgresql </dev/null >"$log" 2>&1
}

# The lists of packages are renewed only if the package is not found with those that are there.
if ! install && ! { apt-get -qq update >"$log" 2>&1 && install; }; then
  cat "$log" >&2
  exit 1
fi
