import workloads.Digest;
import workloads.Workload;

public class RecursionProgram extends Workload {
    private interface Node { int value(int depth); }
    private static final class Leaf implements Node {
        final int n;
        Leaf(int n) { this.n = n; }
        @Override public int value(int depth) { return n ^ depth; }
    }
    private static final class Branch implements Node {
        final Node left, right;
        Branch(Node left, Node right) { this.left = left; this.right = right; }
        @Override public int value(int depth) { return left.value(depth + 1) * 31 + right.value(depth + 1); }
    }
    private static Node build(int depth, int n) { return depth == 0 ? new Leaf(n) : new Branch(build(depth - 1, 2 * n), build(depth - 1, 2 * n + 1)); }
    private static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    private static int ackermann(int m, int n) { return m == 0 ? n + 1 : ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1)); }
    private static int deep(int n) { return n == 0 ? 0 : 1 + deeper(n - 1); }
    private static int deeper(int n) { return n == 0 ? 1 : 2 + deep(n - 1); }
    private static int queens(int n, int row, int columns, int up, int down) {
        if (row == n) return 1;
        int found = 0;
        for (int free = ~(columns | up | down) & (1 << n) - 1; free != 0; free &= free - 1) {
            int bit = free & -free;
            found += queens(n, row + 1, columns | bit, (up | bit) << 1, (down | bit) >> 1);
        }
        return found;
    }

    @Override public void iterate(Digest digest) {
        for (int i = 0; i < 60; i++) digest.add(fib(26)).add(ackermann(2, 200)).add(queens(9, 0, 0, 0, 0));
        for (int i = 0; i < 300; i++) digest.add(deep(20_000));
        Node tree = build(15, 1);
        for (int i = 0; i < 120; i++) digest.add(tree.value(i));
    }
}
