package org.openjdk.jmh.profile;

import java.io.File;
import java.util.Collection;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.Result;

public interface ExternalProfiler extends Profiler {
    Collection<String> addJVMInvokeOptions(BenchmarkParams params);

    Collection<String> addJVMOptions(BenchmarkParams params);

    void beforeTrial(BenchmarkParams params);

    Collection<? extends Result> afterTrial(BenchmarkResult result, long pid, File stdOut, File stdErr);

    boolean allowPrintOut();

    boolean allowPrintErr();
}
