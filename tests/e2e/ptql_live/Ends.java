import java.io.Closeable;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Objects that die, some of them closed before, and some that live until the end. */
public class Ends {
    static class Handle implements Closeable {
        int used;

        void use(int n) { used = n; }

        @Override
        public void close() {}
    }

    static final List<Handle> kept = new ArrayList<>();
    static final Set<Reference<Handle>> dying = new HashSet<>();
    static final ReferenceQueue<Handle> dead = new ReferenceQueue<>();

    static void afterwards(int round) {}

    static void make() {
        for (int i = 0; i < 50; i++) {
            Handle handle = new Handle();
            handle.use(i);
            if (i % 2 == 0) handle.close();
            if (i % 5 == 0) {
                kept.add(handle);
            } else {
                dying.add(new PhantomReference<>(handle, dead));
            }
        }
    }

    public static void main(String[] arguments) {
        make();
        while (!dying.isEmpty()) {
            System.gc();
            for (Reference<?> found; (found = dead.poll()) != null; ) dying.remove(found);
        }
        for (int round = 0; round < 20; round++) {
            System.gc();
            afterwards(round);
        }
        System.out.println("went well: " + kept.size());
    }
}
