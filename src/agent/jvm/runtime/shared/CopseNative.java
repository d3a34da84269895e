package copse;

import jdk.internal.vm.annotation.Hidden;

/**
 * The probes' slow paths. A class of its own outside java.base, because registering natives on a
 * class of java.base makes the JVM print a warning.
 */
public final class CopseNative {
    private CopseNative() {}

    /** Is never bound: shows what the JVM stores for such a method (src/agent/jvm/hotspot/bound_functions.h). */
    @Hidden static native void unbound();

    /** Returns the address of a new header for a thread that had none. */
    @Hidden public static native long attach(Thread thread);

    /** Notes that the thread of a header, which is not running, is parked. */
    @Hidden public static native void parked(long header);

    /** Notes that the running thread begins to take or leave its carrier, or has done so. */
    @Hidden public static native void moves(boolean begins);

    /** Notes that the running thread starts a virtual thread. */
    @Hidden public static native void starts(Thread thread);

    /** Notes that a virtual thread has ended. `header`: 0 if it had none. */
    @Hidden public static native void ended(long threadId, long header, String name);

    /**
     * Returns the address of the method's node in the slot at an address, and makes it if needed. Only for
     * probes that build trees (tree/).
     */
    @Hidden public static native long place(long header, long slot, int method);

    /** Returns the slot of calls that the header's thread makes at its entry. */
    @Hidden public static native long entry(long header);

    /** Returns the thread's word once the frame of a constructor has ended by an exception. */
    @Hidden public static native long wordBehindConstructors(long header, long frame);

    /** Begins a slice at a frame, for beginSlice() of probes that build trees; ends it. */
    @Hidden public static native void beginSlice(long header, long frame, boolean isVirtual);

    @Hidden public static native void endSlice(long header, long frame);

    /** Begins a slice at a thread's word, for copse.Context. Returns its number; 0: none begins. Ends it. */
    @Hidden public static native long beginSliceHere(long header, long slot, String name, boolean isVirtual);

    @Hidden public static native void endSliceHere(long header, long slot, long slice);

    /**
     * The thread's open slice hands a task over, in one of the ways of CopseTasks (like the next five). Without one, and
     * with header 0, no slice does. Returns whether one did.
     */
    @Hidden public static native boolean handsOver(long header, long slot, Object task, int how);

    /** An object that was taken is not run: its last task, or the first. */
    @Hidden public static native void takesBack(Object task, boolean isLast);

    /** Returns the array inside an ArrayList, with null behind the elements; null: the list is another one. */
    @Hidden public static native Object[] elements(Object list);

    /** Takes back that the thread of a ThreadPoolExecutor.Worker was handed over. */
    @Hidden public static native void makesWorker(Object worker);

    @Hidden public static native void beginTask(long header, long slot, Object task, boolean isTaken, boolean isVirtual);

    /** {@code all}: of tasks that run one inside the other; else the innermost. */
    @Hidden public static native void endTask(long header, long slot, boolean all);

    /** Begins an excerpt (CopseExcerpt) at a thread's word. Returns the slot for its next callee. */
    @Hidden public static native long beginExcerpt(long header, long slot, int whose);

    /** Ends and returns the excerpt with that slot (CopseExcerpt, like the next three); null after recording. */
    @Hidden public static native byte[] endExcerpt(long header, long slot);

    @Hidden public static native byte[] methods(int known);

    @Hidden public static native byte[] skipped();

    @Hidden public static native long site(int method, int site);

    /** Hands over the full packet of a header and gives it an empty one. */
    @Hidden public static native void nextPacket(long header);

    /** Returns the frame word of a callee, by its place, in the context of a word. Used, like the next ones, by id/. */
    @Hidden public static native long encode(long word, int callee);

    /** Returns the id that a tool stores for the context of a frame's word, at the program's request. */
    @Hidden public static native long id(long header, long frame);

    /** Counts an event of interest: the entry of a marked method. */
    @Hidden public static native void mark(long header, long frame);

    /** Compares the id of a frame's word with the running thread's stack (id_word/). */
    @Hidden public static native void compareWithStack(long header, long frame);

    /** Counts an allocation at a word whose entry is not in its thread's table. */
    @Hidden public static native void allocated(long header, long word, long bytes);

    /** Returns the size entry of a class that an object was just made of. */
    @Hidden public static native long sizeOf(int type);

    /**
     * An exception comes to a handler of the method's, or ends it (CopseThrows). {@code line}: of the method's throw, -1 if
     * that has none; 0: another code threw it. {@code isLeaf}: its entry is leaf().
     */
    @Hidden public static native void arrives(Thread thread, Throwable exception, int method, int line, boolean isCaught,
        boolean isLeaf);

    /** An argument of the method that the thread is about to enter (CopseValues, like the next methods). */
    @Hidden public static native void takeInt(int parameter, int value);

    @Hidden public static native void takeLong(int parameter, long value);

    @Hidden public static native void takeDouble(int parameter, double value);

    @Hidden public static native void takeObject(Thread thread, int parameter, Object value);

    /** The number of the invocation; 0 where it is not recorded. */
    @Hidden public static native long entered(Thread thread, int method);

    @Hidden public static native long enteredOn(Thread thread, Object receiver, int method);

    @Hidden public static native void constructed(Thread thread, Object object, long invocation);

    @Hidden public static native void returned(Thread thread, long invocation);

    @Hidden public static native void returnedInt(Thread thread, int result, long invocation);

    @Hidden public static native void returnedLong(Thread thread, long result, long invocation);

    @Hidden public static native void returnedDouble(Thread thread, double result, long invocation);

    @Hidden public static native void returnedObject(Thread thread, Object result, long invocation);

    @Hidden public static native void thrown(Thread thread, Object exception, long invocation);
}
