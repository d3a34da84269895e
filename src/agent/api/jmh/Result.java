package org.openjdk.jmh.results;

public abstract class Result<T extends Result<T>> {
    private final String label;
    private final double score;
    private final String unit;

    Result(String label, double score, String unit) {
        this.label = label;
        this.score = score;
        this.unit = unit;
    }

    public String getLabel() {
        return label;
    }

    public double getScore() {
        return score;
    }

    public final String getScoreUnit() {
        return unit;
    }

    public String extendedInfo() {
        return score + " " + unit;
    }
}
