import java.util.Arrays;
import java.util.Random;

/**
 * Computes in loops that count: before a method's first call, behind its last one, between two, and without any. Each method makes as many
 * turns as the others, in random parts: a sampler is never in step.
 */
public class Loops {
    static volatile long sink;
    static int ticks;

    static void tick() {
        ticks++;
    }

    static double leaf(int turns) {
        double sum = 0;
        for (int i = 1; i < turns; i++) sum += Math.sqrt(i) / i;
        return sum;
    }

    static double early(int turns) {
        double sum = 0;
        for (int i = 1; i < turns; i++) sum += Math.sqrt(i) / i;
        tick();
        return sum;
    }

    static double late(int turns) {
        tick();
        double sum = 0;
        for (int i = 1; i < turns; i++) sum += Math.sqrt(i) / i;
        return sum;
    }

    static double between(int turns) {
        tick();
        double sum = 0;
        for (int i = 1; i < turns; i++) sum += Math.sqrt(i) / i;
        tick();
        return sum;
    }

    static void round(int[] turns, int i) {
        sink += (long) (leaf(turns[i]) + early(turns[i + 1]) + late(turns[i + 2]) + between(turns[i + 3]));
    }

    public static void main(String[] args) {
        int rounds = 800;
        int[] turns = new int[rounds + 3];
        // Compiled with its callees in it, first.
        Arrays.fill(turns, 1000);
        for (int i = 0; i < 3000; i++) round(turns, 0);
        Random random = new Random(1);
        for (int i = 0; i < turns.length; i++) turns[i] = i < rounds ? random.nextInt(166_667) : turns[i - rounds];
        for (int i = 0; i < rounds; i++) round(turns, i);
    }
}
