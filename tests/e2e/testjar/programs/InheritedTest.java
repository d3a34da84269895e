package com.acme;

import copse.test.ExpectCalls;
import copse.test.MatchesBaseline;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/** Tests under expectations that are not on themselves; their names say how they end. Each of them makes four calls. */
class InheritedTest extends Expecting implements ExpectingToo {
    @Test void failsByTheSuperclassAndTheInterface() { Four.calls(); }

    /** Annotations of methods are not inherited, as with JUnit. */
    @Test
    @Override
    public void failsByTheTypesAlone() { Four.calls(); }

    @Nested
    @ExpectCalls(of = "Dao.query", atMost = 0)
    class Inner {
        @Test void failsByTheEnclosingClassesToo() { Four.calls(); }

        @Nested
        @TestInstance(TestInstance.Lifecycle.PER_CLASS)
        class Innermost {
            @RepeatedTest(2) void eachTime() { Four.calls(); }
        }
    }
}

@ExpectCalls(of = "Dao.query", atMost = 1)
@ExpectCalls(of = "Dao.query", atMost = 2)
abstract class Expecting {
    @Nested
    class Inherited {
        @Test void failsInANestedClassOfTheSuperclass() { Four.calls(); }
    }
}

@ExpectCalls(of = "Dao.query", atMost = 3)
interface ExpectingToo {
    @Test
    @ExpectCalls(of = "Dao.query", exactly = 5)
    default void failsByItsMethod() { Four.calls(); }

    @Test
    @ExpectCalls(of = "Dao.query", exactly = 5)
    default void failsByTheTypesAlone() { Four.calls(); }
}

@Retention(RetentionPolicy.RUNTIME)
@ExpectCalls(of = "Dao.query", atMost = 1)
@interface AtMostOne {}

@Retention(RetentionPolicy.RUNTIME)
@MatchesBaseline("missing.json")
@interface AsBefore {}

@AtMostOne
class ComposedTest {
    @Test void failsByTheAnnotationOfTheClass() { Four.calls(); }

    @Test @AsBefore void failsByABaselineAsWell() { Four.calls(); }

    static class StandaloneTest {
        @Test void passesSinceItIsNotNested() { Four.calls(); }

        @Test @AtMostOne void failsByTheAnnotationOfTheMethod() { Four.calls(); }
    }
}

class DynamicsTest {
    @TestFactory
    @ExpectCalls(of = "Dao.query", exactly = 4)
    List<DynamicNode> dynamic() {
        new Handler().get(7);  // does not count
        return List.of(DynamicTest.dynamicTest("passesDynamically()", Four::calls),
            DynamicContainer.dynamicContainer("more", List.of(
                DynamicTest.dynamicTest("failsDynamically()", () -> new Handler().get(1)))));
    }
}

class Four {
    static void calls() { for (int i = 0; i < 4; i++) new Handler().get(i); }
}
