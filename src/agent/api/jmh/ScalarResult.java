package org.openjdk.jmh.results;

public class ScalarResult extends Result<ScalarResult> {
    public ScalarResult(String label, double score, String unit, AggregationPolicy policy) {
        super(label, score, unit);
    }
}
