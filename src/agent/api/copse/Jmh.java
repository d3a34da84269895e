package copse;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.ExternalProfiler;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.profile.ProfilerException;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;
import org.openjdk.jmh.results.TextResult;
import org.openjdk.jmh.runner.IterationType;

/**
 * A profiler of JMH, {@code -prof copse.Jmh}: exact calls, allocated bytes, exceptions and waits for monitors of one operation, as
 * secondary results, and the report and page of each fork.
 *
 * <p>Each fork runs under {@code copse run}. Before the first measured iteration the fork writes its report so far,
 * with {@code copse dump}, so that the warm-up can be subtracted. An operation is a call of the benchmark method, or a part
 * of one where {@code @OperationsPerInvocation} says so. What the method and its callees do counts; fixtures do not.
 *
 * <p>JMH makes an instance in its own process and one in each fork.
 */
public final class Jmh implements ExternalProfiler, InternalProfiler {
    private static final String WARM_UP = "copse.jmh.warmup";  // property of a fork: file for its report so far
    private static final String HARNESS = "org.openjdk.jmh.**,**.jmh_generated.**,copse.**";

    private final Path folder;
    private final String copse;
    private final List<String> options = new ArrayList<>();
    private int forks;
    private Path report;
    private Path warmUp;
    private boolean isMeasured;  // in a fork: the warm-up is over

    /** {@code line}: {@code key=value} with {@code ;} between them: dir, copse, options. */
    public Jmh(String line) throws ProfilerException {
        Map<String, String> values = new TreeMap<>(Map.of("dir", ".", "copse", command(), "options", ""));
        for (String part : line.isBlank() ? new String[0] : line.split(";")) {
            String[] pair = part.strip().split("=", 2);
            if (pair.length != 2 || values.replace(pair[0], pair[1]) == null) {
                throw new ProfilerException("copse.Jmh: " + part + ": there are dir=FOLDER, copse=COMMAND and"
                    + " options=OPTIONS of copse run, with ; between them");
            }
        }
        folder = Path.of(values.get("dir")).toAbsolutePath().normalize();
        copse = values.get("copse");
        for (String option : values.get("options").split(" ")) {
            if (!option.isEmpty()) options.add(option);
        }
        try {
            run(List.of(copse, "--version"));
        } catch (IllegalStateException e) {
            throw new ProfilerException(e.getMessage() + "; copse.Jmh:copse=COMMAND names the command of Copse");
        }
    }

    /** The command beside this jar where it was built or installed, else the one on the path. */
    private static String command() {
        CodeSource source = Jmh.class.getProtectionDomain().getCodeSource();
        try {
            if (source == null || source.getLocation() == null) return "copse";
            File jar = new File(source.getLocation().toURI());
            for (String place : new String[] {"copse", "../../bin/copse"}) {
                File file = new File(jar.getParentFile(), place);
                if (file.isFile() && file.canExecute()) return file.getCanonicalPath();
            }
        } catch (URISyntaxException | IllegalArgumentException | IOException e) {
            return "copse";  // the jar is no file
        }
        return "copse";
    }

    @Override
    public String getDescription() {
        return "Copse: exact calls, allocated bytes and exceptions of one operation, by calling context";
    }

    @Override
    public Collection<String> addJVMInvokeOptions(BenchmarkParams params) {
        forks++;
        String name = params.id().replace('%', '_') + (forks == 1 ? "" : "-fork" + forks);
        report = folder.resolve(name + ".json");
        warmUp = folder.resolve(name + ".warmup.json");
        try {
            Files.createDirectories(folder);
            Files.deleteIfExists(report);
            Files.deleteIfExists(warmUp);
        } catch (IOException e) {
            throw new IllegalStateException("copse.Jmh: " + e, e);
        }
        List<String> prefix = new ArrayList<>(List.of(copse, "run", "--quiet", "-o", report.toString(), "--measure",
            "calls,alloc=exact,exceptions,locks"));
        for (String glob : HARNESS.split(",")) prefix.addAll(List.of("--exclude", glob));
        prefix.addAll(options);
        prefix.add("--");
        return prefix;
    }

    @Override
    public Collection<String> addJVMOptions(BenchmarkParams params) {
        // copse dump loads the agent as it loads any; without this, JDK 21 and later warn about it.
        return List.of("-XX:+EnableDynamicAgentLoading", "-D" + WARM_UP + "=" + warmUp);
    }

    @Override
    public void beforeTrial(BenchmarkParams params) {}

