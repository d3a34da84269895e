package org.openjdk.jmh.infra;

import java.util.Collection;

public final class BenchmarkParams {
    private final String benchmark;
    private final int opsPerInvocation;
    private final Collection<String> labels;

    public BenchmarkParams(String benchmark, int opsPerInvocation, Collection<String> labels) {
        this.benchmark = benchmark;
        this.opsPerInvocation = opsPerInvocation;
        this.labels = labels;
    }

    public String getBenchmark() {
        return benchmark;
    }

    public int getOpsPerInvocation() {
        return opsPerInvocation;
    }

    public Collection<String> getThreadGroupLabels() {
        return labels;
    }

    public String id() {
        return benchmark + "-AverageTime";
    }
}
