package org.openjdk.jmh.results;

public class TextResult extends Result<TextResult> {
    private final String text;

    public TextResult(String text, String label) {
        super(label, Double.NaN, "---");
        this.text = text;
    }

    @Override
    public String extendedInfo() {
        return text;
    }
}
