#!/usr/bin/env bash
# Proves both scripts on a fresh Debian 12: a clean clone in a new chroot, `run.sh --build-only`, then `test.sh --unit`.
# Needs root. Packages come from the mirror this machine's apt is configured with; what this machine's compiler cache holds is not
# compiled again.
set -euo pipefail
cd "$(dirname "$0")/.."
if ((EUID != 0)); then
  echo 'chroot_test.sh: must run as root (debootstrap and chroot)' >&2
  exit 1
fi

mirror=$(apt-get indextargets --format '$(ORIGIN)|$(CODENAME)|$(COMPONENT)|$(REPO_URI)' 'Created-By: Packages' |
  sed -n 's/^Debian|bookworm|main|//p' | head -n 1)
if [[ -z $mirror ]]; then
  echo 'chroot_test.sh: apt has no Debian 12 (bookworm) mirror configured' >&2
  exit 1
fi

root=$(mktemp -d)
chmod 755 "$root"  # apt downloads as a user of its own
mounts=(proc sys dev root/.cache/ccache)
cleanup() {
  for point in "${mounts[@]}"; do umount --recursive --lazy "$root/$point" 2>/dev/null || true; done
  # Never delete through a mount that would not go away.
  if ! grep -q " $root/" /proc/mounts; then rm -rf --one-file-system "$root"; fi
}
trap cleanup EXIT

debootstrap --variant=minbase bookworm "$root" "$mirror"
apt-config dump | grep -E '^Acquire::(http|https)::[Pp]roxy' >"$root/etc/apt/apt.conf.d/90proxy" || true
cp /etc/resolv.conf /etc/hosts "$root/etc/"
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys" && mount --make-rslave "$root/sys"
mount --rbind /dev "$root/dev" && mount --make-rslave "$root/dev"
mkdir -p "$root/root/.cache/ccache" "$(ccache --get-config cache_dir)"
mount --bind "$(ccache --get-config cache_dir)" "$root/root/.cache/ccache"

git clone --quiet --no-hardlinks . "$root/srv/toolpost"
in_chroot() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 chroot "$root" bash -c "cd /srv/toolpost && $1"; }
in_chroot './run.sh --build-only'
in_chroot './build/release/toolpost version'
in_chroot './test.sh --unit'
in_chroot './test.sh --unit'  # safe to repeat
