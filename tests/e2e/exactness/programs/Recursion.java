// Direct, mutual, tree-shaped, deep and interface recursion.
// e2e: jdk-below Recursion.measured
public class Recursion {
    interface Step { long next(Step self, int n); }

    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    static boolean even(int n) { return n == 0 || odd(n - 1); }
    static boolean odd(int n) { return n != 0 && even(n - 1); }
    static int ackermann(int m, int n) {
        if (m == 0) return n + 1;
        if (n == 0) return ackermann(m - 1, 1);
        return ackermann(m - 1, ackermann(m, n - 1));
    }
    static int deep(int n) { return n == 0 ? 0 : 1 + deep(n - 1); }
    static long threeWays(int n) {
        if (n <= 0) return 1;
        long sum = threeWays(n - 1);
        if ((n & 1) == 0) sum += threeWays(n - 2);
        else sum -= threeWays(n - 3);
        return sum;
    }
    static void hanoi(int n, int[] moves, int from, int to, int by) {
        if (n == 0) return;
        hanoi(n - 1, moves, from, by, to);
        moves[to]++;
        hanoi(n - 1, moves, by, to, from);
    }

    static long work() {
        long sum = fib(17) + (even(200) ? 1 : 0) + ackermann(2, 6) + deep(500) + threeWays(14);
        int[] moves = new int[3];
        hanoi(9, moves, 0, 2, 1);
        Step step = (self, n) -> n == 0 ? 1 : n + self.next(self, n - 1);
        return sum + moves[2] + step.next(step, 60);
    }

    /** Called after rehearsals: nothing is loaded or linked below it any more. */
    static long measured() { return work(); }

    public static void main(String[] args) {
        long sum = 0;
        for (int i = 0; i < 8; i++) sum += work();
        System.out.println("recursion " + sum + " " + measured());
    }
}
