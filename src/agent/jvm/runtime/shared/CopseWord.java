package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.Hidden;
import jdk.internal.vm.annotation.Stable;

/**
 * Where a thread's context word is, for probes that build trees or keep ids.
 *
 * It is in a field, because JIT compilers know fields and not what lies outside the heap: where a callee is
 * inlined, its entry has the word that its caller stored without loading it, and what is stored twice is
 * stored once. And the header, which only slow paths need, need not be found by every entry and kept by
 * every frame. With --jdk the agent adds the field to Thread. Otherwise the word is in a field that is unused
 * once the thread runs: Thread.stackSize, or from JDK 19 on that of Thread.holder. Virtual threads have no holder;
 * their word is in the header.
 *
 * Where a collector moves objects at any time, words that handlers of signals read are in the header, too.
 *
 * No method of probes is @ForceInline. Where a probe is too deep in what C2 inlines, C2 would inline such methods last, and
 * report instructions of the program as theirs (JDK-8201516), by which samples would count for the wrong method. What
 * probes call on the fast path is small enough for C1 to inline: 35 bytes, nine tenths of that one level deeper, and so on.
 *
 * If other threads read words, all stores are opaque. A compiler drops a plain store, or moves it behind a loop, if it
 * sees no reader, and they would find the caller of what it inlined.
 */
final class CopseWord {
    private CopseWord() {}

    private static final int ADDED_FIELD = 1;  // WordPlace in thread_fields.h, like the next three
    private static final int STACK_SIZE = 2;
    private static final int HOLDERS_STACK_SIZE = 3;
    private static final int HEADER = 4;
    private static final int PLAIN_IN_THREAD = 1;  // ways to store a word
    private static final int PLAIN_IN_HOLDER = 2;
    private static final int OTHER = 3;

    /* Written once by start(); the JIT treats non-zero values as constants. */
    @Stable private static Unsafe unsafe;
    @Stable private static int place;
    @Stable private static long holderOffset;  // of Thread's field, at that place
    @Stable private static long headerOffset;  // of the word in the header
    @Stable private static long fieldOffset;   // of the word in what has the field
    @Stable private static int way;
    @Stable private static boolean started;

    /* Of isKept(), which may end with another place. */
    @Stable private static long triedHolder;
    @Stable private static long triedOffset;

    /**
     * Tells whether code finds in a thread's field what was stored there since it last looked, compiled or not. The
     * field is final, and a compiler that trusts final fields goes on with what it read first. Called before start(),
     * by a platform thread whose field no probe uses yet.
     */
    @Hidden static boolean isKept(long wordPlace) throws ClassNotFoundException {
        unsafe = Unsafe.getUnsafe();
        if (wordPlace == HOLDERS_STACK_SIZE) triedHolder = unsafe.objectFieldOffset(Thread.class, "holder");
        triedOffset = unsafe.objectFieldOffset(ownerOfField((int) wordPlace), "stackSize");
        Thread thread = Thread.currentThread();
        long before = tried(thread);
        // The compilers have come to the methods of the trial by then.
        long rounds = 20_000;
        long end = System.nanoTime() + 30_000_000;
        long word = 1;
        while (isKept(thread, word) && (word < rounds || System.nanoTime() < end)) word++;
        boolean kept = isKept(thread, word);
        store(thread, before);
        return kept;
    }

    @Hidden private static boolean isKept(Thread thread, long word) {
        store(thread, word);
        if (tried(thread) != word) return false;
        storeElsewhere(thread, -word);
        return tried(thread) == -word;
    }

    @Hidden private static Object ownerOfTried(Thread thread) {
        return triedHolder == 0 ? thread : unsafe.getReference(thread, triedHolder);
    }

    @Hidden private static long tried(Thread thread) {
        return unsafe.getLong(ownerOfTried(thread), triedOffset);
    }

    @Hidden private static void store(Thread thread, long word) {
        unsafe.putLong(ownerOfTried(thread), triedOffset, word);
    }

    /* As a callee does that is not inlined. */
    @DontInline
    @Hidden private static void storeElsewhere(Thread thread, long word) {
        store(thread, word);
    }

