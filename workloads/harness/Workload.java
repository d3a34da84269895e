package workloads;

import java.nio.file.Path;

/** One program of the set. setup() once, then iterate() as often as asked, each time the same work. */
public abstract class Workload {
    /** The workload's own folder of the sources: style sheets, scripts. */
    protected Path folder;
    /** An empty folder for whatever it writes. */
    protected Path scratch;

    public void setup() throws Exception {}

    /** Does the work and adds everything it produced to the digest. Its threads are joined on return. */
    public abstract void iterate(Digest digest) throws Exception;

    /** A thread's share of the work. */
    public interface Part { void run(int index, Digest digest) throws Exception; }

    /** Runs `count` threads to their end; their digests are added in order of index. */
    protected static void inThreads(int count, Digest digest, Part part) throws Exception {
        Digest[] digests = new Digest[count];
        Throwable[] failures = new Throwable[count];
        Thread[] threads = new Thread[count];
        for (int i = 0; i < count; i++) {
            int index = i;
            digests[i] = new Digest();
            threads[i] = new Thread(() -> {
                try {
                    part.run(index, digests[index]);
                } catch (Throwable e) {
                    failures[index] = e;
                }
            }, "part-" + i);
            threads[i].start();
        }
        for (int i = 0; i < count; i++) {
            threads[i].join();
            if (failures[i] != null) throw new Exception("thread part-" + i + " failed", failures[i]);
            digest.add(digests[i].value());
        }
    }
}
