package java.lang;

import copse.CopseNative;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.Hidden;
import jdk.internal.vm.annotation.Stable;

/**
 * Work of probes after each allocation, when all allocations are counted. A thread's counts are in a small table of
 * its own, by a key (src/encoders/ids/allocation_counts.h describes the table, src/agent/jvm/measures/allocated_types.h
 * the sizes). Context ids (CopseIds) use the word for context and site as the key. Trees in place (CopseProbe) use the
 * frame and the type, in methods with names that end in In. Packets (the other CopseProbe) use the record of the
 * frame's entry, in methods named InPacket. src/agent/jvm/measures/allocation_places.h describes the last two keys.
 */
final class CopseAllocations {
    private CopseAllocations() {}

    private static final int ALLOCATIONS = 40; // thread_header.h, like the next two
    private static final int PACKETS = 104;
    private static final int ALLOCATING = 120;
    private static final int ENTRY_SHIFT = 6;  // allocation_counts.h, to MULTIPLIER
    private static final int COUNT = 8;
    private static final int BYTES = 16;
    private static final long LOG = 63;        // in the table's address
    private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;
    private static final int SIZE_SHIFT = 3;   // allocated_types.h, to REFERENCE_ARRAY
    private static final long KNOWN = 1;
    private static final int SCALE_BITS = 8;
    private static final int REFERENCE_ARRAY = 12;
    private static final int UNIT_SHIFT = 3;   // inline_layout.h
    private static final int TYPE_BITS = 19;   // allocation_places.h, like the next two
    private static final int INDEX_SHIFT = 43;
    private static final int PACKETS_SHIFT = 59;
    private static final int DEPTH_SHIFT = 40; // call_record.h
    private static final int RECORD_SHIFT = 3;
    /* In a header's `allocating`: the depth, the index of its record, and that of the last record then; 0: of none. */
    private static final int FOUND_SHIFT = 16;
    private static final long UP_TO = 0xFFFF;

    /* Written once by start(); the JIT treats non-zero values as constants. */
    @Stable private static Unsafe unsafe;
    @Stable private static long sizes;
    @Stable private static long alignment; // of objects, less one
    @Stable private static long packetMask;

    /** Called once by the agent, before CopseThread.start(). {@code bytesOfPacket}: 0 without packets. */
    @Hidden static void start(long sizesAddress, long alignmentLessOne, long bytesOfPacket) {
        unsafe = Unsafe.getUnsafe();
        packetMask = bytesOfPacket - 1;
        sizes = sizesAddress;
        alignment = alignmentLessOne;
    }

    /** After new. */
    @Hidden static void allocated(long frame, int site, int type) {
        long room0 = 0, room1 = 0, room2 = 0, room3 = 0;
        if (frame != 0) count(frame + site, type);
    }

    /** After newarray and anewarray. */
    @Hidden static void allocatedArray(int length, long frame, int site, int layout) {
        long room0 = 0, room1 = 0, room2 = 0, room3 = 0;
        if (frame != 0) countArray(length, frame + site, layout);
    }

    /** After multianewarray: every array of the first dimensions was made. */
    @Hidden static void allocatedArrays(Object array, long frame, int site, int dimensions) {
        if (frame != 0) countArrays(array, frame + site, dimensions);
    }

    @Hidden static void allocatedIn(long frame, int type) {
        long room0 = 0, room1 = 0, room2 = 0, room3 = 0;
        if (frame != 0) count(keyOf(frame, type), type);
    }

    @Hidden static void allocatedArrayIn(int length, long frame, int type, int layout) {
        long room0 = 0, room1 = 0, room2 = 0, room3 = 0;
        if (frame != 0) countArray(length, keyOf(frame, type), layout);
    }

    /** All of them as of the type of the outermost. */
    @Hidden static void allocatedArraysIn(Object array, long frame, int type, int dimensions) {
        if (frame != 0) countArrays(array, keyOf(frame, type), dimensions);
    }

    @Hidden private static long keyOf(long frame, int type) {
        return frame >>> UNIT_SHIFT << TYPE_BITS | type;
    }

