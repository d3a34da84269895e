package copse.test;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Compares the calls of a test method with a recording in a file. With the system property {@code
 * copse.baseline=write}, or COPSE_BASELINE=write in the environment, the file is written instead.
 *
 * <p>Contexts are compared by the names of their methods alone (Recording.newContextsSince).
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(CopseExtension.class)
public @interface MatchesBaseline {
    /**
     * The file: a path as seen from the folder that the tests run in. It may also be a baseline as text, which
     * {@code copse baseline save} writes of such a file. That is never written by a test.
     */
    String value();

    /** What the numbers of calls may be. */
    Counts counts() default Counts.NO_MORE;

    /** Of all threads; otherwise that of the test. Where JUnit runs tests in parallel, the test must be isolated. */
    boolean allThreads() default false;

    enum Counts {
        /** The same contexts, each as often. */
        SAME,
        /** No context is new, and none is called more often. */
        NO_MORE,
        /** No context is new. Of a file that is a report of a whole run, there is nothing else. */
        ANY
    }
}
