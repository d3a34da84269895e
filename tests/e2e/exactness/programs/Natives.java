// Native methods of every kind, called by bytecode, reflection, method handles and references, and native
// code. Callbacks hang below them. natives.cpp has their code.
//
// The method `missing` has no native code: the JVM throws UnsatisfiedLinkError, and no call is counted.
// e2e: natives
// e2e: ignore Natives.missing
// e2e: ignore Natives$Own.findClass
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

public class Natives {
    static int touched;
    static synchronized int touch(int n) { touched += n; return n; }

    // Native methods:
    static native int twice(int n);
    private static native int hidden(int n);
    static native void missing(int n);
    static synchronized native int locked(int n);
    synchronized native int lockedOn(int n);
    private native int own(int n);
    final native int finished(int n);
    native int virtual(int n);
    /** Calls {@link #called} so many times. */
    static native int callBack(int times);
    /** Calls {@link #down} with one less. */
    static native int nested(int depth);
    /** Calls {@link #twice} by JNI. */
    static native int byNative(int n);
    /** Throws, having called nothing. */
    static native void throwNew(int n);
    /** Lets what {@link #trouble} throws pass. */
    static native void passThrough(int n);
    /** Clears what trouble throws, calls {@link #called}, and throws something else. */
    static native void exchange(int n);
    /** Binds {@link #late} to one of two functions, or to none with a negative number. */
    static native void register(int which);
    static native int late(int n);
    /** Loads a class by FindClass and initialises it. */
    static native int find(String name);
    /** Calls natives on threads that native code makes, some of them with no Java frame below. */
    static native void threads(int count, int calls);
    /** Collects garbage by a callback, and gives one of its arguments. */
    static native Object keep(Object first, Object second, boolean isFirst);
    static native Natives make(int n);

    static native boolean ofBoolean(boolean n);
    static native byte ofByte(byte n);
    static native char ofChar(char n);
    static native short ofShort(short n);
    static native long ofLong(long n);
    static native float ofFloat(float n);
    static native double ofDouble(double n);
    /** More arguments than any machine has registers for. */
    static native double many(int a, double b, long c, float d, byte e, double f, short g, double h, char i, double j,
                              boolean k, double l, long m, float n, int o, double p, String q, double r, int s, float t);
    native long odd(long a, int b, long c, int d, long e, int f, Object g);

    static int called(int n) { return touch(n) + 1; }
    static int trouble(int n) {
        touch(n);
        throw new IllegalStateException("trouble");
    }
    static int down(int depth) { return touch(depth) == 0 ? 0 : nested(depth - 1) + called(depth); }
    static void collect() { System.gc(); touch(3); }
    static void onNativeThread(int n) { twice(n); called(n); }
    int number;
    Natives() { this(0); }
    Natives(int n) { number = check(n); }
    static int check(int n) { return n; }

    interface Shape { int area(int n); default int both(int n) { return area(n) + touch(n); } }
    static class Square implements Shape {
        public native int area(int n);
        int edge(int n) { return touch(n); }
        int overridden(int n) { return touch(n); }
    }
    static class Cube extends Square {
        @Override public int area(int n) { return super.area(n) + touch(n); }
        @Override native int edge(int n);
        @Override int overridden(int n) { return super.overridden(n) + 1; }
    }
    static final class Tesseract extends Cube {
        @Override public native int area(int n);
        @Override int edge(int n) { return super.edge(n) + touch(n); }
    }
    static abstract class Base {
        static native int common(int n);
        abstract int open(int n);
        int closed(int n) { return open(n) + touch(n); }
    }
    static class Derived extends Base {
        @Override native int open(int n);
    }
    enum Kind { ONE { native int of(int n); }, TWO { int of(int n) { return touch(n); } }; abstract int of(int n); }

    /** Loaded when main() is live, with an initialiser that the call of a native runs first. */
    static class Late {
        static final int READY = touch(prepare(11));
        static native int prepare(int n);
        static native int first(int n);
    }
    static class Broken {
        static final int READY = trouble(5);
        static native int never(int n);
    }
    static class Found {
        static final int READY = touch(8);
    }

    static int exceptions(int n) {
        int caught = 0;
        try { throwNew(n); } catch (UnsupportedOperationException expected) { caught += touch(1); }
        try { passThrough(n); } catch (IllegalStateException expected) { caught += called(n); }
        try { exchange(n); } catch (UnsupportedOperationException expected) { caught += called(n); }
        try { missing(n); } catch (UnsatisfiedLinkError expected) { caught += called(n); }
        try { none().finished(n); } catch (NullPointerException expected) { caught += called(n); }
        try { none().virtual(n); } catch (NullPointerException expected) { caught += called(n); }
        try { Broken.never(n); } catch (ExceptionInInitializerError | NoClassDefFoundError expected) { caught += called(n); }
        return caught;
    }
    static Natives none() { return null; }

