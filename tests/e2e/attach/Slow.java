import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.concurrent.SynchronousQueue;
import java.util.function.IntUnaryOperator;

/**
 * A program whose classes are loaded again in several batches, and an agent in it that has the program call methods
 * meanwhile: early() of every class whenever eight of them are loaded again, and once hold() of all, each from the one
 * before. The frames of hold() live until they are told to call late().
 */
public class Slow implements ClassFileTransformer {
    static final int FILLERS = 300;
    public static final IntUnaryOperator[] fillers = new IntUnaryOperator[FILLERS];
    static final SynchronousQueue<Integer> asked = new SynchronousQueue<>(), done = new SynchronousQueue<>();
    public static final SynchronousQueue<Integer> held = new SynchronousQueue<>(), late = new SynchronousQueue<>();
    static volatile int loadedAgain;

    public static class Filler implements IntUnaryOperator {
        public int applyAsInt(int what) {
            if (what == 0) return early(what);
            return what < 0 ? after(what) : hold(what);
        }
        static int early(int n) { return n + 1; }
        static int after(int n) { return n + 1; }
        static int late(int n) { return n + 1; }

        static int hold(int next) {
            if (next < fillers.length) return fillers[next].applyAsInt(next + 1);
            try {
                held.put(next);
                int sum = 0;
                for (int left = late.take(); left > 0; left--) sum = late(sum);
                held.put(sum);
                return sum;
            } catch (InterruptedException ended) {
                throw new IllegalStateException(ended);
            }
        }
    }

    static class Loader extends ClassLoader {
        Loader() { super(Slow.class.getClassLoader()); }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals("Slow$Filler")) return super.loadClass(name, resolve);
            try (InputStream file = getResourceAsStream("Slow$Filler.class")) {
                byte[] bytes = file.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException failed) {
                throw new ClassNotFoundException(name, failed);
            }
        }
    }

    public byte[] transform(ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] bytes) {
        if (type == null || !"Slow$Filler".equals(name)) return null;
        try {
            if (++loadedAgain % 8 == 0) {
                asked.put(0);
                done.take();
            }
            if (loadedAgain == FILLERS - 1) {
                new Thread(() -> fillers[0].applyAsInt(1)).start();
                held.take();
            }
        } catch (InterruptedException ended) {
            throw new IllegalStateException(ended);
        }
        return null;
    }

    public static void premain(String arguments, Instrumentation instrumentation) {
        instrumentation.addTransformer(new Slow(), true);
    }

    static void serve() {
        try {
            for (;;) {
                int what = asked.take();
                for (IntUnaryOperator filler : fillers) filler.applyAsInt(what);
                done.put(what);
            }
        } catch (InterruptedException ended) {
            throw new IllegalStateException(ended);
        }
    }

    static String answer(String command, int count) throws Exception {
        if (command.equals("late")) {
            late.put(count);
            return "late " + held.take();
        }
        for (int i = 0; i < count; i++) {
            asked.put(-1);
            done.take();
        }
        return "called " + loadedAgain;
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < FILLERS; i++) {
            fillers[i] = (IntUnaryOperator) Class.forName("Slow$Filler", true, new Loader()).getDeclaredConstructor().newInstance();
        }
        Thread server = new Thread(Slow::serve);
        server.setDaemon(true);
        server.start();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("ready");
        for (String line = in.readLine(); line != null && !line.equals("end"); line = in.readLine()) {
            String[] words = line.split(" ");
            System.out.println(answer(words[0], Integer.parseInt(words[1])));
        }
        System.out.println("bye");
    }
}
