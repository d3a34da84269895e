// Virtual threads that block in mid-call in every way, and what the context tree must then be, by the
// program's own arithmetic.
//
//   VirtualThreads THREADS WAVE FILE
//
// THREADS virtual threads in waves of WAVE: all of a wave are alive, parked at a gate in the middle of
// their calls, at the same time. Writes to FILE, when given, the expected calls as lines
// `calls CONTEXT COUNT` (methods separated by ';') and `resident WAVE KIB`, the memory while the wave
// was parked.
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

public class VirtualThreads {
    static final int WAYS = 8;
    static final ReentrantLock LOCK = new ReentrantLock();
    static final Object MONITOR = new Object();
    static final LinkedBlockingQueue<Integer> QUEUE = new LinkedBlockingQueue<>();
    static final Object NEWS = new Object();
    static int newsFor;               // waves that may go on; under NEWS
    static volatile int unparkedFor;  // the same, for those that park
    static Pipe pipe;
    static long guarded;              // under LOCK
    static long monitored;            // under MONITOR

    static final class Visit implements Runnable {
        final int number;
        final int wave;
        final CountDownLatch arrived;
        final CountDownLatch gate;
        long result;

        Visit(int number, int wave, CountDownLatch arrived, CountDownLatch gate) {
            this.number = number;
            this.wave = wave;
            this.arrived = arrived;
            this.gate = gate;
        }

        @Override public void run() {
            try {
                result = visit(this);
            } catch (Exception e) {
                result = -1;
            }
        }
    }

    static int step(int n) { return n + 1; }

    static long visit(Visit visit) throws Exception {
        long sum = arrive(visit.arrived, visit.gate);
        sum += deep(visit.number % 5, visit);
        try {
            toss(visit.number % 4);
        } catch (IllegalStateException e) {
            sum += step(1);
        }
        return sum;
    }

    static long arrive(CountDownLatch arrived, CountDownLatch gate) throws InterruptedException {
        int before = step(0);
        arrived.countDown();
        gate.await();
        return step(before);
    }

    static long deep(int levels, Visit visit) throws Exception {
        if (levels > 0) return deep(levels - 1, visit) + 1;
        return switch (visit.number % WAYS) {
            case 0 -> sleep();
            case 1 -> lock();
            case 2 -> monitor();
            case 3 -> queue();
            case 4 -> park(visit.wave);
            case 5 -> read();
            case 6 -> await(visit.wave);
            default -> giveWay();
        };
    }

    static void toss(int levels) {
        if (levels == 0) throw new IllegalStateException();
        toss(levels - 1);
    }

    static int sleep() throws InterruptedException {
        int before = step(0);
        Thread.sleep(1);
        return step(before);
    }

    static int lock() {
        int before = step(0);
        LOCK.lock();
        try {
            if (guarded++ % 16 == 0) LockSupport.parkNanos(1000);
            return step(before);
        } finally {
            LOCK.unlock();
        }
    }

    static int monitor() {
        int before = step(0);
        synchronized (MONITOR) {
            if (monitored++ % 16 == 0) LockSupport.parkNanos(1000);
            return step(before);
        }
    }

    static int queue() throws InterruptedException {
        int before = step(0);
        return step(before + QUEUE.take());
    }

    static int park(int wave) {
        int before = step(0);
        while (unparkedFor < wave) LockSupport.park();
        return step(before);
    }

    static int read() throws IOException {
        int before = step(0);
        ByteBuffer one = ByteBuffer.allocate(1);
        pipe.source().read(one);
        return step(before);
    }

    static int await(int wave) throws InterruptedException {
        int before = step(0);
        synchronized (NEWS) {
            while (newsFor < wave) NEWS.wait();
        }
        return step(before);
    }

    static int giveWay() {
        int before = step(0);
        Thread.yield();
        return step(before);
    }

    // How many of the numbers [from, to) block in one way.
    static int blocking(int way, int from, int to) {
        int count = 0;
        for (int i = from; i < to; i++) if (i % WAYS == way) count++;
        return count;
    }

