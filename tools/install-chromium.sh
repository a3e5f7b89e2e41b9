#!/bin/sh
# Install Chromium without its windows from Debian's packages for the tests, when there is none.
set -eu

# The same names as in tests/browser/visitors.py.
for name in chromium-headless-shell chromium; do
  if command -v "$name" >/dev/null; then exit 0; fi
done

if ! command -v apt-get >/dev/null || { [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; }; then
  echo "The tests need Chromium: install it, for example Debian's package chromium." >&2
  exit 1
fi
if [ "$(id -u)" != 0 ]; then exec sudo "$0"; fi

echo "Installing Chromium for the tests from Debian's packages ..."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
trap 'exit 1' HUP INT TERM

# Older releases have only the whole browser. Without a font, nothing on a page has a size.
install() {
  for package in chromium-headless-shell chromium; do
    if DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o DPkg::Lock::Timeout=300 \
        install --no-install-recommends "$package" fonts-dejavu-core fonts-liberation \
        </dev/null >"$log" 2>&1; then
      return 0
    fi
  done
  return 1
}

# The lists of packages are renewed only if the packages are not found with those that are there.
if ! install && ! { apt-get -qq update >"$log" 2>&1 && install; }; then
  cat "$log" >&2
  exit 1
fi
