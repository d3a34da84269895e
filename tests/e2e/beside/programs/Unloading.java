// A class loader per round, used and dropped, as servers and script engines do. Prints the calls made; and
// on standard error, for the test, the classes that the JVM unloaded and the memory of the process.
//
// Arguments: rounds
import java.lang.management.ManagementFactory;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntUnaryOperator;

public class Unloading {
    public static class Plugin implements IntUnaryOperator {
        public int applyAsInt(int n) { return new PluginPart(n).sum(); }
    }
    static class PluginPart {
        private final int n;
        PluginPart(int n) { this.n = n; }
        int sum() { return n == 0 ? 0 : first() + second(n - 1); }
        int first() { return third() + 1; }
        int second(int m) { return m < 2 ? third() : second(m - 1) + third(); }
        int third() { return n; }
    }

    static int round(URL[] place, int n) throws Exception {
        try (URLClassLoader loader = new URLClassLoader(place, ClassLoader.getPlatformClassLoader())) {
            Class<?> type = loader.loadClass("Unloading$Plugin");
            return ((IntUnaryOperator) type.getDeclaredConstructor().newInstance()).applyAsInt(n % 5);
        }
    }

    static String resident() throws Exception {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(line -> line.startsWith("VmRSS")).findFirst().orElse("").replaceAll("\\D", "");
    }

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        URL[] place = {Unloading.class.getProtectionDomain().getCodeSource().getLocation()};
        int total = 0;
        for (int i = 0; i < rounds; i++) {
            total += round(place, i);
            if (i % 1000 == 999) System.gc();
        }
        System.out.println("unloading " + total);
        System.gc();
        System.err.println(ManagementFactory.getClassLoadingMXBean().getUnloadedClassCount() + " " + resident());
    }
}
