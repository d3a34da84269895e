package workloads;

import java.util.Random;

/** Reproducible random text and numbers. java.util.Random's sequence is fixed by its specification. */
public final class Texts {
    private static final String[] SYLLABLES = {"ka", "lo", "mi", "ren", "tu", "sal", "ver", "no", "din", "pa", "o", "gra"};
    private final Random random;

    public Texts(long seed) { random = new Random(seed); }

    public int below(int n) { return random.nextInt(n); }
    public double unit() { return random.nextDouble(); }
    public boolean chance(int percent) { return below(100) < percent; }
    public static String word(int n) {
        StringBuilder b = new StringBuilder();
        for (n += 12; n > 0; n /= 12) b.append(SYLLABLES[n % 12]);
        return b.toString();
    }
    /** Small numbers are more frequent, as in a language. */
    public String word() { return word((int) (below(4000) * unit() * unit())); }
    public String sentence(int words) {
        StringBuilder b = new StringBuilder(word());
        for (int i = 1; i < words; i++) b.append(' ').append(word());
        return b.append('.').toString();
    }
    public String paragraph(int sentences) {
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < sentences; i++) b.append(sentence(4 + below(12))).append(' ');
        return b.toString();
    }
}