    @Hidden private static Class<?> ownerOfField(int place) throws ClassNotFoundException {
        return place == HOLDERS_STACK_SIZE ? Class.forName("java.lang.Thread$FieldHolder") : Thread.class;
    }

    /** Returns the offset of the field that words are in, in what has the field. */
    @Hidden static long offset(long wordPlace) throws ClassNotFoundException {
        Class<?> owner = ownerOfField((int) wordPlace);
        return Unsafe.getUnsafe().objectFieldOffset(owner, wordPlace == ADDED_FIELD ? "copse$word" : "stackSize");
    }

    /**
     * Called once by the agent. A word in a field must be one, or no probe has run that has a use for it. {@code areRead}
     * not 0: other threads read them.
     */
    @Hidden static void start(long wordPlace, long offsetInHeader, long areRead) throws ClassNotFoundException {
        unsafe = Unsafe.getUnsafe();
        place = (int) wordPlace;
        way = areRead != 0 || place == HEADER ? OTHER : place == HOLDERS_STACK_SIZE ? PLAIN_IN_HOLDER : PLAIN_IN_THREAD;
        headerOffset = offsetInHeader;
        if (place == HOLDERS_STACK_SIZE) holderOffset = unsafe.objectFieldOffset(Thread.class, "holder");
        if (place != HEADER) fieldOffset = offset(place);
        started = true;
    }

    /**
     * A later recording reads words from other threads. Code compiled before stores them plainly, but the program's classes
     * get their probes after this call, and are compiled anew.
     */
    @Hidden static void areRead() {
        way = OTHER;
    }

    @Hidden static boolean isStarted() {
        return started;
    }

    /** The running thread's. */
    @Hidden static long of(Thread thread) {
        return way == PLAIN_IN_THREAD ? unsafe.getLong(thread, fieldOffset) : ofElsewhere(thread);
    }

    @Hidden private static long ofElsewhere(Thread thread) {
        Object holder = holderOf(thread);
        return holder != null ? unsafe.getLong(holder, fieldOffset) : ofOther(thread);
    }

    @Hidden private static long ofOther(Thread thread) {
        Object owner = ownerOf(thread);
        return owner != null ? unsafe.getLong(owner, fieldOffset) : inHeader(CopseThread.header());
    }

    @Hidden static void set(Thread thread, long word) {
        if (way == PLAIN_IN_THREAD) {
            unsafe.putLong(thread, fieldOffset, word);
        } else {
            setElsewhere(thread, word);
        }
    }

    @Hidden private static void setElsewhere(Thread thread, long word) {
        Object holder = holderOf(thread);
        if (holder != null) {
            unsafe.putLong(holder, fieldOffset, word);
        } else {
            setOther(thread, word);
        }
    }

    /** Null of a virtual thread, and if words are not stored there so. */
    @Hidden private static Object holderOf(Thread thread) {
        return way == PLAIN_IN_HOLDER ? unsafe.getReference(thread, holderOffset) : null;
    }

    @Hidden private static void setOther(Thread thread, long word) {
        Object owner = ownerOf(thread);
        if (owner != null) {
            unsafe.putLongOpaque(owner, fieldOffset, word);
        } else {
            setInHeader(CopseThread.headerIfAny(thread), word);
        }
    }

    /** What has the field with the thread's word; null: the word is in the header. */
    @Hidden private static Object ownerOf(Thread thread) {
        if (place == HEADER) return null;
        return place == HOLDERS_STACK_SIZE ? unsafe.getReference(thread, holderOffset) : thread;
    }

    /** The word in a header, which is 0 where there is none. */
    @Hidden static long inHeader(long header) {
        return header == 0 ? 0 : unsafe.getLong(null, header + headerOffset);
    }

    /** A thread has a header since of(), which makes it; to look for one here as well would leave a call in every probe. */
    @Hidden private static void setInHeader(long header, long word) {
        if (header != 0) unsafe.putLongOpaque(null, header + headerOffset, word);
    }
}