    static long runWave(int wave, int from, int to, boolean first) throws Exception {
        CountDownLatch arrived = new CountDownLatch(to - from);
        CountDownLatch gate = new CountDownLatch(1);
        Visit[] visits = new Visit[to - from];
        Thread[] threads = new Thread[to - from];
        for (int i = from; i < to; i++) {
            visits[i - from] = new Visit(i, wave, arrived, gate);
            Thread.Builder builder = Thread.ofVirtual();
            if (i % 1000 == 7) builder.name("visit-" + i % 3000);
            threads[i - from] = builder.start(visits[i - from]);
        }
        arrived.await();
        if (first || wave % 100 == 0) noteMemory(wave);
        gate.countDown();
        synchronized (NEWS) {
            newsFor = wave;
            NEWS.notifyAll();
        }
        unparkedFor = wave;
        for (int i = from; i < to; i++) if (i % WAYS == 4) LockSupport.unpark(threads[i - from]);
        for (int left = blocking(3, from, to); left > 0; left--) QUEUE.put(1);
        ByteBuffer bytes = ByteBuffer.allocate(blocking(5, from, to));
        while (bytes.hasRemaining()) pipe.sink().write(bytes);
        long sum = 0;
        for (int i = from; i < to; i++) {
            threads[i - from].join();
            sum += visits[i - from].result;
        }
        return sum;
    }

    static final List<String> MEMORY = new ArrayList<>();

    static void noteMemory(int wave) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) MEMORY.add("resident " + wave + " " + line.replaceAll("\\D+", ""));
        }
    }

    static final String[] BLOCKS = {"sleep", "lock", "monitor", "queue", "park", "read", "await", "giveWay"};
    static final Map<String, Long> EXPECTED = new TreeMap<>();

    static void expect(long calls, String... names) {
        if (calls == 0) return;
        StringBuilder context = new StringBuilder();
        for (String name : names) {
            context.append(context.isEmpty() ? "" : ";");
            context.append(name.equals("run") || name.equals("<init>") ? "VirtualThreads$Visit." : "VirtualThreads.");
            context.append(name);
        }
        EXPECTED.merge(context.toString(), calls, Long::sum);
    }

    static String[] under(String[] path, String... names) {
        String[] longer = Arrays.copyOf(path, path.length + names.length);
        System.arraycopy(names, 0, longer, path.length, names.length);
        return longer;
    }

    // How many of the numbers below `threads` leave `rest` when divided by `by`.
    static long leaving(int rest, int by, int threads) { return (threads - rest + by - 1) / by; }

    static void expectAll(int threads) {
        expect(threads, "run");
        expect(threads, "run", "visit");
        expect(threads, "run", "visit", "arrive");
        expect(2L * threads, "run", "visit", "arrive", "step");
        expect(threads, "run", "visit", "step");
        for (int depth = 0; depth < 5; depth++) {
            String[] path = under(new String[] {"run", "visit"},
                Collections.nCopies(depth + 1, "deep").toArray(new String[0]));
            for (int deeper = depth; deeper < 5; deeper++) expect(leaving(deeper, 5, threads), path);
            for (int way = 0; way < WAYS; way++) {
                for (int rest = way; rest < 5 * WAYS; rest += WAYS) {
                    if (rest % 5 != depth) continue;
                    long blocking = leaving(rest, 5 * WAYS, threads);
                    expect(blocking, under(path, BLOCKS[way]));
                    expect(2 * blocking, under(path, BLOCKS[way], "step"));
                }
            }
        }
        for (int levels = 0; levels < 4; levels++) {
            String[] path = under(new String[] {"run", "visit"},
                Collections.nCopies(levels + 1, "toss").toArray(new String[0]));
            for (int more = levels; more < 4; more++) expect(leaving(more, 4, threads), path);
        }
    }

    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[0]);
        int size = Integer.parseInt(args[1]);
        pipe = Pipe.open();
        long sum = 0;
        for (int from = 0, wave = 1; from < threads; from += size, wave++) {
            sum += runWave(wave, from, Math.min(threads, from + size), from == 0);
        }
        noteMemory(0);
        if (args.length > 2) {
            expectAll(threads);
            List<String> lines = new ArrayList<>(MEMORY);
            for (var entry : EXPECTED.entrySet()) lines.add("calls " + entry.getKey() + " " + entry.getValue());
            Files.write(Path.of(args[2]), lines);
        }
        System.out.println(threads + " virtual threads: " + sum);
    }
}