    int instances(int n) {
        return own(n) + finished(n) + virtual(n) + this.lockedOn(n) + hidden(n) + locked(n) + twice(n);
    }
    static int shapes(int n) {
        int sum = 0;
        for (Square square : new Square[] {new Square(), new Cube(), new Tesseract()}) {
            Shape shape = square;
            sum += shape.area(n) + square.area(n) + shape.both(n) + square.edge(n) + square.overridden(n);
        }
        Base base = new Derived();
        sum += base.open(n) + base.closed(n) + Base.common(n) + Derived.common(n);
        for (Kind kind : Kind.values()) sum += kind.of(n);
        return sum;
    }
    static double numbers(int n) {
        double sum = many(n, 2.5, 3L << 40, 4.25f, (byte) -5, 6.5, (short) -7, 8.5, 'i', 10.5, true, 12.5, -13L, 14.25f, 15, 16.5, "q", 18.5, 19, 20.25f);
        sum += ofByte((byte) -n) + ofChar((char) n) + ofShort((short) -n) + ofLong((long) n << 33) + ofFloat(n / 2f) + ofDouble(n / 4.0);
        return sum + (ofBoolean(n % 2 == 0) ? 1 : 0) + new Natives(n).odd(1, 2, 3L << 40, n, 5, -6, "g");
    }
    static int indirect(int n, Method reflected, MethodHandle handle) throws Throwable {
        IntUnaryOperator reference = Natives::twice;
        IntBinaryOperator lambda = (a, b) -> twice(a) + hidden(b);
        int sum = reference.applyAsInt(n) + lambda.applyAsInt(n, 2);
        sum += IntStream.range(0, 3).map(Natives::twice).map(Natives::called).map(m -> twice(m) + touch(m)).sum();
        List<Integer> list = new ArrayList<>(List.of(3, 1, 2));
        list.sort((a, b) -> twice(a) - twice(b));
        return sum + list.get(0) + (int) reflected.invoke(null, n) + (int) handle.invokeExact(n) + touch(n);
    }
    static int rebound(int n) {
        register(0);
        int sum = late(n);
        register(1);
        sum += late(n);
        register(0);
        sum += late(n);
        register(-1);
        return sum;
    }
    /** Defines this program's classes once more: of other loaders, under the same names. */
    static final class Own extends ClassLoader {
        Own() { super(null); }
        @Override protected Class<?> findClass(String name) throws ClassNotFoundException {
            try (InputStream in = Natives.class.getResourceAsStream("/" + name.replace('.', '/') + ".class")) {
                if (in == null) throw new ClassNotFoundException(name);
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
    /** Binds a class of another loader to a function of the library. */
    static native void bindIn(Class<?> type);

    static int loaders(int n) throws Exception {
        int sum = 0;
        for (int i = 0; i < 2; i++) {
            Class<?> other = new Own().loadClass("Natives$Derived");
            bindIn(other);
            Constructor<?> made = other.getDeclaredConstructor();
            made.setAccessible(true);
            Method closed = other.getSuperclass().getDeclaredMethod("closed", int.class);
            closed.setAccessible(true);
            sum += (int) closed.invoke(made.newInstance(), n + i);
        }
        return sum;
    }
    static int onThreads(int n) throws InterruptedException {
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> { for (int k = 0; k < 50; k++) { locked(k); callBack(k % 3); } });
            threads[i].start();
        }
        for (Thread thread : threads) thread.join();
        return n;
    }

    public static void main(String[] args) throws Throwable {
        System.load(args[0]);
        Method reflected = Natives.class.getDeclaredMethod("twice", int.class);
        MethodHandle handle = MethodHandles.lookup().findStatic(Natives.class, "twice", MethodType.methodType(int.class, int.class));
        long sum = 0;
        for (int i = 0; i < 40; i++) {
            sum += twice(i) + callBack(i % 4) + nested(i % 7) + byNative(i) + make(i).instances(i) + shapes(i);
            sum += exceptions(i) + indirect(i, reflected, handle) + rebound(i) + Late.first(i) + (long) numbers(i);
            Object kept = keep("first" + i, new int[] {i}, i % 2 == 0);
            sum += kept instanceof int[] array ? array[0] : kept.hashCode();
        }
        sum += find("Natives$Found") + find("Natives$Found") + loaders(4) + onThreads(5) + nested(200);
        threads(3, 5);
        for (int i = 0; i < 20000; i++) sum += twice(i) + callBack(i & 1) + new Tesseract().area(i);
        Field field = Late.class.getDeclaredField("READY");
        System.out.println("natives " + sum + " " + touched + " " + field.getInt(null) + " " + Arrays.toString(Kind.values()));
        try {
            reflected.invoke(null, "no number");
        } catch (IllegalArgumentException expected) {
            called(1);
        }
        try {
            Natives.class.getDeclaredMethod("passThrough", int.class).invoke(null, 1);
        } catch (InvocationTargetException expected) {
            called(2);
        }
        passThrough(9);
    }
}
