#!/bin/bash
# `machine.sh CGROUP` boots a real systemd as PID 1 of new namespaces, over this machine's root with a throw-away layer on top. Nothing is
# downloaded, nothing is written outside memory, and everything ends with this process.
set -euo pipefail
if [[ $$ != 1 ]]; then
  mkdir "$1"
  echo $$ >"$1/cgroup.procs"
  exec unshare --pid --mount --propagation private --uts --ipc --cgroup --net --fork --kill-child "$BASH" "$0" "$1"
fi

mount -t tmpfs -o size=2G,mode=755 tmpfs /mnt
mkdir /mnt/{upper,work,root}
mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/root
cd /mnt/root
# The new machine must not have this machine's services, file systems and identity.
rm -rf etc/systemd/system/*.wants etc/systemd/system/*.requires opt/gatehouse* etc/gatehouse var/lib/gatehouse var/log/journal
: >etc/fstab
: >etc/machine-id

mount -t proc -o nosuid,nodev,noexec proc proc
mount -t sysfs -o ro,nosuid,nodev,noexec sysfs sys
mount -t cgroup2 -o nosuid,nodev,noexec cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755,nosuid tmpfs dev
mkdir dev/pts dev/shm
for device in 'null 1 3' 'zero 1 5' 'full 1 7' 'random 1 8' 'urandom 1 9' 'tty 5 0'; do
  read -r name major minor <<<"$device"
  mknod -m 666 "dev/$name" c "$major" "$minor"
done
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts dev/pts
ln -s pts/ptmx dev/ptmx
for link in fd: stdin:/0 stdout:/1 stderr:/2; do ln -s "/proc/self/fd${link#*:}" "dev/${link%%:*}"; done
mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs dev/shm
mount -t tmpfs -o mode=755,nosuid,nodev tmpfs run
mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs tmp
mkdir run/host
echo gatehouse-test >run/host/container-manager
# Kernel settings are read-only, since they belong to the real machine. Those of the new machine's network stay writable.
mount --bind proc/sys/net mnt
mount --bind proc/sys proc/sys
mount -o remount,ro,bind proc/sys
mount --bind mnt proc/sys/net
umount mnt

hostname gatehouse-test
mkdir .old
pivot_root . .old
umount -l /.old
rmdir /.old
# systemd mounts credentials for services, which needs a root with shared propagation.
mount --make-rshared /
systemd=/lib/systemd/systemd
exec env -i container=gatehouse-test PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  "$systemd" --system systemd.unit=multi-user.target
