package demo;

/** Benchmarks whose counts are known. */
public class Orders extends Inherited {
    private int[] prices = {3, 4, 5};
    private Object lazy;

    /** A fixture: calls what the benchmarks call, and is no part of them. */
    public static void prepare() {
        for (int i = 0; i < 7; i++) hidden(i);
    }

    /** 8 calls and 3 arrays of 24 bytes; the first one also makes what is lazy. */
    public long total() {
        long sum = 0;
        for (int price : prices) sum += boxed(price);
        first();
        return sum;
    }

    /** 3 calls, an exception of 40 bytes. */
    public void thrown() {
        try {
            fail();
        } catch (IllegalStateException e) {
            one();
        }
    }

    /** 11 calls, for ten operations. */
    public void ten() {
        for (int i = 0; i < 10; i++) one();
    }

    public void reader() {
        one();
    }

    public void writer() {
        one();
        one();
    }

    static int boxed(int price) {
        return hidden(price)[0];
    }

    static int[] hidden(int price) {
        return new int[] {price, 1};
    }

    Object first() {
        if (lazy == null) lazy = make();
        return lazy;
    }

    static Object make() {
        return new Object();
    }

    static void fail() {
        throw new IllegalStateException("as expected");
    }
}
