package copse;

/**
 * The probes' slow paths. A class of its own outside java.base, because registering natives on a
 * class of java.base makes the JVM print a warning.
 */
public final class CopseNative {
    private CopseNative() {}

    /** Is never bound: shows what the JVM stores for such a method (src/agent/jvm/hotspot/bound_functions.h). */
    static native void unbound();

    /** The address of the header of a thread that had none. */
    public static native long attach(Thread thread);

    /** The thread of a header, which is not running, waits for somebody. */
    public static native void parked(long header);

    /** A virtual thread has ended; its header's address is 0 when it had none. */
    public static native void ended(long threadId, long header, String name);

    /**
     * The address of the node that the method has in the slot at an address, made if need be. Probes
     * that build trees only (tree).
     */
    public static native long place(long header, long slot, int method);

    /** Begins an excerpt of a thread's calls, or of all threads', where its word stands; the slot for its next callee. */
    public static native long beginExcerpt(long header, long slot, boolean ofAllThreads);

    /** The thread's excerpt with that slot, which ends (CopseExcerpt, as all three below); null when recording has ended. */
    public static native byte[] endExcerpt(long header, long slot);

    public static native byte[] methods(int known);

    public static native byte[] skipped();

    public static native long site(int method, int site);

    /** Hands over the full packet of a header and gives it an empty one. */
    public static native void nextPacket(long header);

    /** The frame word of a callee, by its place, from where a word stands (id, as all below). */
    public static native long encode(long word, int callee);

    /** The id that a tool stores for the context of a frame's word, in the thread of a header; its program asked for it. */
    public static native long id(long header, long frame);

    /** An event of interest: the entry of a marked method. */
    public static native void mark(long header, long frame);

    /** The id of a frame's word is compared with the running thread's stack (id_word). */
    public static native void compareWithStack(long header, long frame);

    /** An allocation where a word stands, whose entry is not in its thread's table. */
    public static native void allocated(long header, long word, long bytes);

    /** The entry of a class's size, of which an object was just made. */
    public static native long sizeOf(int type);

    /** The thread throws an exception in a line of a method (CopseThrows, as the next). */
    public static native void throwing(Thread thread, Throwable exception, int method, int line);

    /** An exception comes to a handler of the method's, or ends it. {@code isLeaf}: its entry is leaf(). */
    public static native void arrives(Thread thread, Throwable exception, int method, boolean isCaught, boolean isLeaf);

    /** An argument of the method that the thread is about to enter (CopseValues, as all below). */
    public static native void takeInt(int parameter, int value);

    public static native void takeLong(int parameter, long value);

    public static native void takeDouble(int parameter, double value);

    public static native void takeObject(Thread thread, int parameter, Object value);

    /** The number of the invocation; 0 where it is not recorded. */
    public static native long entered(Thread thread, int method);

    public static native long enteredOn(Thread thread, Object receiver, int method);

    public static native void constructed(Thread thread, Object object, long invocation);

    public static native void returned(Thread thread, long invocation);

    public static native void returnedInt(Thread thread, int result, long invocation);

    public static native void returnedLong(Thread thread, long result, long invocation);

    public static native void returnedDouble(Thread thread, double result, long invocation);

    public static native void returnedObject(Thread thread, Object result, long invocation);

    public static native void thrown(Thread thread, Object exception, long invocation);
}
