import java.lang.ref.Cleaner;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** What the JVM's own threads call once collections have cleared references: they ran before the program did. */
public class References {
    static final CountDownLatch cleaned = new CountDownLatch(5);
    static final CountDownLatch finalized = new CountDownLatch(3);

    static class Old {
        @Override protected void finalize() { leaf(); finalized.countDown(); }
    }

    static void leaf() {}
    static void clean() { leaf(); cleaned.countDown(); }

    static void forget(List<Reference<?>> kept, ReferenceQueue<Object> queue, Cleaner cleaner) {
        for (int i = 0; i < 5; i++) {
            kept.add(new WeakReference<>(new Object(), queue));
            kept.add(new PhantomReference<>(new int[i], queue));
            cleaner.register(new Object(), References::clean);
        }
        for (int i = 0; i < 3; i++) new Old();
    }

    static boolean isDone(int found) {
        return found >= 10 && cleaned.getCount() == 0 && finalized.getCount() == 0;
    }

    public static void main(String[] args) throws Exception {
        List<Reference<?>> kept = new ArrayList<>();
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        forget(kept, queue, Cleaner.create());
        int found = 0;
        // No calls of its own methods: how often it looks depends on the collector.
        while (found < 10 || cleaned.getCount() + finalized.getCount() > 0) {
            System.gc();
            while (queue.remove(100) != null) found++;
        }
        System.out.println("found " + found + " of " + kept.size() + ": " + isDone(found));
    }
}
