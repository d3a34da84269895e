package org.openjdk.jmh;

import copse.Jmh;
import java.io.File;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.runner.IterationType;

/** Does with a profiler what JMH does: a fork for each trial, with iterations of a fixed number of calls. */
public class Harness {
    static final int WARM_UP = 1000, MEASURED = 300, ITERATIONS = 3;

    /** Words: the profiler's line, the benchmark, operations per invocation, forks. */
    public static void main(String[] words) throws Exception {
        String name = words[1];
        int operations = Integer.parseInt(words[2]), forks = Integer.parseInt(words[3]);
        List<String> labels = name.endsWith(".group") ? List.of("reader", "writer") : List.of();
        BenchmarkParams params = new BenchmarkParams(name, operations, labels);
        Jmh profiler = new Jmh(words[0]);
        for (int fork = 0; fork < forks; fork++) {
            List<String> command = new ArrayList<>(profiler.addJVMInvokeOptions(params));
            command.add(System.getProperty("java.home") + "/bin/java");
            command.addAll(profiler.addJVMOptions(params));
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), Fork.class.getName(), words[0], name));
            profiler.beforeTrial(params);
            Process process = new ProcessBuilder(command).inheritIO().start();
            long pid = process.pid();
            if (process.waitFor() != 0) throw new IllegalStateException("the fork failed");
            print(profiler.afterTrial(new BenchmarkResult(params), pid, new File("out"), new File("err")));
        }
    }

    static void print(Collection<? extends Result> results) {
        for (Result<?> result : results) System.out.println(result.getLabel() + " " + result.extendedInfo());
    }

    static class Fork {
        public static void main(String[] words) throws Exception {
            Jmh profiler = new Jmh(words[0]);
            BenchmarkParams params = new BenchmarkParams(words[1], 1, List.of());
            Runnable body = demo.jmh_generated.Stubs.of(words[1]);
            for (int i = 0; i <= ITERATIONS; i++) {
                IterationType type = i == 0 ? IterationType.WARMUP : IterationType.MEASUREMENT;
                IterationParams iteration = new IterationParams(type);
                profiler.beforeIteration(params, iteration);
                demo.Orders.prepare();
                for (int call = 0; call < (i == 0 ? WARM_UP : MEASURED); call++) body.run();
                profiler.afterIteration(params, iteration, new IterationResult());
            }
        }
    }
}
