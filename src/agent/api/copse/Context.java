package copse;

/**
 * The calling context a program stands in, as one number: for log lines, traces, metrics.
 *
 * <p>Under {@code copse ids --encoder segment} every different chain of call sites and methods has a
 * number of its own; {@code copse decode FILE NUMBER} gives the chain back, in another
 * process and long after. Without Copse, or in a run that keeps no ids, the number is 0.
 *
 * <p>Costs some 15 nanoseconds under Copse, nothing without. Thread-safe.
 */
public final class Context {
    private Context() {}

    /** The number of the chain that ends with this call; 0: none. */
    public static long id() {
        return 0; // replaced by Copse
    }
}
