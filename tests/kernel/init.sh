#!/bin/sh
# What the guest runs first on its root. This is a folder of the host, read only; what it has to
# say goes into the folder `results` that the host shares with it, and then it switches itself off.
export PATH=/run:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export HOME=/run TMPDIR=/run/tmp LC_ALL=C.UTF-8

mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t configfs config /sys/kernel/config
mount -t tmpfs run /run
mkdir -p /run/tmp /run/results /dev/pts /dev/shm
mount -t devpts -o ptmxmode=666 pts /dev/pts
mount -t tmpfs shm /dev/shm
ln -sf /proc/self/fd /dev/fd
mount -t 9p -o trans=virtio,version=9p2000.L,cache=none results /run/results

# Programs that play the outside world have real-time priority; nothing may hold them up half-way.
echo -1 > /proc/sys/kernel/sched_rt_runtime_us

# gpiozero wants to know which Pi it is on: a Pi 4.
{ cat /proc/cpuinfo; echo "Revision	: c03111"; } > /run/cpuinfo
mount --bind /run/cpuinfo /proc/cpuinfo

for program in insmod rmmod; do ln -s /run/results/busybox /run/$program; done
sh /run/results/run > /run/results/log 2>&1 < /dev/null
echo $? > /run/results/status
sync
echo o > /proc/sysrq-trigger
while :; do :; done  # until it is off; nothing can be read any more
