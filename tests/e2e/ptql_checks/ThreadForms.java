import java.util.Date;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Right code in the forms that programs with threads have; Forms runs it. */
class ThreadForms {
    static class Queue {
        final ReentrantLock lock = new ReentrantLock();
        final Condition filled = lock.newCondition();
        int size;

        int size() { return size; }
        boolean isEmpty() { return size() == 0; }

        void put() {
            lock.lock();
            try {
                ++size;
                filled.signal();
            } finally {
                lock.unlock();
            }
        }

        int take() throws InterruptedException {
            lock.lock();
            try {
                while (isEmpty()) filled.await();
                return --size;
            } finally {
                lock.unlock();
            }
        }

        boolean hasTaker() {
            lock.lock();
            try {
                return lock.hasWaiters(filled);
            } finally {
                lock.unlock();
            }
        }
    }

    static class LoudQueue extends Queue {
        @Override int size() { return super.size(); }
        @Override boolean isEmpty() { return super.isEmpty(); }
        @Override int take() throws InterruptedException { return super.take(); }
    }

    static class Stock {
        int count;
        synchronized void add(Stock other) {
            synchronized (other) {
                ++count;
            }
        }
    }

    static class LoudStock extends Stock {
        @Override synchronized void add(Stock other) { super.add(other); }
    }

    static void threads() throws Exception {
        Queue queue = new LoudQueue();
        Thread taker = new Thread(() -> {
            try {
                System.out.println("left: " + queue.take());
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }, "taker");
        taker.start();
        while (!queue.hasTaker()) Thread.yield();
        queue.put();
        taker.join();
        Stock first = new LoudStock();
        Stock second = new LoudStock();
        for (int i = 0; i < 2; ++i) {
            Thread adder = new Thread(() -> first.add(second), "adder-" + i);
            adder.start();
            adder.join();
        }
        for (int i = 0; i < 2; ++i) {
            Thread clerk = new Thread(() -> System.out.println("year: " + new Forms.Stamp().format(new Date(0)).length()), "clerk-" + i);
            clerk.start();
            clerk.join();
        }
        Map<String, Integer> prices = new ConcurrentHashMap<>();
        CountDownLatch both = new CountDownLatch(2);
        Thread[] clerks = new Thread[2];
        for (int i = 0; i < clerks.length; ++i) {
            clerks[i] = new Thread(() -> {
                if (prices.get("tea") == null) {
                    both.countDown();
                    synchronized (prices) {
                        if (prices.get("tea") == null) prices.put("tea", 3);
                    }
                }
            }, "pricer-" + i);
            clerks[i].start();
        }
        for (Thread clerk : clerks) clerk.join();
        System.out.println("prices: " + prices.size());
    }
}
