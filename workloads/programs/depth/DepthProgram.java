import java.util.function.IntUnaryOperator;
import workloads.Digest;
import workloads.Workload;

/**
 * Recurses to 80 % of the depth at which the JVM without anything beside it runs out of stack, in threads of
 * its own. Compiled at once (-Xbatch), so that what is compiled by then does not depend on chance.
 */
public class DepthProgram extends Workload {
    private static final int DEFAULT_KIB = 1024;
    // Of 1 MiB, x86-64, JDK 17 and 25: interpreted, and compiled by the compiler with the larger frames.
    private static final Shape[] SHAPES = {
        new Shape(DepthProgram::down, 7_860, 18_880),
        new Shape(DepthProgram::mutual, 1_960, 6_740),
        new Shape(depth -> new Chain(depth).accept(new Visitor()), 3_630, 9_440),
        new Shape(DepthProgram::guarded, 7_260, 18_880),
    };

    private record Shape(IntUnaryOperator recurse, int cold, int warm) {}

    private static int down(int n) { return n == 0 ? 0 : down(n - 1) + 1; }

    private static int mutual(int n) { return n == 0 ? 0 : second(n) + 1; }
    private static int second(int n) { return third(n) + 1; }
    private static int third(int n) { return fourth(n) + 1; }
    private static int fourth(int n) { return mutual(n - 1) + 1; }

    private static final class Chain {
        int left;
        Chain(int left) { this.left = left; }
        int accept(Visitor visitor) { return visitor.visit(this); }
    }
    private static final class Visitor {
        int visit(Chain chain) { return chain.left-- == 0 ? 0 : chain.accept(this) + 1; }
    }

    private static int finished;
    private static int guarded(int n) {
        if (n == 0) return 0;
        try {
            return guarded(n - 1) + 1;
        } finally {
            finished++;
        }
    }

    private static int inThread(int kib, IntUnaryOperator recurse, int depth) {
        int[] result = {-1};
        Thread thread = new Thread(null, () -> result[0] = recurse.applyAsInt(depth), "deep", (long) kib << 10);
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return result[0];
    }

    @Override public void iterate(Digest digest) {
        finished = 0;
        for (Shape shape : SHAPES) {
            digest.add(inThread(0, shape.recurse, shape.cold));
            for (int i = 0; i < 20_000; i++) shape.recurse.applyAsInt(20);
            digest.add(inThread(0, shape.recurse, shape.warm));
            digest.add(inThread(4 * DEFAULT_KIB, shape.recurse, 4 * shape.warm));
            digest.add(finished);
        }
    }
}
