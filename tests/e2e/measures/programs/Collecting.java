import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.zip.Deflater;

/** Packs in native code while the JVM moves objects, then burns on the finalizer's thread. Prints what packing took, and burning. */
public class Collecting {
    static final ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    static volatile Object kept;
    static volatile long sink, burned;
    static volatile boolean packs = true;

    static class Burning {
        @SuppressWarnings("removal")
        protected void finalize() {
            burn();
        }

        static void burn() {
            long begin = clock.getCurrentThreadCpuTime(), now = begin;
            for (long sum = 0; now - begin < 300_000_000; now = clock.getCurrentThreadCpuTime()) {
                for (int i = 0; i < 1_000_000; i++) sum += i * sum + 7;
                sink = sum;
            }
            burned = now - begin;
        }
    }

    static void collect() {
        Object[] all = new Object[1000];
        for (int i = 0; packs; i++) {
            all[i % all.length] = new byte[2000];
            kept = all;
            if (i % 20_000 == 0) System.gc();
        }
    }

    /** Buffers outside the heap, which keep no collection waiting. */
    static long pack() {
        long begin = clock.getCurrentThreadCpuTime();
        ByteBuffer bytes = ByteBuffer.allocateDirect(1_000_000), packed = ByteBuffer.allocateDirect(1 << 20);
        Random random = new Random(1);
        while (bytes.hasRemaining()) bytes.put((byte) random.nextInt(16));
        Deflater deflater = new Deflater(9);
        for (int i = 0; i < 8; i++) {
            deflater.reset();
            deflater.setInput(bytes.rewind());
            deflater.finish();
            for (packed.clear(); !deflater.finished(); packed.clear()) sink = deflater.deflate(packed);
        }
        deflater.end();
        return clock.getCurrentThreadCpuTime() - begin;
    }

    static void drop() {
        kept = new Burning();
    }

    public static void main(String[] args) throws InterruptedException {
        Thread collecting = new Thread(Collecting::collect);
        collecting.start();
        long packing = pack();
        packs = false;
        collecting.join();
        drop();
        for (kept = null; burned == 0; Thread.sleep(10)) System.gc();
        System.out.println(packing + " " + burned);
    }
}
