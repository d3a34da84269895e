package java.lang;

import copse.CopseNative;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Stable;

/**
 * What instrumented methods call after each allocation, when all of them are counted: a thread's counts
 * lie in a small table of its own, by the word that stands for context and site
 * (src/context_id/allocation_counts.h describes it, src/agent/jvm/allocated_types.h the sizes).
 */
public final class CopseAllocations {
    private CopseAllocations() {}

    private static final int ALLOCATIONS = 40; // thread_header.h
    private static final int ENTRY_SHIFT = 6;  // allocation_counts.h, as all below
    private static final int COUNT = 8;
    private static final int BYTES = 16;
    private static final long LOG = 63;        // in the table's address
    private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;
    private static final int SIZE_SHIFT = 3;   // allocated_types.h, as all below
    private static final long KNOWN = 1;
    private static final int SCALE_BITS = 8;
    private static final int REFERENCE_ARRAY = 12;

    /* Written once by start(); the JIT treats non-zero values as constants. */
    @Stable private static Unsafe unsafe;
    @Stable private static long sizes;
    @Stable private static long alignment; // of objects, less one

    /** Called once by the agent, before CopseThread.start(). */
    static void start(long sizesAddress, long alignmentLessOne) {
        unsafe = Unsafe.getUnsafe();
        sizes = sizesAddress;
        alignment = alignmentLessOne;
    }

    /** After new. */
    public static void allocated(long frame, int site, int type) {
        if (frame == 0) return;
        long size = unsafe.getLong(null, sizes + ((long) type << SIZE_SHIFT));
        if (size == 0) size = CopseNative.sizeOf(type);
        add(frame, site, size & ~KNOWN);
    }

    /** After newarray and anewarray. */
    public static void allocatedArray(int length, long frame, int site, int type) {
        if (frame == 0) return;
        long layout = unsafe.getLong(null, sizes + ((long) type << SIZE_SHIFT));
        long bytes = (layout >>> SCALE_BITS) + ((long) length << layout);
        add(frame, site, (bytes + alignment) & ~alignment);
    }

    /** After multianewarray: every array of the first dimensions was made. */
    public static void allocatedArrays(Object array, long frame, int site, int dimensions) {
        if (frame == 0) return;
        if (array instanceof Object[]) {
            Object[] arrays = (Object[]) array;
            allocatedArray(arrays.length, frame, site, REFERENCE_ARRAY);
            if (dimensions == 1) return;
            for (int i = 0; i < arrays.length; i++) allocatedArrays(arrays[i], frame, site, dimensions - 1);
        } else if (array instanceof int[]) {
            allocatedArray(((int[]) array).length, frame, site, 10);
        } else if (array instanceof double[]) {
            allocatedArray(((double[]) array).length, frame, site, 7);
        } else if (array instanceof byte[]) {
            allocatedArray(((byte[]) array).length, frame, site, 8);
        } else if (array instanceof char[]) {
            allocatedArray(((char[]) array).length, frame, site, 5);
        } else if (array instanceof long[]) {
            allocatedArray(((long[]) array).length, frame, site, 11);
        } else if (array instanceof float[]) {
            allocatedArray(((float[]) array).length, frame, site, 6);
        } else if (array instanceof boolean[]) {
            allocatedArray(((boolean[]) array).length, frame, site, 4);
        } else if (array instanceof short[]) {
            allocatedArray(((short[]) array).length, frame, site, 9);
        }
    }

    @ForceInline
    private static void add(long frame, int site, long bytes) {
        long header = CopseThread.header();
        if (header == 0) return;
        long word = frame + site;
        long table = unsafe.getLong(null, header + ALLOCATIONS);
        long entry = (table & ~LOG) + ((word * MULTIPLIER >>> -table) << ENTRY_SHIFT);
        if (table == 0 || unsafe.getLong(null, entry) != word) {
            CopseNative.allocated(header, word, bytes);
            return;
        }
        unsafe.putLong(null, entry + COUNT, unsafe.getLong(null, entry + COUNT) + 1);
        unsafe.putLong(null, entry + BYTES, unsafe.getLong(null, entry + BYTES) + bytes);
    }
}
