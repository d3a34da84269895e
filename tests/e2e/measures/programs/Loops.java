/** Computes in loops that count: before a method's first call, behind its last one, between two, and without any. */
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

    static void round(int turns) {
        sink += (long) (leaf(turns) + early(turns) + late(turns) + between(turns));
    }

    public static void main(String[] args) {
        // Compiled with its callees in it, first.
        for (int i = 0; i < 3000; i++) round(1000);
        for (int i = 0; i < 200; i++) round(333_333);
    }
}
