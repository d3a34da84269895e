package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
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
 */
final class CopseWord {
    private CopseWord() {}

    private static final int ADDED_FIELD = 1;  // WordPlace in thread_fields.h, like the next three
    private static final int STACK_SIZE = 2;
    private static final int HOLDERS_STACK_SIZE = 3;
    private static final int HEADER = 4;

    /* Written once by start(); the JIT treats non-zero values as constants. */
    @Stable private static Unsafe unsafe;
    @Stable private static int place;
    @Stable private static long holderOffset;  // of Thread's field, at that place
    @Stable private static long headerOffset;  // of the word in the header
    @Stable private static long fieldOffset;   // of the word in what has the field
    @Stable private static boolean started;

    /* Of isKept(), which may end with another place. */
    @Stable private static long triedHolder;
    @Stable private static long triedOffset;

    /**
     * Tells whether code finds in a thread's field what was stored there since it last looked, compiled or not. The
     * field is final, and a compiler that trusts final fields goes on with what it read first. Called before start(),
     * by a platform thread whose field no probe uses yet.
     */
    static boolean isKept(long wordPlace) throws ClassNotFoundException {
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

    private static boolean isKept(Thread thread, long word) {
        store(thread, word);
        if (tried(thread) != word) return false;
        storeElsewhere(thread, -word);
        return tried(thread) == -word;
    }

    @ForceInline
    private static Object ownerOfTried(Thread thread) {
        return triedHolder == 0 ? thread : unsafe.getReference(thread, triedHolder);
    }

    @ForceInline
    private static long tried(Thread thread) {
        return unsafe.getLong(ownerOfTried(thread), triedOffset);
    }

    @ForceInline
    private static void store(Thread thread, long word) {
        unsafe.putLong(ownerOfTried(thread), triedOffset, word);
    }

    /* As a callee does that is not inlined. */
    @DontInline
    private static void storeElsewhere(Thread thread, long word) {
        store(thread, word);
    }

    private static Class<?> ownerOfField(int place) throws ClassNotFoundException {
        return place == HOLDERS_STACK_SIZE ? Class.forName("java.lang.Thread$FieldHolder") : Thread.class;
    }

    /** Returns the offset of the field that words are in, in what has the field. */
    static long offset(long wordPlace) throws ClassNotFoundException {
        Class<?> owner = ownerOfField((int) wordPlace);
        return Unsafe.getUnsafe().objectFieldOffset(owner, wordPlace == ADDED_FIELD ? "copse$word" : "stackSize");
    }

    /** Called once by the agent. A word in a field must be one, or no probe has run that has a use for it. */
    static void start(long wordPlace, long offsetInHeader) throws ClassNotFoundException {
        unsafe = Unsafe.getUnsafe();
        place = (int) wordPlace;
        headerOffset = offsetInHeader;
        if (place == HOLDERS_STACK_SIZE) holderOffset = unsafe.objectFieldOffset(Thread.class, "holder");
        if (place != HEADER) fieldOffset = offset(place);
        started = true;
    }

    @ForceInline
    static boolean isStarted() {
        return started;
    }

    /** The running thread's. */
    @ForceInline
    static long of(Thread thread) {
        if (place == HEADER) return inHeader(CopseThread.header());
        if (place != HOLDERS_STACK_SIZE) return unsafe.getLong(thread, fieldOffset);
        Object holder = unsafe.getReference(thread, holderOffset);
        return holder != null ? unsafe.getLong(holder, fieldOffset) : ofVirtual();
    }

    @ForceInline
    static void set(Thread thread, long word) {
        if (place == HEADER) {
            setInHeader(CopseThread.headerIfAny(thread), word);
            return;
        }
        if (place != HOLDERS_STACK_SIZE) {
            unsafe.putLong(thread, fieldOffset, word);
            return;
        }
        Object holder = unsafe.getReference(thread, holderOffset);
        if (holder != null) {
            unsafe.putLong(holder, fieldOffset, word);
        } else {
            setOfVirtual(thread, word);
        }
    }

    private static long ofVirtual() {
        return inHeader(CopseThread.header());
    }

    private static void setOfVirtual(Thread thread, long word) {
        setInHeader(CopseThread.headerIfAny(thread), word);
    }

    /** The word in a header, which is 0 where there is none. */
    @ForceInline
    static long inHeader(long header) {
        return header == 0 ? 0 : unsafe.getLong(null, header + headerOffset);
    }

    /**
     * A compiler leaves out stores between which nothing happens that it knows of. Where words are read
     * meanwhile it must not, or what it compiles into its caller is never seen running. A thread has a header
     * since of(), which makes it; to look for one here as well would leave a call in every probe.
     */
    @ForceInline
    private static void setInHeader(long header, long word) {
        if (header != 0) unsafe.putLongOpaque(null, header + headerOffset, word);
    }
}
