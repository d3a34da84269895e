import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import workloads.Digest;
import workloads.Workload;

public class ExceptionsProgram extends Workload {
    private static final class Signal extends RuntimeException {
        final int level;
        Signal(int level) { super(null, null, false, false); this.level = level; }
    }
    private static final class Picky {
        Picky(int n) { if (n % 3 == 0) throw new IllegalArgumentException("n"); }
    }
    private static int dive(int depth, int catchAt, List<Integer> log) {
        try {
            if (depth == 0) throw new Signal(catchAt);
            return dive(depth - 1, catchAt, log) + 1;
        } catch (Signal s) {
            if (s.level != depth) throw s;
            return depth;
        } finally {
            if (depth % 5 == 0) log.add(depth);
        }
    }
    public static int reflected(int n) { return new Picky(n).hashCode() == 0 ? 1 : 2; }
    private static int byVm(int kind, int[] data, Object nothing) {
        try {
            switch (kind) {
                case 0: return nothing.hashCode();
                case 1: return data[data.length];
                case 2: return 1 / data[0];
                default: return ((String) (Object) data).length();
            }
        } catch (RuntimeException e) {
            return e.getClass().getName().length();
        }
    }
    private static int task(Callable<Integer> work) throws InterruptedException {
        FutureTask<Integer> task = new FutureTask<>(work);
        task.run();
        try {
            return task.get();
        } catch (java.util.concurrent.ExecutionException e) {
            return e.getCause().getClass().getSimpleName().length();
        }
    }
    private static int overflow(int n) { return overflow(n + 1) + 1; }

    @Override public void iterate(Digest digest) throws Exception {
        Method reflected = ExceptionsProgram.class.getMethod("reflected", int.class);
        List<Integer> log = new ArrayList<>();
        for (int i = 0; i < 6000; i++) {
            int n = i;
            digest.add(dive(30, 1 + i % 30, log)).add(byVm(i % 4, new int[1], null));
            digest.add(task(() -> dive(n % 20, 99, log)));
            try { digest.add((Integer) reflected.invoke(null, i)); } catch (InvocationTargetException e) { digest.add(e.getCause().getMessage()); }
            try { log.removeIf(x -> new Picky(x + n) == null); } catch (IllegalArgumentException e) { digest.add(log.size()); }
            if (log.size() > 500) log.clear();
        }
        for (int i = 0; i < 10; i++) try { overflow(0); } catch (StackOverflowError e) { digest.add(i); }
    }
}
