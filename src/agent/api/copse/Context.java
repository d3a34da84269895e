package copse;

/**
 * Asks Copse for the running thread's calling context, and tells it of slices.
 *
 * <p>{@link #id()} is the calling context a program stands in, as one number: for log lines, traces, metrics.
 * Under {@code copse ids --encoder segment} every different chain of call sites and methods has a
 * number of its own; {@code copse decode FILE NUMBER} gives the chain back, in another
 * process and long after. Without Copse, or in a run that keeps no ids, the number is 0. It costs some 15 nanoseconds
 * under Copse, nothing without.
 *
 * <p>{@link #slice} marks a request, a tick or a transaction under {@code copse run} and {@code copse attach}.
 * Without Copse it does nothing.
 *
 * <p>Thread-safe.
 */
public final class Context {
    private Context() {}

    /** The number of the chain that ends with this call; 0: none. */
    public static long id() {
        return 0; // replaced by Copse
    }

    /**
     * Begins a slice of the running thread: the calls that it makes until {@link Slice#close} have a tree of their own.
     * Inside another slice of the thread it does nothing.
     *
     * <pre>{@code
     * try (Context.Slice slice = Context.slice("order")) {
     *     ...
     * }
     * }</pre>
     *
     * <p>The method that begins a slice also closes it, on the same thread.
     *
     * @param name of this kind of slices, not of one: reports have sums by name
     */
    public static Slice slice(String name) {
        long slice = begin(name);
        return slice == 0 ? Slice.NONE : new Slice(slice);
    }

    /** The number of the slice that began; 0: none. */
    private static long begin(String name) {
        return 0; // replaced by Copse
    }

    /** Ends the slice with that number if the running thread is in it. */
    static void end(long slice) {} // Copse adds to it

    /** A slice that lasts until it is closed. */
    public static final class Slice implements AutoCloseable {
        static final Slice NONE = new Slice(0);

        private final long number;

        Slice(long number) {
            this.number = number;
        }

        /** Ends the slice. Does nothing the second time. */
        @Override
        public void close() {
            if (number != 0) end(number);
        }
    }
}
