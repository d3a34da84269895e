import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Goes on for so many seconds with what a long-lived server does again and again: class loaders, threads, exceptions. */
public class Endure {
    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    static int thrower(int n) {
        if (n == 0) throw new IllegalStateException();
        return thrower(n - 1);
    }
    public static void work() {
        fib(12);
        try {
            thrower(20);
        } catch (IllegalStateException expected) {
            fib(2);
        }
    }

    static void platformThreads() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 20; i++) threads.add(new Thread(Endure::work));
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }

    static void virtualThreads(Method newExecutor) throws Exception {
        ExecutorService executor = (ExecutorService) newExecutor.invoke(null);
        for (int i = 0; i < 200; i++) executor.submit(Endure::work);
        executor.shutdown();
        while (!executor.awaitTermination(1, java.util.concurrent.TimeUnit.MINUTES)) { }
    }

    /** Loads this class once more, by a loader that is dropped, and has that one work. */
    static void dropped(URL[] classPath) throws Exception {
        try (URLClassLoader loader = new URLClassLoader(classPath, null)) {
            Class.forName("Endure", true, loader).getDeclaredMethod("work").invoke(null);
        }
    }

    public static void main(String[] args) throws Exception {
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000_000L;
        URL[] classPath = {Path.of(args[1]).toUri().toURL()};
        Method newExecutor = null;
        try {
            newExecutor = Executors.class.getMethod("newVirtualThreadPerTaskExecutor");
        } catch (NoSuchMethodException before21) {
            newExecutor = null;
        }
        long rounds = 0;
        for (; rounds < 20 || System.nanoTime() < end; rounds++) {
            platformThreads();
            if (newExecutor != null) virtualThreads(newExecutor);
            dropped(classPath);
        }
        System.out.println(rounds + " rounds, " + (newExecutor == null ? 21 : 221) * rounds + " times work");
    }
}
