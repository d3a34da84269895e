// Exceptions that leave application code through JDK frames, caught there or further out.
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

public class ExceptionsInJdk {
    static int touched;
    static int touch(int n) { touched += n; return n; }

    static int fail(int n) {
        if (touch(n) >= 0) throw new IllegalArgumentException("fail");
        return n;
    }
    static int failDeep(int n) { return n == 0 ? fail(1) : failDeep(n - 1) + touch(1); }
    public static int reflected(int n) { return n > 0 ? fail(n) : touch(1); }

    static int futureTask() {
        FutureTask<Integer> task = new FutureTask<>(() -> failDeep(4));
        task.run();
        touch(1);
        try {
            return task.get();
        } catch (ExecutionException | InterruptedException e) {
            return touch(2);
        }
    }
    static int completableFuture() {
        CompletableFuture<Integer> future = new CompletableFuture<>();
        CompletableFuture<Integer> end = future.thenApply(n -> failDeep(n))
            .exceptionally(e -> touch(3)).thenCompose(n -> CompletableFuture.completedFuture(touch(n)))
            .whenComplete((n, e) -> touch(1)).handle((n, e) -> failDeep(2)).exceptionally(e -> touch(4));
        future.complete(3);
        return end.join() + touch(1);
    }
    static int collections() {
        List<Integer> list = new ArrayList<>(Arrays.asList(3, 1, 2));
        Map<Integer, Integer> map = new HashMap<>();
        int caught = 0;
        try { list.forEach(n -> { if (touch(n) == 1) fail(n); }); } catch (IllegalArgumentException e) { caught += touch(1); }
        try { list.sort((a, b) -> touch(a) > 2 ? fail(b) : a - b); } catch (IllegalArgumentException e) { caught += touch(2); }
        try { map.computeIfAbsent(1, k -> failDeep(k)); } catch (IllegalArgumentException e) { caught += touch(3); }
        try { list.stream().map(n -> touch(n)).filter(n -> n < 3).mapToInt(n -> fail(n)).sum(); } catch (IllegalArgumentException e) { caught += touch(4); }
        try { list.removeIf(n -> failDeep(1) > n); } catch (IllegalArgumentException e) { caught += touch(5); }
        Iterable<Integer> bad = () -> new Iterator<Integer>() {
            int left = 3;
            @Override public boolean hasNext() { touch(1); return true; }
            @Override public Integer next() { return --left == 0 ? fail(1) : left; }
        };
        try { bad.forEach(n -> touch(n)); } catch (IllegalArgumentException e) { caught += touch(6); }
        return caught + touch(1);
    }
    static int callables() {
        Callable<Integer> swallowing = () -> {
            try { return failDeep(2); } finally { touch(1); }
        };
        int caught = 0;
        for (int i = 0; i < 2; i++) {
            try { caught += swallowing.call(); } catch (Exception e) { caught += touch(1); }
        }
        try {
            caught += (Integer) ExceptionsInJdk.class.getMethod("reflected", int.class).invoke(null, 1);
        } catch (InvocationTargetException e) {
            caught += touch(2);
        } catch (ReflectiveOperationException e) {
            caught -= 1000;
        }
        return caught + touch(1);
    }
    static int threadDies() throws InterruptedException {
        Thread thread = new Thread(() -> failDeep(3));
        thread.setUncaughtExceptionHandler((t, e) -> touch(1));
        thread.start();
        thread.join();
        return touch(1);
    }

    public static void main(String[] args) throws Exception {
        int sum = 0;
        for (int i = 0; i < 1500; i++) sum += futureTask() + completableFuture() + collections() + callables();
        for (int i = 0; i < 20; i++) sum += threadDies();
        System.out.println("in the JDK " + sum + " " + touched);
    }
}
