/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which threads are bound to which node, on a machine of eight nodes of eight CPUs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake.h"

enum { THREADS = 64 };

static struct spm *s;

static int begin(void **state)
{
	return fake_reset(state);
}

static int end(void **state)
{
	(void)state;
	spm_end(s);
	s = NULL;
	return 0;
}

static void start(enum spm_lock_mode lock)
{
	struct spm_config c = fake_eager();

	c.lock = lock;
	s = fake_init(&c);
}

/* The node whose eight CPUs the thread may use, and no others; -1: all CPUs, -2: something else. */
static int bound_to(void)
{
	struct spm_cpus cpus;
	size_t first = 0, n = 0;

	fake_get_cpus(&cpus);
	while (first < SPM_CPUS && !spm_cpus_has(&cpus, first))
		first++;
	for (size_t i = 0; i < SPM_CPUS; i++)
		n += spm_cpus_has(&cpus, i);
	if (n == SPM_CPUS)
		return -1;
	return n == 8 && first % 8 == 0 && spm_cpus_has(&cpus, first + 7) ? (int)first / 8 : -2;
}

static int node_of_thread[THREADS], freed_to[THREADS];

static void *lock_and_unlock(void *arg)
{
	int *node = arg;

	assert_int_equal(spm_lock(s), 0);
	*node = bound_to();
	assert_int_equal(spm_unlock(s), 0);
	freed_to[node - node_of_thread] = bound_to();
	return NULL;
}

static void run_threads(int n)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < n; i++)
		assert_int_equal(
			pthread_create(&threads[i], NULL, lock_and_unlock, &node_of_thread[i]), 0);
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
}

static void test_round_robin(void **state)
{
	int count[FAKE_NODES] = {0};

	(void)state;
	start(SPM_LOCK_NODE_RR);
	run_threads(THREADS);
	for (int i = 0; i < THREADS; i++) {
		assert_true(node_of_thread[i] >= 0 && node_of_thread[i] < FAKE_NODES);
		count[node_of_thread[i]]++;
		assert_int_equal(freed_to[i], -1);
	}
	for (int n = 0; n < FAKE_NODES; n++)
		assert_int_equal(count[n], THREADS / FAKE_NODES);
}

/* A thread keeps its node when it is bound again. */
static void test_again(void **state)
{
	int node;

	(void)state;
	start(SPM_LOCK_NODE_RR);
	spm_lock(s);
	node = bound_to();
	spm_unlock(s);
	run_threads(FAKE_NODES);
	spm_lock(s);
	assert_int_equal(bound_to(), node);
	spm_unlock(s);
	assert_int_equal(bound_to(), -1);
}

static void test_none(void **state)
{
	(void)state;
	start(SPM_LOCK_NONE);
	spm_lock(s);
	assert_int_equal(bound_to(), -1);
}

static void test_current(void **state)
{
	struct spm_counts c;

	(void)state;
	start(SPM_LOCK_NODE_CURRENT);
	fake_runs_on = 5;
	spm_lock(s);
	assert_int_equal(bound_to(), 5);
	assert_int_equal(spm_counts(s, &c, 1), 1);
	assert_int_equal(c.node, 5);
	spm_unlock(s);
	assert_int_equal(bound_to(), -1);
	spm_counts(s, &c, 1);
	assert_int_equal(c.node, -1);
}

/* A thread that was bound before gets its own CPUs back. */
static void test_restored(void **state)
{
	struct spm_cpus own = {{0xf0}}, after;

	(void)state;
	start(SPM_LOCK_NODE_RR);
	fake_set_cpus(&own);
	spm_lock(s);
	spm_lock(s);
	assert_int_equal(bound_to(), 0);
	spm_unlock(s);
	fake_get_cpus(&after);
	assert_memory_equal(&own, &after, sizeof(own));
	fake_bound = false;
	spm_unlock(s); /* a second one does nothing */
	assert_int_equal(bound_to(), -1);
}

static void call(size_t first, size_t pages)
{
	spm_call(s, fake_address(first, 0), 0, (long)(pages * s->page_bytes) - 1, 1000, 8);
}

static void test_only_if_migrated(void **state)
{
	(void)state;
	start(SPM_LOCK_ONLY_IF_MIGRATED);
	fake_runs_on = 0;
	spm_lock(s);
	call(10, 5); /* there already */
	assert_int_equal(bound_to(), -1);
	fake_runs_on = 3;
	call(10, 5);
	assert_int_equal(bound_to(), 3);
	spm_unlock(s);
	assert_int_equal(bound_to(), -1);
}

static void test_migrated_before(void **state)
{
	(void)state;
	start(SPM_LOCK_ONLY_IF_MIGRATED);
	fake_runs_on = 4;
	call(10, 5);
	assert_int_equal(bound_to(), -1); /* nobody has asked for a lock */
	spm_lock(s);
	assert_int_equal(bound_to(), 4);
}

/* A batch system's share: CPUs of nodes 2 and 6 only. */
static void test_share(void **state)
{
	struct spm_cpus share = {{0x00ff000000ff0000}};

	(void)state;
	fake_set_cpus(&share);
	start(SPM_LOCK_NODE_RR);
	spm_lock(s);
	assert_int_equal(bound_to(), 2);
	run_threads(2);
	assert_int_equal(node_of_thread[0] + node_of_thread[1], 6 + 2);
}

static int refuse(const struct spm_cpus *cpus)
{
	(void)cpus;
	errno = EPERM;
	return -1;
}

static void test_refused(void **state)
{
	struct spm_system forbidden = fake_system;
	struct spm_config c = fake_eager();
	struct spm_counts counts;
	char message[256];

	(void)state;
	c.lock = SPM_LOCK_NODE_RR;
	forbidden.set_cpus = refuse;
	s = spm_init_on(&c, &forbidden, fake_root, message, sizeof(message));
	assert_int_equal(spm_lock(s), -1);
	assert_int_equal(errno, EPERM);
	spm_counts(s, &counts, 1);
	assert_int_equal(counts.node, -1);
	assert_int_equal(spm_unlock(s), 0);
}

#define TEST(text, function)                                                                   \
	{                                                                                      \
		.name = text, .test_func = function, .setup_func = begin, .teardown_func = end \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("64 threads in turn are 8 on each of 8 nodes", test_round_robin),
		TEST("a thread keeps its node when it is bound again", test_again),
		TEST("without a lock no thread is bound", test_none),
		TEST("a thread is bound where it runs", test_current),
		TEST("a thread gets back the CPUs that it had", test_restored),
		TEST("only threads whose pages moved are bound", test_only_if_migrated),
		TEST("a lock after a move binds to its node", test_migrated_before),
		TEST("nodes without CPUs of the process have no turn", test_share),
		TEST("a lock that is refused leaves the thread free", test_refused),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("lock", tests, fake_machine, fake_free);
}
