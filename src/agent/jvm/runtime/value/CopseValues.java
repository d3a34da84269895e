package java.lang;

import copse.CopseNative;
import jdk.internal.vm.annotation.Hidden;

/**
 * Probes that methods with recorded values call (src/probes/value_probes.h). The natives take one value at a
 * time, so that no value is boxed. Until the agent has started, the probes do nothing: the number of an
 * invocation is then 0, as it is when the natives do not record it.
 */
public final class CopseValues {
    private CopseValues() {}

    private static boolean records;

    /** Called by the agent when the natives are bound. */
    @Hidden static void start() {
        records = true;
    }

    /** The running thread begins to take or leave its carrier, or has done so: from VirtualThread. */
    @Hidden static void moves(boolean begins) {
        if (records) CopseNative.moves(begins);
    }

    @Hidden public static void take(int parameter, int value) {
        if (records) CopseNative.takeInt(parameter, value);
    }

    @Hidden public static void take(int parameter, long value) {
        if (records) CopseNative.takeLong(parameter, value);
    }

    @Hidden public static void take(int parameter, float value) {
        if (records) CopseNative.takeDouble(parameter, value);
    }

    @Hidden public static void take(int parameter, double value) {
        if (records) CopseNative.takeDouble(parameter, value);
    }

    @Hidden public static void take(int parameter, Object value) {
        if (records) CopseNative.takeObject(Thread.currentThread(), parameter, value);
    }

    @Hidden public static long entered(int method) {
        return records ? CopseNative.entered(Thread.currentThread(), method) : 0;
    }

    @Hidden public static long entered(Object receiver, int method) {
        return records ? CopseNative.enteredOn(Thread.currentThread(), receiver, method) : 0;
    }

    /** The superclass's constructor has returned. */
    @Hidden public static void constructed(Object object, long invocation) {
        if (records) CopseNative.constructed(Thread.currentThread(), object, invocation);
    }

    @Hidden public static void allocated(Object object) {
        if (records) CopseNative.constructed(Thread.currentThread(), object, 0);
    }

    @Hidden public static void returned(long invocation) {
        if (invocation != 0 && records) CopseNative.returned(Thread.currentThread(), invocation);
    }

    @Hidden public static void returned(int result, long invocation) {
        if (invocation != 0 && records) CopseNative.returnedInt(Thread.currentThread(), result, invocation);
    }

    @Hidden public static void returned(long result, long invocation) {
        if (invocation != 0 && records) CopseNative.returnedLong(Thread.currentThread(), result, invocation);
    }

    @Hidden public static void returned(float result, long invocation) {
        if (invocation != 0 && records) CopseNative.returnedDouble(Thread.currentThread(), result, invocation);
    }

    @Hidden public static void returned(double result, long invocation) {
        if (invocation != 0 && records) CopseNative.returnedDouble(Thread.currentThread(), result, invocation);
    }

    @Hidden public static void returned(Object result, long invocation) {
        if (invocation != 0 && records) CopseNative.returnedObject(Thread.currentThread(), result, invocation);
    }

    @Hidden public static void thrown(Object exception, long invocation) {
        if (invocation != 0 && records) CopseNative.thrown(Thread.currentThread(), exception, invocation);
    }

    /**
     * Throws an exception of a probe before a return if it is dropped then: no stack was left. Others come from other
     * threads, and are the program's.
     */
    @Hidden public static void drop(Throwable thrown) {
        if (thrown instanceof StackOverflowError) throw (StackOverflowError) thrown;
    }
}
