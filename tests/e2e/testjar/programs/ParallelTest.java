package com.acme;

import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that run at the same time: each waits for the others, before its calls and after them. */
class ParallelTest {
    private static final CyclicBarrier ALL = new CyclicBarrier(3);

    @BeforeEach void before() { new Dao().query("before", 0); }

    @Test void asks() throws Exception {
        ALL.await();
        new Handler().get(1);
        ALL.await();
    }

    @Test void asksOnAnotherThread() throws Exception {
        ALL.await();
        Thread thread = new Thread(() -> new Handler().list());
        thread.start();
        thread.join();
        ALL.await();
    }

    @Test void asksNothing() throws Exception {
        ALL.await();
        ALL.await();
    }
}
