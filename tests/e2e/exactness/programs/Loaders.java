// Class loaders written in Java: the JVM calls loadClass by itself, from resolution and linking, and
// two loaders give two classes of one name. The loader's own calls are left out: calls that cannot lead
// to application code store no site, so that a class loaded on their behalf has none (tests/e2e/beside
// compares them without sites).
// e2e: ignore Loaders$Own.loadClass
// e2e: ignore Loaders$Own.findClass
// e2e: ignore Loaders$Own.mine
// e2e: ignore Loaders$Own.read
import java.io.IOException;
import java.io.InputStream;
import java.util.function.IntUnaryOperator;

public class Loaders {
    static int touched;
    public static int touch(int n) { touched += n; return n; }

    static class Own extends ClassLoader {
        Own(ClassLoader parent) { super(parent); }
        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> found = findLoadedClass(name);
                if (found == null && mine(name)) found = findClass(name);
                return found != null ? found : super.loadClass(name, resolve);
            }
        }
        @Override protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] bytes = read(name.replace('.', '/') + ".class");
            return defineClass(name, bytes, 0, bytes.length);
        }
        static boolean mine(String name) { return name.startsWith("Loaders$Plugin"); }
        static byte[] read(String path) throws ClassNotFoundException {
            try (InputStream in = Loaders.class.getClassLoader().getResourceAsStream(path)) {
                return in.readAllBytes();
            } catch (IOException e) {
                throw new ClassNotFoundException(path, e);
            }
        }
    }

    public static class Plugin implements IntUnaryOperator {
        @Override public int applyAsInt(int n) {
            try {
                return new PluginHelper().help(n) + PluginConstants.BASE + PluginStatics.get(n);
            } catch (PluginTrouble e) {
                return e.code(n);
            }
        }
    }
    public static class PluginBase { int base(int n) { return touch(n); } }
    public static class PluginHelper extends PluginBase {
        int help(int n) throws PluginTrouble {
            if (n % 3 == 2) throw new PluginTrouble();
            Object o = n % 2 == 0 ? new PluginPart() : "text";
            return o instanceof PluginPart ? ((PluginPart) o).size() : base(n);
        }
    }
    public static class PluginPart { int size() { return touch(4); } }
    public static class PluginConstants { static final Integer BASE = touch(40); }
    public static class PluginStatics { static int get(int n) { return touch(n); } }
    public static class PluginTrouble extends Exception {
        PluginTrouble() { super(null, null, false, false); }
        int code(int n) { return touch(n) + 1; }
    }

    public static void main(String[] args) throws Exception {
        int sum = 0;
        IntUnaryOperator[] plugins = new IntUnaryOperator[3];
        for (int i = 0; i < plugins.length; i++) {
            Own loader = new Own(Loaders.class.getClassLoader());
            plugins[i] = (IntUnaryOperator) loader.loadClass("Loaders$Plugin").getDeclaredConstructor().newInstance();
            sum += plugins[i].applyAsInt(i);
        }
        for (int i = 0; i < 30000; i++) sum += plugins[i % 3].applyAsInt(i & 15);
        System.out.println("loaders " + sum + " " + touched);
    }
}
