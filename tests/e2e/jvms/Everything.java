import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.ref.Cleaner;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Scanner;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Does a bit of everything, and prints a checksum of each part: the same in every run, on every JDK and every kind of JVM.
 * With "asked" it does so for each line of its standard input, until that ends. Its first argument is how it ends.
 */
public class Everything {
    static volatile Object sink;

    static long mix(long sum, long value) {
        return (sum ^ value) * 0x9E37_79B9_7F4A_7C15L;
    }

    /** A failed part says why in the checksum's place. */
    static void part(String name, Callable<Long> work) {
        try {
            System.out.println(name + " " + Long.toHexString(work.call()));
        } catch (Exception | Error failed) {
            System.out.println(name + " failed: " + failed);
            failed.printStackTrace(System.out);
        }
    }

    static class Chained extends Exception {
        Chained(String message, Throwable cause) { super(message, cause); }
    }

    static int thrower(int depth) throws Chained {
        try {
            if (depth == 0) throw new IllegalStateException("bottom");
            return thrower(depth - 1) + 1;
        } catch (IllegalStateException | Chained thrown) {
            throw new Chained("at " + depth, thrown);
        } finally {
            sink = depth;
        }
    }

    static class Resource implements AutoCloseable {
        @Override public void close() { throw new UnsupportedOperationException("close"); }
    }

    static class Failing {
        Failing(boolean fails) {
            if (fails) throw new IllegalArgumentException("constructor");
        }
    }

    static class FailingBelow extends Failing {
        FailingBelow(boolean fails) { super(fails); }
    }

    static long exceptions() {
        long sum = 0;
        for (int i = 0; i < 60; i++) {
            try {
                thrower(i % 7);
            } catch (Chained thrown) {
                for (Throwable at = thrown; at != null; at = at.getCause()) sum = mix(sum, at.getMessage().hashCode());
                sum = mix(sum, thrown.getStackTrace()[0].getMethodName().hashCode());
            }
            try (Resource first = new Resource(); Resource second = new Resource()) {
                sum = mix(sum, Integer.parseInt(i % 2 == 0 ? "7" : "seven"));
            } catch (RuntimeException thrown) {
                sum = mix(sum, thrown.getSuppressed().length);
            }
            try {
                sink = new FailingBelow(i % 3 != 0);
                Object[] strings = new String[1];
                strings[0] = i % 2 == 0 ? i : "text";
                sum = mix(sum, ((int[]) (i % 5 == 0 ? null : new int[i % 4]))[2]);
            } catch (IllegalArgumentException | ArrayStoreException | NullPointerException | IndexOutOfBoundsException thrown) {
                sum = mix(sum, thrown.getClass().getName().hashCode());
            }
        }
        return sum;
    }

    static int deep(int n) {
        return n == 0 ? 0 : deep(n + 1) + 1;
    }

    static long overflows() {
        long sum = 0;
        for (int i = 0; i < 3; i++) {
            try {
                deep(1);
            } catch (StackOverflowError overflow) {
                sum = mix(sum, i);
            } finally {
                sum = mix(sum, 5);
            }
        }
        return sum;
    }

    interface Shape {
        long area(int n);
        default long twice(int n) { return 2 * area(n); }
    }

    public static long square(int n) { return (long) n * n; }
    public static long failing(int n) { throw new IllegalArgumentException("n=" + n); }
    long field = 1;

    static long reflection() throws Throwable {
        long sum = 0;
        Method square = Everything.class.getMethod("square", int.class);
        Method failing = Everything.class.getMethod("failing", int.class);
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle handle = lookup.findStatic(Everything.class, "square", MethodType.methodType(long.class, int.class));
        MethodHandle caught = MethodHandles.catchException(
            lookup.findStatic(Everything.class, "failing", MethodType.methodType(long.class, int.class)),
            IllegalArgumentException.class,
            MethodHandles.dropArguments(MethodHandles.constant(long.class, 11L), 0, IllegalArgumentException.class, int.class));
        VarHandle variable = lookup.findVarHandle(Everything.class, "field", long.class);
        Everything object = Everything.class.getDeclaredConstructor().newInstance();
        Shape proxy = (Shape) Proxy.newProxyInstance(Everything.class.getClassLoader(), new Class<?>[] {Shape.class},
            (self, method, words) -> method.getName().equals("area") ? square((int) words[0]) : 2 * square((int) words[0]));
        for (int i = 0; i < 40; i++) {
            sum = mix(sum, (long) square.invoke(null, i) + (long) handle.invokeExact(i) + (long) caught.invoke(i));
            try {
                failing.invoke(null, i);
            } catch (InvocationTargetException thrown) {
                sum = mix(sum, thrown.getCause().getMessage().hashCode());
            }
            sum = mix(sum, proxy.area(i) + proxy.twice(i));
            variable.getAndAdd(object, (long) i);
        }
        sum = mix(sum, (long) variable.getVolatile(object));
        return mix(sum, Everything.class.getDeclaredMethods().length > 10 ? 1 : 0);
    }

