# Debian 12 packages by purpose, and a function that installs what is missing. Sourced by run.sh and test.sh.
# An entry `package=command` is satisfied by any program of that name, wherever it came from.

# What the release build needs, and the driver its SQL Server tools load.
BUILD_PACKAGES=(g++ cmake ninja-build ccache libboost1.81-dev libboost-json1.81-dev libssl-dev libre2-dev libtomlplusplus-dev libcurl4-openssl-dev libsqlite3-dev libpq-dev libpg-query-dev unixodbc-dev tdsodbc)
# What the unit tests need on top.
UNIT_PACKAGES=(libgtest-dev libgmock-dev mold postgresql postgresql-15-hypopg pgbouncer)
# What ./test.sh needs on top: checks, and the end-to-end suites with real clients.
TEST_PACKAGES=(clang-format=clang-format nodejs=node npm=npm curl=curl git=git ca-certificates wrk prometheus)
# What --full and --coverage need on top.
FULL_PACKAGES=(clang=clang++ clang-tidy=clang-tidy libclang-rt-14-dev debootstrap jq=jq)
COVERAGE_PACKAGES=(gcovr=gcovr)

# install_packages ENTRY…: installs what dpkg lacks; asks for root only then.
install_packages() {
  local entry package missing=() as_root=()
  for entry in "$@"; do
    package=${entry%%=*}
    if [[ $entry == *=* ]] && command -v "${entry#*=}" >/dev/null; then continue; fi
    dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      printf 'These Debian packages are missing: %s\n' "${missing[*]}" >&2
      printf 'Run this script as root, install sudo, or install them yourself:\n  apt-get install %s\n' "${missing[*]}" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  printf 'Installing Debian packages: %s\n' "${missing[*]}" >&2
  "${as_root[@]}" apt-get update -qq >&2
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}
