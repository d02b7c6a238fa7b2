/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the kernel's account of CPU time. */
#include "system/load.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/proc.h"
#include "memory/cgroup.h"

#define KTHREAD 0x00200000u /* PF_KTHREAD among the flags of /proc/PID/stat, since Linux 2.6.27 */

/* Adds the ticks of a thread of the kernel. Those of ksoftirqd are among the machine's for soft
 * interrupts. */
static void add_kernel(void *with, int process)
{
	double *sum = with;
	struct proc_stat s;

	if (proc_stat(process, 0, &s) || !(s.flags & KTHREAD))
		return;
	*sum = isnan(*sum) ? 0 : *sum;
	if (strncmp(s.name, "ksoftirqd/", 10) != 0)
		*sum += (double)(s.user + s.system);
}

/* Of all threads of the kernel; NAN: none is shown. */
static double ticks_of_kernel(void)
{
	double sum = NAN;

	proc_each("/proc", add_kernel, &sum);
	return sum;
}

void load_take(struct load *l)
{
	unsigned long long user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, softirq = 0,
			   steal = 0;
	double tick = 1.0 / (double)sysconf(_SC_CLK_TCK);
	struct rusage r;
	FILE *f = fopen("/proc/stat", "r");

	*l = (struct load){0};
	quota_take(CGROUP_SELF, &l->quota);
	if (f && fscanf(f, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &user, &nice, &system,
			 &idle, &wait, &irq, &softirq, &steal) == 8) {
		l->busy_s = (double)(user + nice + system + irq + softirq) * tick;
		l->steal_s = (double)steal * tick;
		l->all_s = l->busy_s + l->steal_s + (double)(idle + wait) * tick;
		l->kernel_s = ((double)(irq + softirq) + ticks_of_kernel()) * tick;
	}
	if (f)
		fclose(f);
	getrusage(RUSAGE_SELF, &r);
	l->own_s = (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
		   (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec) * 1e-6;
}

/* Ticks are coarse (10 ms): a short run can seem to have used more CPU time than the whole machine.
 */
struct load_share load_since(const struct load *before)
{
	struct load_share share = {0};
	struct load now;

	load_take(&now);
	share.quota_cpus = fmin(before->quota.cpus, now.quota.cpus);
	share.periods = now.quota.periods - before->quota.periods;
	share.throttled_s = (double)(now.quota.throttled_ns - before->quota.throttled_ns) * 1e-9;
	double all = now.all_s - before->all_s;
	double others = (now.busy_s - before->busy_s) - (now.own_s - before->own_s);
	if (all <= 0)
		return share;
	share.steal = (now.steal_s - before->steal_s) / all;
	share.others = others > 0 ? others / all : 0;
	const double kernel = (now.kernel_s - before->kernel_s) / all;
	share.kernel = isnan(kernel) ? NAN : fmin(fmax(kernel, 0), share.others);
	return share;
}