    record Point(int x, int y) implements Serializable {}
    enum Kind { A, B { @Override int weight() { return 2; } }; int weight() { return 1; } }

    static long streams() {
        long sum = IntStream.range(0, 500).filter(n -> n % 3 != 0).mapToLong(n -> n * 7L).sum();
        Map<Integer, Long> groups = IntStream.range(0, 300).boxed()
            .collect(Collectors.groupingBy(n -> n % 5, TreeMap::new, Collectors.counting()));
        sum = mix(sum, groups.hashCode());
        sum = mix(sum, IntStream.range(0, 2000).parallel().map(n -> n ^ 21).sum());
        List<Point> points = IntStream.range(0, 50).mapToObj(n -> new Point(n % 7, n)).collect(Collectors.toList());
        Collections.sort(points, (a, b) -> a.x() != b.x() ? Integer.compare(a.x(), b.x()) : Integer.compare(b.y(), a.y()));
        for (Point point : points) sum = mix(sum, point.hashCode());
        for (Kind kind : Kind.values()) sum = mix(sum, kind.weight());
        IntBinaryOperator[] operators = {Math::max, Math::min, Integer::sum, (a, b) -> a * b};
        Function<Integer, Integer> chain = Function.identity();
        for (int i = 0; i < 20; i++) {
            int step = i;
            chain = chain.andThen(n -> operators[step % 4].applyAsInt(n, step + 1));
        }
        return mix(sum, chain.apply(3));
    }

    static class Fib extends RecursiveTask<Integer> {
        final int n;
        Fib(int n) { this.n = n; }
        @Override protected Integer compute() {
            if (n < 2) return n;
            Fib left = new Fib(n - 1);
            left.fork();
            return new Fib(n - 2).compute() + left.join();
        }
    }

