import java.io.IOException;
import java.io.InputStream;
import java.util.function.IntUnaryOperator;

/**
 * A loader whose own code is recorded, asked wherever a method just is. Above all for a class in the methods'
 * signatures that no loader finds: the JVM asks again whenever it wants such a method compiled. Prints the same in
 * every run, and on standard error how often it asked.
 */
public class Askers {
    static class Missing {}

    public static class Work implements IntUnaryOperator {
        @Override public int applyAsInt(int n) {
            int sum = 0;
            for (int i = 0; i < n; i++) sum += outer(null, i & 31);
            return sum;
        }

        int outer(Missing missing, int n) {
            int sum = 0;
            for (int i = 0; i < n; i++) sum += middle(missing, i) - inner(missing, i);
            return sum;
        }

        int middle(Missing missing, int n) { return inner(missing, n) + inner(missing, n + 1); }

        int inner(Missing missing, int n) { return n < 30 ? calls(missing, n) : other(n); }

        int calls(Missing missing, int n) { return other(n) + loops(missing, n); }

        /** Calls nothing. */
        static int loops(Missing missing, int n) {
            int sum = 0;
            for (int i = 0; i < n; i++) sum ^= i * n;
            return sum;
        }

        static int other(int n) { return n ^ loops(null, 3) + larger(n); }

        /** With --jdk the JVM asks the loader for Math in here. */
        static int larger(int n) { return Math.max(n, 7); }
    }

    static final class Asked extends ClassLoader {
        int refused;

        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.endsWith("$Missing")) return refuse(name);
            if (!name.endsWith("$Work")) return super.loadClass(name, resolve);
            try (InputStream in = Askers.class.getResourceAsStream("Askers$Work.class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }

        Class<?> refuse(String name) throws ClassNotFoundException {
            refused++;
            throw new ClassNotFoundException(name);
        }
    }

    /** LOADERS ROUNDS */
    public static void main(String[] arguments) throws Exception {
        int sum = 0;
        int refused = 0;
        for (int i = Integer.parseInt(arguments[0]); i > 0; i--) {
            Asked loader = new Asked();
            IntUnaryOperator work = (IntUnaryOperator) loader.loadClass("Askers$Work").getDeclaredConstructor().newInstance();
            sum += work.applyAsInt(Integer.parseInt(arguments[1]));
            refused += loader.refused;
        }
        System.out.println(sum);
        System.err.println("asked " + refused + " times");
    }
}
