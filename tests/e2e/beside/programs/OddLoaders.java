// Loaders that do not do what a loader is expected to: each gives a class of the same name, and only what
// it finds fit of the rest. Each must work as it does alone.
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.function.IntUnaryOperator;

public class OddLoaders {
    static final String PLUGIN = "OddLoaders$Plugin";
    static final String GUEST = "OddLoaders$Guest";

    static int touched;
    static synchronized int touch(int n) { touched += n; return n; }

    /** Loads the plugins itself; what becomes of any other name is up to `other`. */
    abstract static class Base extends ClassLoader {
        Base() { super(null); }
        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> found = findLoadedClass(name);
                if (found != null) return found;
                return name.startsWith("OddLoaders$Plugin") || name.equals(GUEST) ? own(name) : other(name);
            }
        }
        final Class<?> own(String name) throws ClassNotFoundException {
            try (InputStream in = OddLoaders.class.getResourceAsStream("/" + name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
        abstract Class<?> other(String name) throws ClassNotFoundException;
    }

    /** As OSGi's: java.* from above, nothing else. */
    static class JavaOnly extends Base {
        @Override Class<?> other(String name) throws ClassNotFoundException {
            if (name.startsWith("java.")) return getPlatformClassLoader().loadClass(name);
            throw new ClassNotFoundException(name);
        }
    }
    /** Remembers what it was asked for. */
    static class Curious extends JavaOnly {
        final List<String> names = new ArrayList<>();
        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            names.add(name);
            return super.loadClass(name, resolve);
        }
    }
    /** A sandbox with a list: whatever is not on it is an error. */
    static class Listed extends Base {
        static final Set<String> LIST = Set.of("java.lang.Object", "java.lang.Integer", "java.lang.String",
            "java.lang.Throwable", "java.lang.IllegalStateException", "java.util.function.IntUnaryOperator");
        @Override Class<?> other(String name) throws ClassNotFoundException {
            if (!LIST.contains(name)) throw refusal(name);
            return getPlatformClassLoader().loadClass(name);
        }
        RuntimeException refusal(String name) { return new SecurityException(name); }
    }
    /** The same, with an unexpected error. */
    static class Violent extends Listed {
        @Override Class<?> other(String name) throws ClassNotFoundException {
            if (!LIST.contains(name)) throw new StackOverflowError(name);
            return super.other(name);
        }
    }
    /** Says nothing where others throw. */
    static class Silent extends Base {
        @Override Class<?> other(String name) throws ClassNotFoundException {
            return Listed.LIST.contains(name) ? getPlatformClassLoader().loadClass(name) : null;
        }
    }
    /** Gives another class than it was asked for. */
    static class Liar extends Base {
        @Override Class<?> other(String name) throws ClassNotFoundException {
            return getPlatformClassLoader().loadClass(Listed.LIST.contains(name) ? name : "java.lang.Object");
        }
    }
    /** Uses another thread, which may need the loader too, and its own cache. */
    static class Threaded extends Base {
        @Override Class<?> other(String name) throws ClassNotFoundException {
            Class<?>[] found = {null};
            Thread helper = new Thread(() -> {
                try {
                    found[0] = getPlatformClassLoader().loadClass(name);
                } catch (ClassNotFoundException e) {
                    found[0] = null;
                }
            });
            helper.start();
            try {
                helper.join();
            } catch (InterruptedException e) {
                throw new ClassNotFoundException(name, e);
            }
            if (found[0] == null) throw new ClassNotFoundException(name);
            return found[0];
        }
    }
    /** Without any lock: threads define the same class at the same time, and all but one of them fail. */
    static class Parallel extends JavaOnly {
        static { registerAsParallelCapable(); }
        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("OddLoaders$Plugin")) return other(name);
            try {
                return own(name);
            } catch (LinkageError late) {
                return findLoadedClass(name);
            }
        }
    }

    public static class Plugin implements IntUnaryOperator {
        private final PluginPart part = new PluginPart();
        public int applyAsInt(int n) {
            try {
                return part.part(n) + twice(n);
            } catch (IllegalStateException e) {
                return -1;
            }
        }
        static int twice(int n) { return PluginPart.once(n) + PluginPart.once(n); }
    }
    public static class PluginPart {
        static int once(int n) { return n; }
        int part(int n) {
            if (n % 3 == 0) throw new IllegalStateException("three");
            return deeper(n) + 1;
        }
        int deeper(int n) { return n == 0 ? 0 : deeper(n - 1) + once(1); }
    }

    /** What loaders that cannot find the probes load: left alone by name, so another one than the rest. */
    public static class Guest implements IntUnaryOperator {
        public int applyAsInt(int n) { return n == 0 ? 0 : applyAsInt(n - 1) + half(n); }
        static int half(int n) { return n / 2; }
    }

    static int use(Base loader, String name) throws Exception {
        Class<?> type = loader.loadClass(name);
        IntUnaryOperator plugin = (IntUnaryOperator) type.getDeclaredConstructor().newInstance();
        int sum = 0;
        for (int i = 0; i < 100; i++) sum += plugin.applyAsInt(i % 10);
        return touch(sum);
    }

    /** Eight threads load the same classes of the same loaders at the same time. */
    static void race() throws Exception {
        for (int round = 0; round < 5; round++) {
            Parallel loader = new Parallel();
            CyclicBarrier start = new CyclicBarrier(8);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Thread thread = new Thread(() -> {
                    try {
                        start.await();
                        use(loader, PLUGIN);
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                });
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) thread.join();
        }
    }

    static void say(Base loader, int result) {
        System.out.println(loader.getClass().getSimpleName() + " " + result);
    }

    public static void main(String[] args) throws Exception {
        if (args.length > 0 && args[0].equals("asked")) {
            Curious loader = new Curious();
            say(loader, use(loader, PLUGIN));
            for (String name : loader.names) System.out.println("asked for " + name);
        } else if (args.length > 0) {
            race();
        } else {
            for (Base loader : new Base[] {new JavaOnly(), new Threaded(), new Parallel()}) say(loader, use(loader, PLUGIN));
            for (Base loader : new Base[] {new Listed(), new Violent(), new Silent(), new Liar()}) {
                say(loader, use(loader, GUEST));
            }
        }
        System.out.println("touched " + touched);
    }
}
