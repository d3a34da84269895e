// Three threads of calls of every kind, while agents beside us change the classes: recursion, dispatch,
// exceptions, lambdas, synchronized methods and a class that is first used in every round.
//
// With the property beside.pace N, each tenth round waits until an agent has said, in the property
// beside.changes, that it made N more changes: work and changes are then sure to meet.
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntUnaryOperator;

public class Mixed {
    static final int ROUNDS = 60;
    static final AtomicLong sum = new AtomicLong();

    interface Shape { int area(int n); }
    record Square(int side) implements Shape {
        public int area(int n) { return grow(side, n); }
    }
    static class Circle implements Shape {
        private int touched;
        public synchronized int area(int n) { return ++touched + grow(3, n); }
    }

    static int grow(int a, int b) { return a * b + 1; }

    static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

    static int thrower(int n) {
        if (n % 4 == 0) throw new IllegalStateException("four");
        return n;
    }

    static int catcher(int n) {
        try {
            return thrower(n);
        } catch (IllegalStateException expected) {
            return grow(n, n);
        } finally {
            sum.incrementAndGet();
        }
    }

    static void round(int n, Shape[] shapes) {
        long total = fibonacci(9 + n % 3);
        for (int i = 0; i < 40; i++) total += shapes[i % shapes.length].area(i) + catcher(i);
        IntUnaryOperator twice = x -> grow(x, 2);
        for (int i = 0; i < 20; i++) total += twice.andThen(Mixed::plusOne).applyAsInt(i);
        sum.addAndGet(total);
    }

    static int plusOne(int x) { return x + 1; }

    static void pace(int round) {
        int step = Integer.getInteger("beside.pace", 0);
        if (step == 0 || round % 10 != 0) return;
        int until = Integer.getInteger("beside.changes", 0) + step;
        while (Integer.getInteger("beside.changes", 0) < until) LockSupport.parkNanos(200_000);
    }

    static void work() {
        Shape[] shapes = {new Square(2), new Circle(), new Square(5)};
        for (int n = 0; n < ROUNDS; n++) {
            pace(n);
            round(n, shapes);
        }
    }

    public static void main(String[] args) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Thread thread = new Thread(Mixed::work, "worker " + i);
            threads.add(thread);
            thread.start();
        }
        work();
        for (Thread thread : threads) thread.join();
        System.out.println("mixed " + sum.get());
        throw new IllegalStateException("the end, on purpose");
    }
}
