# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A cluster of Slurm on this machine, for tests: one slurmctld and three slurmd, n1 to n3, on the loopback, without
# systemd. Source it; slurm_setup DIR in setup_file(), slurm_stop DIR in teardown_file(). slurm_nodes=N before it makes
# more of them; slurm_real=yes makes one, which has this machine's CPUs and binds jobs to theirs.
slurm_nodes=3 slurm_real=no

# Why there can be none; nothing: there can.
slurm_obstacle() {
	local program
	for program in slurmctld slurmd munged sbatch; do
		PATH=$PATH:/usr/sbin command -v "$program" >/dev/null || {
			echo "$program is not installed (scripts/setup cluster)"
			return
		}
	done
	[[ $(id -u) == 0 ]] || echo "Slurm's daemons need root here"
}

# What Slurm is told of the nodes: false CPUs, which no job can be bound to, or those that there are.
slurm_machines() { # PORT HOST
	local cpus='CPUs=4 Sockets=2 CoresPerSocket=2 ThreadsPerCore=1'
	[[ $slurm_real == no ]] || cpus=$(slurmd -C | sed -n 's/^NodeName=[^ ]* \(.*\) RealMemory=.*/\1/p')
	printf 'NodeName=n[1-%d] NodeHostname=%s NodeAddr=127.0.0.1 Port=[%d-%d] %s RealMemory=1000 State=UNKNOWN\n' \
		"$slurm_nodes" "$2" $(($1 + 1)) $(($1 + slurm_nodes)) "$cpus"
}

slurm_configuration() { # DIR PORT
	local dir=$1 port=$2 host task=none
	host=$(hostname -s)
	[[ $slurm_real == no ]] || task=affinity
	cat <<-END
		ClusterName=test
		SlurmctldHost=$host(127.0.0.1)
		SlurmctldPort=$port
		AuthType=auth/munge
		AuthInfo=socket=$dir/munge.sock
		CryptoType=crypto/munge
		SlurmUser=root
		SlurmdUser=root
		StateSaveLocation=$dir/state
		SlurmdSpoolDir=$dir/spool/%n
		SlurmctldPidFile=$dir/slurmctld.pid
		SlurmdPidFile=$dir/slurmd-%n.pid
		SlurmctldLogFile=$dir/slurmctld.log
		SlurmdLogFile=$dir/slurmd-%n.log
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/$task
		SelectType=select/cons_tres
		SelectTypeParameters=CR_Core
		MpiDefault=none
		ReturnToService=2
		SlurmctldTimeout=30
		SlurmdTimeout=60
		MessageTimeout=30
		InactiveLimit=0
		KillWait=1
		MinJobAge=300
		Waittime=0
		SchedulerType=sched/backfill
		SchedulerParameters=bf_interval=1,sched_interval=1,batch_sched_delay=0
		AccountingStorageType=accounting_storage/none
		JobAcctGatherType=jobacct_gather/none
		JobCompType=jobcomp/none
		SlurmdParameters=config_overrides
		$(slurm_machines "$port" "$host")
		PartitionName=debug Nodes=n[1-$slurm_nodes] Default=YES MaxTime=INFINITE State=UP
	END
}

slurm_start() { # DIR; sets SLURM_CONF
	local dir=$1 port node until i
	port=$((20000 + $$ % 10000))
	PATH=$PATH:/usr/sbin
	[[ $slurm_real == no ]] || slurm_nodes=1
	mkdir -p "$dir"/{state,munge}
	chmod 700 "$dir/munge"
	chmod 755 "$dir"
	dd if=/dev/urandom of="$dir/munge/key" bs=128 count=1 status=none
	chmod 400 "$dir/munge/key"
	munged --key-file="$dir/munge/key" --socket="$dir/munge.sock" --pid-file="$dir/munge/munged.pid" \
		--log-file="$dir/munge/munged.log" --seed-file="$dir/munge/seed" --num-threads=2 --force 3>&- || return 1
	export SLURM_CONF=$dir/slurm.conf
	slurm_configuration "$dir" "$port" >"$SLURM_CONF"
	slurmctld -c -f "$SLURM_CONF" 3>&- || return 1
	for ((i = 1; i <= slurm_nodes; i++)); do
		node=n$i
		mkdir -p "$dir/spool/$node"
		slurmd -c -N "$node" -f "$SLURM_CONF" 3>&- || return 1
	done
	# each sinfo waits long where nobody listens
	until=$((SECONDS + 120))
	while ((SECONDS < until)) && pgrep -f "slurmctld -c -f $SLURM_CONF" >/dev/null; do
		[[ $(sinfo -h -N -o %T 2>/dev/null | sort -u) != idle ]] || return 0
		sleep 0.1
	done
	sinfo -N
	return 1
}

# Sets OBSTACLE, the reason why there is no cluster, or starts one.
slurm_setup() { # DIR
	OBSTACLE=$(slurm_obstacle)
	if [[ -z $OBSTACLE ]] && ! slurm_start "$1" >&2; then
		OBSTACLE="Slurm's daemons do not run here: $(tail -n 1 "$1/slurmctld.log" 2>/dev/null || true)"
	fi
	export OBSTACLE
}

slurm_stop() { # DIR
	local file pid
	for file in "$1"/slurmd-*.pid "$1/slurmctld.pid" "$1/munge/munged.pid"; do
		[[ -s $file ]] || continue
		pid=$(<"$file")
		kill "$pid" || true
		for _ in {1..50}; do # they still write there
			kill -0 "$pid" 2>/dev/null || break
			sleep 0.1
		done
	done
}

# For setup(), after helper.bash: the nodes are idle, and there is a folder suite for argument files.
slurm_stage() {
	driver_setup
	skip_obstacle
	until_so slurm_all_idle
	ejec=$root/scripts/ejec.sh
	mkdir suite
}

# On a busy machine a node may not have answered in time, and is idle* then.
slurm_all_idle() { [[ $(sinfo -h -N -o %t | sort -u) == idle ]]; }

# A driver that waits until a file `go` or `go-NODE` is there, and writes results.
slurm_waiting_driver() {
	cat >driver <<-'END'
		#!/usr/bin/env bash
		[[ $* != *--plan* && $* != *--topology* && $* != *--version* ]] || exit 0
		while (($# > 2)); do
			[[ $1 != --json ]] || json=$2
			[[ $1 != --csv ]] || csv=$2
			shift
		done
		touch "$here/started-$SLURMD_NODENAME"
		until [[ -e $here/go || -e $here/go-$SLURMD_NODENAME ]]; do sleep 0.1; done
		touch "$csv" "$2"
		printf '{\n "interrupted": false\n}\n' >"$json"
	END
	chmod 755 driver
	echo 'kernels: null' >suite/a.args
	export AFFINITY=$PWD/driver here=$PWD
}

# Waits until something is so, for at most two minutes of a busy machine.
until_so() { # COMMAND...
	for _ in {1..1200}; do
		! "$@" >/dev/null 2>&1 || return 0
		sleep 0.1
	done
	echo "in vain: $*"
	squeue
	return 1
}
