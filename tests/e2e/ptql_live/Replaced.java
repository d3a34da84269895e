import java.util.Arrays;

/**
 * Calls methods of the JDK that compilers replace by code of their own, or leave out, so often that they are compiled.
 *
 * Argument: how often
 */
public class Replaced {
    static int sum;
    static String word = "your".substring(1);
    static final byte[] some = new byte[40], others = new byte[40];

    static void add(int i) { sum += Math.addExact(i, 3); }
    static void abs(int i) { sum += Math.abs(i - 5); }
    static void larger(int i) { sum += (int) Math.max((double) i, 4.0); }
    static void bits(int i) { sum += Integer.bitCount(i); }
    static void box(int i) { sum += Integer.valueOf(i).hashCode(); }
    static void unused(int i) { Long.valueOf(i + 300L); }
    static void build(int i) { sum += new StringBuilder("x").append(i).toString().length(); }
    static void same(int i) { sum += Arrays.equals(some, others) ? 1 : 0; }
    static void alike(int i) { sum += "you".equals(word) ? 1 : 0; }
    static void copy(int i) { sum += Arrays.copyOf(some, 50).length; }
    static void sine(int i) { sum += (int) (3 * Math.sin(i)); }

    public static void main(String[] arguments) {
        int calls = Integer.parseInt(arguments[0]);
        for (int i = 0; i < calls; i++) {
            add(i);
            abs(i);
            larger(i);
            bits(i);
            box(i);
            unused(i);
            build(i);
            same(i);
            alike(i);
            copy(i);
            sine(i);
        }
        System.out.println("sum " + sum);
    }
}
