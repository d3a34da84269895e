package copse.test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The methods that have probes in this JVM, and what is not counted. Thread-safe. */
final class Methods {
    private Methods() {}

    private static final List<Method> KNOWN = new ArrayList<>();  // by id - 1

    /** A class or method without all of its counts; {@code method}, with its descriptor, is "" for a whole class. */
    static final class Skip {
        final String className;
        final String method;
        final String reason;

        Skip(String className, String method, String reason) {
            this.className = className;
            this.method = method;
            this.reason = reason;
        }

        /** package.Class.method, or the class. */
        String fullName() {
            int end = method.indexOf('(');
            String name = end < 0 ? method : method.substring(0, end);
            return name.isEmpty() ? className : className + "." + name;
        }
    }

    /** By the agent's number. */
    static synchronized Method get(int id) {
        if (id > KNOWN.size()) learn();
        return KNOWN.get(id - 1);
    }

    /** All that were given probes so far. */
    static synchronized List<Method> all() {
        learn();
        return new ArrayList<>(KNOWN);
    }

    static List<Skip> skipped() {
        List<Skip> skips = new ArrayList<>();
        List<String> texts = texts(Agent.skipped());
        for (int i = 0; i + 2 < texts.size(); i += 3) {
            skips.add(new Skip(texts.get(i), texts.get(i + 1), texts.get(i + 2)));
        }
        return skips;
    }

    private static void learn() {
        List<String> texts = texts(Agent.methods(KNOWN.size()));
        for (int i = 0; i + 2 < texts.size(); i += 3) {
            KNOWN.add(new Method(texts.get(i), texts.get(i + 1), texts.get(i + 2)));
        }
    }

    private static List<String> texts(byte[] bytes) {
        List<String> texts = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != 0) continue;
            texts.add(new String(bytes, from, i - from, StandardCharsets.UTF_8));
            from = i + 1;
        }
        return texts;
    }
}
