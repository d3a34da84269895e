import workloads.Digest;
import workloads.Workload;

/**
 * The program with which Wang, Li and Leung (2016, Figure 5) compare PCCE and RCCE: the entry is given an array of
 * integers and calls a recursive method for each. All are of one size, so that a figure is of one depth of recursion;
 * the number of calls is the same for every depth.
 */
public class FactorialProgram extends Workload {
    private static final int CALLS = 4_000_000;
    private static final long MODULUS = 1_000_000_007;

    private static long factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1) % MODULUS; }

    private static long product(int n) {
        long product = 1;
        for (int factor = 2; factor <= n; factor++) product = product * factor % MODULUS;
        return product;
    }

    @Override public void iterate(Digest digest) {
        int depth = Integer.getInteger("depth", 100);
        int[] numbers = new int[Math.max(1, CALLS / depth)];
        java.util.Arrays.fill(numbers, depth);
        long expected = product(depth);
        int wrong = 0;
        for (int number : numbers) wrong += factorial(number) == expected ? 0 : 1;
        digest.add(wrong);  // the same for every depth
    }
}