    static long pools() throws Exception {
        long sum = 0;
        ExecutorService pool = Executors.newFixedThreadPool(3);
        List<Future<Integer>> futures = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            int n = i;
            futures.add(pool.submit(() -> n % 10 == 9 ? Integer.parseInt("x" + n) : n * n));
        }
        for (Future<Integer> future : futures) {
            try {
                sum = mix(sum, future.get());
            } catch (ExecutionException thrown) {
                sum = mix(sum, thrown.getCause().getMessage().hashCode());
            }
        }
        sum = mix(sum, CompletableFuture.supplyAsync(() -> 20, pool).thenApplyAsync(n -> n + 1)
            .thenCombine(CompletableFuture.supplyAsync(() -> 2, pool), (a, b) -> a * b).get());
        sum = mix(sum, CompletableFuture.<Integer>supplyAsync(() -> { throw new IllegalStateException("step"); }, pool)
            .exceptionally(thrown -> thrown.getMessage().length()).get());
        pool.shutdown();
        sum = mix(sum, pool.awaitTermination(1, TimeUnit.MINUTES) ? 1 : 0);
        ScheduledExecutorService scheduled = Executors.newScheduledThreadPool(1);
        CountDownLatch ticks = new CountDownLatch(3);
        scheduled.scheduleAtFixedRate(ticks::countDown, 0, 1, TimeUnit.MILLISECONDS);
        ticks.await();
        sum = mix(sum, scheduled.shutdownNow().size() >= 0 ? 1 : 0);
        ForkJoinPool own = new ForkJoinPool(2);
        sum = mix(sum, own.invoke(new Fib(11)));
        own.shutdown();
        return sum;
    }

    static void forget(List<Reference<?>> references, ReferenceQueue<Object> queue, Cleaner cleaner, CountDownLatch cleaned) {
        for (int i = 0; i < 20; i++) {
            references.add(new WeakReference<>(new Object(), queue));
            references.add(new PhantomReference<>(new int[i], queue));
            references.add(new SoftReference<>("soft" + i));
            cleaner.register(new Object(), cleaned::countDown);
        }
    }

    /** Waits until collections have cleared all of them. */
    static long references() throws Exception {
        List<Reference<?>> references = new ArrayList<>();
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        CountDownLatch cleaned = new CountDownLatch(20);
        Cleaner cleaner = Cleaner.create();
        forget(references, queue, cleaner, cleaned);
        long sum = 0;
        long end = System.nanoTime() + 60_000_000_000L;
        int enqueued = 0;
        while (enqueued < 40 && System.nanoTime() < end) {
            System.gc();
            for (Reference<?> one = queue.remove(100); one != null; one = queue.poll()) {
                enqueued++;
                sum += one.getClass().getSimpleName().hashCode();
            }
        }
        sum = mix(sum, enqueued);
        while (!cleaned.await(100, TimeUnit.MILLISECONDS) && System.nanoTime() < end) System.gc();
        return mix(sum, cleaned.getCount());
    }

    /** Defines copies of some of this program's classes. */
    static class Copies extends ClassLoader {
        Copies(ClassLoader parent) { super(parent); }
        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("Everything$Loaded")) return super.loadClass(name, resolve);
            synchronized (getClassLoadingLock(name)) {
                Class<?> found = findLoadedClass(name);
                if (found != null) return found;
                try (InputStream file = Everything.class.getResourceAsStream(name + ".class")) {
                    byte[] bytes = file.readAllBytes();
                    return defineClass(name, bytes, 0, bytes.length);
                } catch (java.io.IOException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
        }
    }

    public static class Loaded {
        static long number = Long.parseLong("41");
        public static long next() { return ++number + LoadedToo.twice(1); }
    }

    public static class LoadedToo {
        static long twice(int n) { return 2 * n; }
    }

    public static class LoadedFailing {
        static int number = Integer.parseInt("no number");
        public static long next() { return number; }
    }

    static long loading() throws Exception {
        long sum = 0;
        for (int i = 0; i < 8; i++) {
            ClassLoader loader = i % 2 == 0 ? new Copies(Everything.class.getClassLoader()) : new Copies(null) {
                @Override protected Class<?> findClass(String name) throws ClassNotFoundException {
                    return Everything.class.getClassLoader().loadClass(name);
                }
            };
            Method next = Class.forName("Everything$Loaded", true, loader).getMethod("next");
            sum = mix(sum, (long) next.invoke(null) + (long) next.invoke(null));
            try {
                Class.forName("Everything$LoadedFailing", true, loader);
            } catch (ExceptionInInitializerError thrown) {
                sum = mix(sum, thrown.getCause().getMessage().hashCode());
            }
            try {
                loader.loadClass("Everything$Missing" + i);
            } catch (ClassNotFoundException missing) {
                sum = mix(sum, 1);
            }
        }
        return sum;
    }

    static long count;
    static synchronized void add(int n) { count += n; }

    static long synchronisation() throws Exception {
        count = 0;
        Object monitor = new Object();
        ReentrantLock lock = new ReentrantLock(true);
        Condition turned = lock.newCondition();
        long[] turns = {0};
        AtomicLong sum = new AtomicLong();
        ThreadLocal<Integer> local = ThreadLocal.withInitial(() -> 5);
        CyclicBarrier barrier = new CyclicBarrier(4);
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            int own = t;
            threads.add(new Thread(() -> {
                try {
                    barrier.await();
                    for (int i = 0; i < 30; i++) {
                        add(own);
                        synchronized (monitor) {
                            count += i;
                            monitor.notifyAll();
                            if (i % 10 == 9) monitor.wait(1);
                        }
                        lock.lock();
                        try {
                            while (turns[0] % 4 != own) turned.await();
                            turns[0]++;
                            turned.signalAll();
                        } finally {
                            lock.unlock();
                        }
                        local.set(local.get() + 1);
                    }
                    sum.addAndGet(local.get());
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }, "turn-" + t));
        }
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
        Thread failing = new Thread(() -> { throw new IllegalStateException("uncaught"); });
        failing.setUncaughtExceptionHandler((thread, thrown) -> sum.addAndGet(thrown.getMessage().length()));
        failing.start();
        failing.join();
        Thread sleeper = new Thread(() -> {
            try {
                Thread.sleep(100_000);
            } catch (InterruptedException interrupted) {
                sum.addAndGet(1000);
            }
        });
        sleeper.start();
        sleeper.interrupt();
        sleeper.join();
        return mix(mix(sum.get(), count), turns[0]);
    }

    static ExecutorService perTask() throws Exception {
        try {
            return (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (NoSuchMethodException before21) {
            return Executors.newCachedThreadPool();
        }
    }

    /** On virtual threads, where the JDK has them. */
    static long many() throws Exception {
        AtomicLong sum = new AtomicLong();
        Object monitor = new Object();
        ReentrantLock lock = new ReentrantLock();
        SynchronousQueue<Integer> queue = new SynchronousQueue<>();
        ExecutorService executor = perTask();
        List<Future<?>> futures = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            int n = i;
            futures.add(executor.submit(() -> {
                switch (n % 5) {
                    case 0: Thread.sleep(2); break;
                    case 1: synchronized (monitor) { sum.addAndGet(n); } break;
                    case 2: lock.lock(); try { Thread.sleep(0, 1000); sum.addAndGet(n); } finally { lock.unlock(); } break;
                    case 3: if (n % 2 == 0) queue.put(n); else sum.addAndGet(queue.take()); break;
                    default: Thread.yield(); sum.addAndGet(square(n)); if (n > 30) throw new Chained("n" + n, null);
                }
                return null;
            }));
        }
        for (Future<?> future : futures) {
            try {
                future.get();
            } catch (ExecutionException thrown) {
                sum.addAndGet(thrown.getCause().getMessage().length());
            }
        }
        executor.shutdown();
        return mix(sum.get(), executor.awaitTermination(1, TimeUnit.MINUTES) ? 1 : 0);
    }

    static long text() throws Exception {
        long sum = 0;
        Random random = new Random(42);
        Map<String, Integer> words = new HashMap<>();
        for (int i = 0; i < 300; i++) words.merge("w" + random.nextInt(40), 1, Integer::sum);
        sum = mix(sum, new TreeMap<>(words).toString().hashCode());
        for (int i = 0; i < 20; i++) {
            String line = String.format("%05d %s %.3f", i, new Point(i, -i), Math.sqrt(i));
            for (String word : line.split("[ \\[,]+")) sum = mix(sum, word.replaceAll("(\\d)(\\d)", "$2$1").hashCode());
            sum = mix(sum, Arrays.hashCode(("\u00e4\u4e16" + line).getBytes(StandardCharsets.UTF_8)));
            sum = mix(sum, Math.abs(i - 10) + Math.max(i, 10) + Long.bitCount(i) + Character.toUpperCase((char) ('a' + i)));
        }
        sum = mix(sum, BigInteger.valueOf(3).modPow(BigInteger.valueOf(1001), BigInteger.ONE.shiftLeft(200)).hashCode());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(new ArrayList<>(List.of(new Point(1, 2), new Point(3, 4))));
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            sum = mix(sum, in.readObject().hashCode());
        }
        Map<Integer, Integer> shared = new ConcurrentHashMap<>();
        for (int i = 0; i < 200; i++) shared.compute(i % 17, (key, old) -> old == null ? 1 : old + key);
        sum = mix(sum, shared.hashCode());
        int[][][] cube = new int[3][4][5];
        sink = cube.clone();
        return mix(sum, new Scanner("12 13 x").nextInt());
    }

    static void work() {
        part("exceptions", Everything::exceptions);
        part("overflows", Everything::overflows);
        part("reflection", () -> {
            try {
                return reflection();
            } catch (Exception | Error thrown) {
                throw thrown;
            } catch (Throwable thrown) {
                throw new IllegalStateException(thrown);
            }
        });
        part("streams", Everything::streams);
        part("pools", Everything::pools);
        part("references", Everything::references);
        part("loading", Everything::loading);
        part("synchronisation", Everything::synchronisation);
        part("many", Everything::many);
        part("text", Everything::text);
    }

    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
        if (args.length > 1) {
            Scanner lines = new Scanner(System.in);
            System.out.println("ready");
            while (lines.hasNextLine()) {
                lines.nextLine();
                work();
                System.out.println("done");
            }
        } else {
            work();
        }
        switch (args[0]) {
            case "exit": System.exit(3); break;
            case "halt": System.out.flush(); Runtime.getRuntime().halt(4); break;
            case "throw": throw new IllegalStateException("the end");
            default: break;
        }
    }
}
