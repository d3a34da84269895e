package copse.test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A context of a recording: the methods on the path to it, and how often the last of them was called there. */
public final class CallPath {
    private final List<String> methods;
    private final long calls;

    CallPath(List<Method> path, long calls) {
        List<String> names = new ArrayList<>();
        for (Method method : path) names.add(method.fullName());
        this.methods = Collections.unmodifiableList(names);
        this.calls = calls;
    }

    /** {@code package.Class.method} of each, the outermost caller first. */
    public List<String> methods() {
        return methods;
    }

    public long calls() {
        return calls;
    }

    @Override
    public String toString() {
        return calls + (calls == 1 ? " call: " : " calls: ") + String.join(" > ", methods);
    }
}
