package workloads;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Comparator;
import java.util.stream.Stream;

/** NAME CLASS FOLDER ITERATIONS EXPECTED. Exit status: see the run script. */
public final class Harness {
    private static volatile boolean ended;
    private static volatile Throwable stray;

    public static void main(String[] args) throws Exception {
        String name = args[0];
        // A library that calls System.exit must not look like success.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            if (!ended) {
                System.err.println(name + ": failed: the JVM ended before the workload");
                Runtime.getRuntime().halt(70);
            }
        }));
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {
            stray = e;
            System.err.println(name + ": uncaught exception in thread " + thread.getName());
            e.printStackTrace();
        });
        int status;
        Path scratch = Files.createTempDirectory("workload");
        try {
            Workload workload = (Workload) Class.forName(args[1]).getDeclaredConstructor().newInstance();
            workload.folder = Paths.get(args[2]);
            workload.scratch = scratch;
            status = run(workload, name, Integer.parseInt(args[3]), args[4]);
        } catch (Throwable e) {
            System.err.println(name + ": failed");
            e.printStackTrace();
            status = 1;
        }
        delete(scratch);
        System.out.flush();
        ended = true;
        System.exit(status);
    }

    private static int run(Workload workload, String name, int iterations, String expected) throws Exception {
        workload.setup();
        String result = null;
        for (int k = 1; k <= iterations; k++) {
            long start = System.nanoTime();
            Digest digest = new Digest();
            workload.iterate(digest);
            long ms = (System.nanoTime() - start) / 1_000_000;
            System.out.println(name + " iteration " + k + ": " + ms + " ms");
            if (result != null && !result.equals(digest.toString())) {
                System.err.println(name + ": failed: iteration " + k + " gave " + digest + ", the one before " + result);
                return 2;
            }
            result = digest.toString();
        }
        System.out.println(name + " result: " + result);
        if (stray != null) return 1;
        if (expected.equals("none")) {
            System.err.println(name + ": note: no expected result is recorded for these versions");
        } else if (!expected.equals(result)) {
            System.err.println(name + ": failed: the result is " + result + ", expected " + expected);
            return 3;
        }
        return 0;
    }

    static void delete(Path folder) throws Exception {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : (Iterable<Path>) paths.sorted(Comparator.reverseOrder())::iterator) Files.delete(path);
        }
    }
}
