package com.acme;

import copse.test.ExpectCalls;
import copse.test.MatchesBaseline;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Tests whose names say how they end. */
@ExpectCalls(of = "com.acme.Dao.query", atMost = 3)
class ExtensionTest {
    private final Handler handler = new Handler();

    // Does not count.
    @BeforeEach void before() { handler.list(); }
    @AfterEach void after() { handler.list(); }

    @RepeatedTest(2)
    @ExpectCalls(of = "Dao.query", exactly = 2)
    @ExpectCalls(of = "Handler.get", atLeast = 2, atMost = 2)
    void passesEachTime() {
        handler.get(1);
        handler.get(2);
    }

    @Test
    @ExpectCalls(of = "Handler.get", atLeast = 1)
    void failsAtLeastOne() {}

    @Test
    void failsByTheClass() { for (int i = 0; i < 4; i++) handler.get(i); }

    @Test
    @ExpectCalls(of = "Dao.query", exactly = 7)
    void failsByItself() { throw new IllegalStateException("its own failure"); }

    @Test
    @ExpectCalls(of = "Dao.query", exactly = 1)
    @ExpectCalls(of = "Dao.query", exactly = 3, allThreads = true)
    void passesInAllThreads() {
        handler.get(1);
        CompletableFuture.runAsync(() -> { handler.get(2); handler.get(3); }).join();
    }

    @Test
    @ExpectCalls(of = "Dao.query", exactly = 1, allThreads = true)
    void failsInAllThreads() { CompletableFuture.runAsync(() -> { handler.get(2); handler.get(3); }).join(); }

    @Test
    @ExpectCalls(of = "Dao.query")
    void failsWithoutBounds() {}

    @Test
    @ExpectCalls(of = "Dao.qery", atMost = 1)
    void failsByATypo() { handler.get(1); }

    @Test
    @ExpectCalls(of = "com.acme.Unused.never", atMost = 0)
    void passesThoughTheClassIsNotLoaded() { handler.get(1); }

    @Test
    @MatchesBaseline(value = "same.json", counts = MatchesBaseline.Counts.SAME)
    void baselineOfTheSame() { for (int i = 0; i < calls("same"); i++) handler.get(1); }

    @Test
    @MatchesBaseline("more.json")
    void baselineOfNoMore() { for (int i = 0; i < calls("more"); i++) handler.get(1); }

    @Test
    @MatchesBaseline(value = "any.json", counts = MatchesBaseline.Counts.ANY)
    void baselineOfAny() { for (int i = 0; i < calls("any"); i++) handler.get(1); }

    @Test
    @MatchesBaseline(value = "sameOfText.baseline", counts = MatchesBaseline.Counts.SAME)
    void textOfTheSame() { for (int i = 0; i < calls("same"); i++) handler.get(1); }

    @Test
    @MatchesBaseline("moreOfText.baseline")
    void textOfNoMore() { for (int i = 0; i < calls("more"); i++) handler.get(1); }

    @Test
    @MatchesBaseline(value = "anyOfText.baseline", counts = MatchesBaseline.Counts.ANY)
    void textOfAny() { for (int i = 0; i < calls("any"); i++) handler.get(1); }

    @Test
    @MatchesBaseline("missing.json")
    void missingBaseline() {}

    @Test
    @MatchesBaseline("broken.json")
    void brokenBaseline() {}

    private static int calls(String property) { return Integer.getInteger(property, 2); }
}

@Isolated
class IsolatedTest {
    @Test
    @ExpectCalls(of = "Dao.query", exactly = 1, allThreads = true)
    void passesAlone() { CompletableFuture.runAsync(() -> new Handler().get(1)).join(); }
}

class Unused {
    static void never() {}
}