    @Override
    public void beforeIteration(BenchmarkParams params, IterationParams iteration) {
        if (isMeasured || iteration.getType() != IterationType.MEASUREMENT) return;
        isMeasured = true;
        String file = System.getProperty(WARM_UP);
        if (file == null) throw new IllegalStateException("copse.Jmh: records forks alone; give JMH -f 1 or more");
        run(List.of(copse, "dump", "--quiet", "-o", file, Long.toString(ProcessHandle.current().pid())));
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(BenchmarkParams params, IterationParams iteration,
                                                          IterationResult result) {
        return List.of();
    }

    @Override
    public Collection<? extends Result<?>> afterTrial(BenchmarkResult result, long pid, File stdOut, File stdErr) {
        BenchmarkParams params = result.getParams();
        long[] counts = measured(params);
        double operations = (double) counts[0] * params.getOpsPerInvocation();
        String page = report.toString().replaceAll("\\.json$", ".html");
        run(List.of(copse, "report", report.toString(), "-o", page));
        try {
            Files.delete(warmUp);
        } catch (IOException e) {
            throw new IllegalStateException("copse.Jmh: " + e, e);
        }
        List<Result<?>> results = new ArrayList<>();
        results.add(mean("copse.calls", counts[1] / operations, "calls/op"));
        results.add(mean("copse.alloc", counts[2] / operations, "B/op"));
        results.add(mean("copse.exceptions", counts[3] / operations, "exceptions/op"));
        results.add(mean("copse.waits", counts[4] / operations, "waits/op"));
        results.add(new TextResult("Report and page of the fork, with its warm-up: " + report + ", " + page, "copse"));
        return results;
    }

    private static ScalarResult mean(String label, double score, String unit) {
        return new ScalarResult(label, score, unit, AggregationPolicy.AVG);
    }

    /** Amounts of the measured iterations: calls of the benchmark method; calls, bytes, exceptions and waits in it and its callees. */
    private long[] measured(BenchmarkParams params) {
        for (Path file : List.of(report, warmUp)) {
            if (!Files.exists(file)) throw new IllegalStateException("copse.Jmh: the fork left no " + file);
        }
        String benchmark = params.getBenchmark();
        int dot = benchmark.lastIndexOf('.');
        Collection<String> labels = params.getThreadGroupLabels();
        StringBuilder names = new StringBuilder();
        for (String method : labels.isEmpty() ? List.of(benchmark.substring(dot + 1)) : labels) {
            names.append(names.length() == 0 ? "'" : ", '").append(method).append('\'');
        }
        // A benchmark method may be inherited, then its class is another than the benchmark's.
        String query = "WITH tops AS (SELECT * FROM named_contexts JOIN (SELECT id AS m, method_name FROM methods)"
            + " ON m = method WHERE depth = 1 AND method_name IN (" + names + ")),"
            + " own AS (SELECT * FROM tops WHERE class = '" + benchmark.substring(0, dot) + "'),"
            + " chosen AS (SELECT * FROM own UNION ALL SELECT * FROM tops WHERE NOT EXISTS (SELECT 1 FROM own))"
            + " SELECT r.report, r.calls_lost + coalesce(r.evicted_calls, 0), coalesce(sum(c.calls), 0),"
            + " coalesce(sum(c.inclusive_calls), 0), coalesce(sum(c.inclusive_allocated_bytes), 0),"
            + " coalesce(sum(c.inclusive_exceptions), 0), coalesce(sum(c.inclusive_contentions), 0)"
            + " FROM runs AS r LEFT JOIN chosen AS c ON c.report = r.report GROUP BY r.report ORDER BY r.report";
        String[] rows = run(List.of(copse, "query", "--format", "csv", warmUp.toString(), report.toString(), query))
            .strip().split("\n");
        long[] counts = new long[5];
        for (int row = 1; row <= 2; row++) {  // behind the heading: the warm-up, then all
            String[] values = rows[row].split(",");
            if (!values[1].equals("0")) {
                throw new IllegalStateException("copse.Jmh: " + values[1] + " calls found no memory, so no number is"
                    + " exact; copse.Jmh:options=--memory SIZE gives more");
            }
            for (int i = 0; i < counts.length; i++) {
                counts[i] += (row == 1 ? -1 : 1) * Long.parseLong(values[i + 2]);
            }
        }
        if (counts[0] == 0) {
            throw new IllegalStateException("copse.Jmh: " + report + " has no call of " + benchmark
                + "; is it left out by the options?");
        }
        return counts;
    }

    @Override
    public boolean allowPrintOut() {
        return true;
    }

    @Override
    public boolean allowPrintErr() {
        return true;
    }

    /** Returns what the command prints; an IllegalStateException with all of that if it fails. */
    private static String run(List<String> command) {
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().remove("JAVA_TOOL_OPTIONS");
            Process process = builder.start();
            process.getOutputStream().close();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int status = process.waitFor();
            if (status == 0) return printed;
            throw new IllegalStateException("copse.Jmh: " + String.join(" ", command) + ": status " + status + ": "
                + printed.strip());
        } catch (IOException e) {
            throw new IllegalStateException("copse.Jmh: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("copse.Jmh: interrupted", e);
        }
    }
}
