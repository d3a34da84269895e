package copse.test;

/**
 * Counts the calls that a piece of code makes, exactly, in a JVM that Copse records. For unit tests:
 *
 * <pre>
 *     Recording r = Copse.record(() -> handler.get(7));
 *     assertEquals(1, r.calls("com.acme.Dao.query"));
 *     assertEquals(0, r.calls("Dao.query under Handler.render"));
 * </pre>
 *
 * <p>The calls are in the run's own report as well. Recordings may be nested. One begins and ends on the same thread,
 * also on a virtual one. Where Copse does not record this JVM a test is aborted, which JUnit 5 shows as skipped;
 * without OpenTest4J on the class path there is an IllegalStateException.
 */
public final class Copse {
    private static final int OWN_CALLS = 0;  // CopseExcerpt
    private static final int ALL_THREADS = 1;
    private static final int TEST = 2;

    private Copse() {}

    /** Code to be recorded. */
    @FunctionalInterface
    public interface Body<E extends Exception> {
        void run() throws E;
    }

    /**
     * Records the calls of the running thread in the body. Contexts begin with what the body's caller calls. An
     * exception of the body is passed on to the caller, and the recording is lost. Cost: microseconds, plus time by
     * the number of contexts in the body.
     */
    public static <E extends Exception> Recording record(Body<E> body) throws E {
        return record(OWN_CALLS, body);
    }

    /**
     * Records the calls of all threads while the body runs: the running thread as in record(), others from their
     * first call on. A call that another thread began before the body is left out, but its callees meanwhile are
     * recorded. Cost: a pass over all contexts of live threads.
     */
    public static <E extends Exception> Recording recordAllThreads(Body<E> body) throws E {
        return record(ALL_THREADS, body);
    }

    /** As recordAllThreads(), without what other threads call in recordings of this kind. */
    static <E extends Exception> Recording recordTest(Body<E> body) throws E {
        return record(TEST, body);
    }

    /** Returns whether this JVM is recorded in a way that recordings can be made of. */
    public static boolean isAvailable() {
        return Agent.whyNot() == null;
    }

    private static <E extends Exception> Recording record(int whose, Body<E> body) throws E {
        byte[] bytes = null;
        long[] began = Agent.begin(whose);
        try {
            body.run();
        } finally {
            bytes = Agent.end(began);
        }
        if (bytes == null) throw new IllegalStateException("copse: the recording of this JVM has ended meanwhile");
        return new Recording(Excerpt.of(bytes), whose != OWN_CALLS);
    }
}