    @Hidden static void allocatedInPacket(long header, long frame, int type) {
        if (header != 0) count(keyInPacket(header, frame, type), type);
    }

    @Hidden static void allocatedArrayInPacket(int length, long header, long frame, int type, int layout) {
        if (header != 0) countArray(length, keyInPacket(header, frame, type), layout);
    }

    @Hidden static void allocatedArraysInPacket(Object array, long header, long frame, int type, int dimensions) {
        if (header != 0) countArrays(array, keyInPacket(header, frame, type), dimensions);
    }

    /**
     * The frame is that of the last record of its depth, or where the packet has none it is from before. Records are
     * looked at once, but for those that calls of another depth have looked at.
     */
    @Hidden private static long keyInPacket(long header, long frame, int type) {
        long depth = frame >>> DEPTH_SHIFT;
        long cursor = unsafe.getLong(null, header);
        long packet = (cursor - 1) & ~packetMask;
        long last = cursor == 0 ? 0 : (cursor - packet >>> RECORD_SHIFT) - 1;
        long found = unsafe.getLong(null, header + ALLOCATING);
        boolean knows = found >>> DEPTH_SHIFT == depth;
        long upTo = knows ? found & UP_TO : 0;
        long index = last;
        while (index > upTo && unsafe.getLong(null, packet + (index << RECORD_SHIFT)) >>> DEPTH_SHIFT != depth) index--;
        if (knows && index == upTo) index = found >>> FOUND_SHIFT & UP_TO;
        unsafe.putLong(null, header + ALLOCATING, depth << DEPTH_SHIFT | index << FOUND_SHIFT | last);
        return unsafe.getLong(null, header + PACKETS) << PACKETS_SHIFT | index << INDEX_SHIFT | depth << TYPE_BITS | type;
    }

    @Hidden private static void count(long key, int type) {
        long size = unsafe.getLong(null, sizes + ((long) type << SIZE_SHIFT));
        if (size == 0) size = CopseNative.sizeOf(type);
        add(key, size & ~KNOWN);
    }

    @Hidden private static void countArray(int length, long key, int layout) {
        long laidOut = unsafe.getLong(null, sizes + ((long) layout << SIZE_SHIFT));
        long bytes = (laidOut >>> SCALE_BITS) + ((long) length << laidOut);
        add(key, (bytes + alignment) & ~alignment);
    }

    @Hidden private static void countArrays(Object array, long key, int dimensions) {
        if (array instanceof Object[]) {
            Object[] arrays = (Object[]) array;
            countArray(arrays.length, key, REFERENCE_ARRAY);
            if (dimensions == 1) return;
            for (int i = 0; i < arrays.length; i++) countArrays(arrays[i], key, dimensions - 1);
        } else if (array instanceof int[]) {
            countArray(((int[]) array).length, key, 10);
        } else if (array instanceof double[]) {
            countArray(((double[]) array).length, key, 7);
        } else if (array instanceof byte[]) {
            countArray(((byte[]) array).length, key, 8);
        } else if (array instanceof char[]) {
            countArray(((char[]) array).length, key, 5);
        } else if (array instanceof long[]) {
            countArray(((long[]) array).length, key, 11);
        } else if (array instanceof float[]) {
            countArray(((float[]) array).length, key, 6);
        } else if (array instanceof boolean[]) {
            countArray(((boolean[]) array).length, key, 4);
        } else if (array instanceof short[]) {
            countArray(((short[]) array).length, key, 9);
        }
    }

    @Hidden private static void add(long key, long bytes) {
        long header = CopseThread.header();
        if (header == 0) return;
        long table = unsafe.getLong(null, header + ALLOCATIONS);
        long entry = (table & ~LOG) + ((key * MULTIPLIER >>> -table) << ENTRY_SHIFT);
        if (table == 0 || unsafe.getLong(null, entry) != key) {
            CopseNative.allocated(header, key, bytes);
            return;
        }
        unsafe.putLong(null, entry + COUNT, unsafe.getLong(null, entry + COUNT) + 1);
        unsafe.putLong(null, entry + BYTES, unsafe.getLong(null, entry + BYTES) + bytes);
    }
}
