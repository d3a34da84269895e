package org.openjdk.jmh.infra;

import org.openjdk.jmh.runner.IterationType;

public final class IterationParams {
    private final IterationType type;

    public IterationParams(IterationType type) {
        this.type = type;
    }

    public IterationType getType() {
        return type;
    }
}
