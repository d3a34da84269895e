// Constructors that end by an exception of the constructor they call, in code without probes that then calls on.
// e2e: not-by-ids
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class Constructors {
    static int calls;

    static class Bottom {
        Bottom(int n) {
            leaf();
            if (n % 2 == 0) throw new IllegalStateException();
        }
    }
    static class Middle extends Bottom {
        Middle(int n) { super(n); leaf(); }
        Middle(long n) { this(odd((int) n)); }
        static int odd(int n) {
            if (n % 3 == 0) throw new IllegalArgumentException();
            return n;
        }
    }
    static class Top extends Middle {
        Top() { super(2); }
        Top(long n) { super(n); }
        Top(String text) { super(text.length()); }
    }
    /** Its body makes what its super() makes, too, by code without probes. */
    static class Inner extends Bottom {
        Inner(int n) {
            super(1);
            swallow(() -> new Bottom(n));
            swallow(Constructors::bottom);
            CompletableFuture.supplyAsync(Bottomless::new, Runnable::run).handle((made, failed) -> leaf());
            leaf();
        }
    }
    static class Bottomless extends Bottom {
        Bottomless() { super(0); }
    }
    static class Initialised extends Bottomless {
        final Object made = leaf();
    }

    static Object leaf() { calls++; return null; }
    static Object bottom() { return new Bottom(4); }

    /** The result is thrown away, and so is the exception. */
    static void swallow(Callable<Object> made) {
        CompletableFuture.supplyAsync(() -> {
            try {
                return made.call();
            } catch (Exception wrapped) {
                throw new IllegalStateException(wrapped);
            }
        }, Runnable::run).handle((object, failed) -> leaf());
    }

    static void inAPool(Callable<Object> made) throws InterruptedException {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        Callable<Object> next = Constructors::leaf;
        for (int i = 0; i < 5; i++) {
            try {
                pool.submit(made).get();
            } catch (ExecutionException expected) {
                leaf();
            }
            try {
                pool.submit(next).get();
            } catch (ExecutionException never) {
                throw new AssertionError(never);
            }
        }
        pool.shutdown();
    }

    public static void main(String[] args) throws InterruptedException {
        inAPool(Bottomless::new);
        inAPool(Initialised::new);
        inAPool(Top::new);
        inAPool(() -> new Top(6L));
        for (long n = 0; n < 7; n++) {
            long number = n;
            CompletableFuture.completedFuture(number).thenApply(Top::new).handle((made, failed) -> leaf());
            CompletableFuture.completedFuture("" + number).thenApply(Top::new).handle((made, failed) -> leaf());
            CompletableFuture.completedFuture((int) n).thenApply(Inner::new).handle((made, failed) -> leaf());
        }
        System.out.println(calls);
    }
}
