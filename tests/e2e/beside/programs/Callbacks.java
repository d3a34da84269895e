// The ways of native code: it calls back, swallows what Java threw, throws, leaves an exception pending, and
// brings threads of its own. The natives are in native/callbacks.cpp.
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

public class Callbacks {
    static final AtomicLong sum = new AtomicLong();

    /** Calls {@link #called} so many times. */
    static native int callBack(int times);
    /** Calls {@link #trouble}, clears what it throws, and calls {@link #called} after that. */
    static native int swallow(int times);
    /** Calls {@link #deepTrouble} and {@link #called} in turns, clearing what is thrown. */
    static native int swallowDeep(int times);
    /** Throws from native code, having called nothing. */
    static native void throwNew(int n);
    /** Lets what {@link #trouble} throws pass through. */
    static native void passThrough(int n);
    /** Clears what trouble throws and throws something else. */
    static native void exchange(int n);
    /** Calls {@link #down} with one less. */
    static native int nested(int depth);
    /** Constructs, calls virtually, through the interface, and its super class's method. */
    native int everyKind(Part part, int n);
    /** Threads that attach, call {@link #onNativeThread}, detach, and attach again. */
    static native void nativeThreads(int threads, int rounds, int calls);

    interface Part { int part(int n); }
    static class Base implements Part {
        final int base;
        Base(int base) { this.base = base; }
        public int part(int n) { return touch(n) + base; }
    }
    static class Derived extends Base {
        static final int READY = touch(5);
        Derived(int base) { super(base); }
        @Override public int part(int n) { return super.part(n) + READY; }
    }

    static int touch(int n) { sum.addAndGet(n); return n; }
    static int called(int n) { return touch(n) + 1; }
    static int trouble(int n) {
        touch(n);
        throw new IllegalStateException("trouble");
    }
    static int deepTrouble(int n) { return n == 0 ? trouble(n) : deepTrouble(n - 1) + 1; }
    static int down(int depth) { return touch(depth) == 0 ? 0 : nested(depth - 1) + called(depth); }

    static int onNativeThread(int n) {
        try {
            if (n % 5 == 0) passThrough(n);
            return called(n) + swallow(2);
        } catch (IllegalStateException expected) {
            return touch(n);
        }
    }

    static int catching(int n) {
        int caught = 0;
        try {
            throwNew(n);
        } catch (UnsupportedOperationException expected) {
            caught += touch(1);
        }
        try {
            passThrough(n);
        } catch (IllegalStateException expected) {
            caught += called(n);
        }
        try {
            exchange(n);
        } catch (UnsupportedOperationException expected) {
            caught += called(n);
        }
        return caught;
    }

    public static void main(String[] args) {
        System.load(args[0]);
        Callbacks here = new Callbacks();
        int total = 0;
        for (int i = 0; i < 20; i++) {
            total += callBack(200) + swallow(200) + called(i);
            total += swallowDeep(20) + called(i);
            total += nested(20 + i) + catching(i) + called(i);
            total += here.everyKind(new Base(i), i) + called(i);
        }
        nativeThreads(3, 5, 40);
        for (int i = 0; i < 300; i++) total += callBack(5) + catching(i);
        System.out.println("callbacks " + total + " " + sum.get());
        int[] depths = {nested(3), swallow(1)};
        System.out.println(Arrays.toString(depths));
        passThrough(1);
    }
}
