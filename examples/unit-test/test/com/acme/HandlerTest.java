package com.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import copse.test.Copse;
import copse.test.ExpectCalls;
import copse.test.MatchesBaseline;
import copse.test.Recording;
import org.junit.jupiter.api.Test;

class HandlerTest {
    private final Handler handler = new Handler();

    @Test
    @ExpectCalls(of = "com.acme.Dao.query", under = "Handler.get", exactly = 1)
    void anOrderTakesOneQuery() {
        assertTrue(handler.get(7).startsWith("order"));
    }

    /** Fails: there are N + 1. */
    @Test
    @ExpectCalls(of = "com.acme.Dao.query", atMost = 1)
    void aListTakesOneQuery() {
        assertTrue(handler.list().startsWith("order"));
    }

    @Test
    void aListAsksForEachOrder() {
        Recording recording = Copse.record(() -> handler.list());
        assertEquals(11, recording.calls("Dao.query"));
        assertEquals(10, recording.calls("Dao.query under Handler.get"), () -> recording.tree("Dao.query"));
    }

    /** The file is in the repository; run -Dcopse.baseline=write writes it anew. */
    @Test
    @MatchesBaseline("baselines/an_order.json")
    void anOrderCallsWhatItDidBefore() {
        handler.get(7);
    }
}
