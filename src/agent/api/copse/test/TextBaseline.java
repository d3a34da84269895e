package copse.test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A baseline as text, which {@code copse baseline save} writes (src/compare/baseline/baseline.h has the form), and what
 * a recording calls beside it. The verdict is that of {@code copse baseline check}.
 */
final class TextBaseline {
    private static final String SIGNATURE = "copse baseline ";
    private static final String OTHERS = "(others)";

    private static final class Node {
        final Node caller;  // null: none
        final Method method;
        final Map<String, Node> callees = new LinkedHashMap<>();
        long least, greatest;
        long is;  // calls of the recording
        Node others;

        Node(Node caller, Method method) {
            this.caller = caller;
            this.method = method;
        }

        String path(long calls) {
            List<Method> path = new ArrayList<>();
            for (Node node = this; node.caller != null; node = node.caller) path.add(0, node.method);
            return new CallPath(path, calls).toString();
        }
    }

    private final Node root = new Node(null, null);
    private final List<Node> nodes = new ArrayList<>();
    private final List<Glob> focus = new ArrayList<>();

    private TextBaseline() {}

    static boolean is(Path file) throws IOException {
        byte[] start = new byte[SIGNATURE.length()];
        try (java.io.InputStream in = Files.newInputStream(file)) {
            return in.read(start) == start.length && SIGNATURE.equals(new String(start, StandardCharsets.UTF_8));
        }
    }

    static TextBaseline read(Path file) throws IOException {
        TextBaseline baseline = new TextBaseline();
        int line = 0;
        try {
            boolean isHead = true;
            List<Node> open = new ArrayList<>(List.of(baseline.root));
            for (String text : Files.readAllLines(file)) {
                ++line;
                if (line == 1 && !text.equals(SIGNATURE + "1")) throw wrong("is of another version than 1");
                if (line == 1) continue;
                if (isHead && !text.isEmpty()) baseline.takeHead(text);
                if (!isHead && !text.trim().equals("calls")) baseline.takeContext(text, open);
                isHead = isHead && !text.isEmpty();
            }
            if (isHead) throw wrong("the contexts are missing");
            return baseline;
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            String why = e instanceof NumberFormatException || e instanceof IndexOutOfBoundsException
                ? "is no line of a baseline" : e.getMessage();
            throw new IOException("copse: " + file + ":" + line + ": " + why, e);
        }
    }

    private static IllegalArgumentException wrong(String why) {
        return new IllegalArgumentException(why);
    }

    private void takeHead(String line) {
        String value = line.substring(line.indexOf(": ") + 2);
        if (line.startsWith("focus: ")) {
            focus.add(new CallPattern(value).of);
            if (value.contains(" ") || value.startsWith("@")) throw wrong("a test has no contexts through " + value);
        } else if (line.startsWith("measure: ")) {
            throw wrong("a test has no " + value + ": save the baseline without --measure");
        } else if (line.startsWith("lost: ")) {
            throw wrong("the run of the baseline lost calls");
        }
    }

    private void takeContext(String line, List<Node> open) {
        String row = line.stripLeading();
        int end = row.indexOf(' ');
        String[] range = row.substring(0, end).replace(",", "").split("\\.\\.");
        String text = row.substring(end).stripLeading();
        int depth = (row.length() - end - text.length()) / 2;
        while (open.size() > depth) open.remove(open.size() - 1);
        if (open.size() != depth) throw wrong("a context is two blanks further to the right than its caller");
        Node caller = open.get(depth - 1);
        boolean isOthers = text.equals(OTHERS);
        Node node = new Node(caller, isOthers ? new Method("", OTHERS, "") : method(text));
        node.least = Long.parseLong(range[0]);
        node.greatest = Long.parseLong(range[range.length - 1]);
        if (isOthers) {
            caller.others = node;
        } else {
            caller.callees.put(key(node.method), node);
        }
        nodes.add(node);
        open.add(node);
    }

    private static String key(Method method) {
        return method.className + "\n" + method.name + "\n" + method.descriptor;
    }

    /** Reads {@code shop.Dao.find(int): shop.Row}; or, in quotes, a name, or class, name and descriptor. */
    private static Method method(String text) {
        if (text.startsWith("\"")) {
            String[] texts = text.split("\" \"|\"", -1);  // an empty one at each end
            if (texts.length == 3) return new Method("", unquoted(texts[1]), "");
            if (texts.length == 5) return new Method(unquoted(texts[1]), unquoted(texts[2]), unquoted(texts[3]));
            throw wrong("'" + text + "' is no method");
        }
        int open = text.indexOf('('), close = text.indexOf(')');
        int dot = open < 0 ? -1 : text.lastIndexOf('.', open);
        if (dot < 0 || close < open) throw wrong("'" + text + "' is no method");
        StringBuilder descriptor = new StringBuilder("(");
        if (close > open + 1) {
            for (String type : text.substring(open + 1, close).split(", ")) descriptor.append(descriptor(type));
        }
        descriptor.append(')').append(close + 1 == text.length() ? "V" : descriptor(text.substring(close + 3)));
        return new Method(text.substring(0, dot), text.substring(dot + 1, open), descriptor.toString());
    }

    private static String descriptor(String type) {
        if (type.endsWith("[]")) return "[" + descriptor(type.substring(0, type.length() - 2));
        int primitive = List.of("boolean", "byte", "char", "short", "int", "long", "float", "double").indexOf(type);
        return primitive >= 0 ? "ZBCSIJFD".substring(primitive, primitive + 1) : "L" + type.replace('.', '/') + ";";
    }

    private static String unquoted(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] letters = text.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < letters.length; i++) {
            boolean isCode = letters[i] == '\\';
            bytes.write(isCode ? Integer.parseInt(new String(letters, i + 1, 2, StandardCharsets.US_ASCII), 16)
                : letters[i]);
            if (isCode) i += 2;
        }
        return new String(bytes.toByteArray(), StandardCharsets.UTF_8);
    }

    /** Lines for what the recording calls otherwise; "" if nothing. May be asked once. */
    String differences(Calls now, MatchesBaseline.Counts counts) {
        StringBuilder text = new StringBuilder();
        boolean[] isInside = new boolean[now.size()];
        boolean isAny = focus.isEmpty();
        Node[] at = new Node[now.size()];      // the same context
        Node[] others = new Node[now.size()];  // which counts this context, too
        for (int row = 0; row < now.size(); row++) {
            int caller = now.parents[row];
            Method method = now.methods[row];
            isInside[row] = focus.isEmpty() || (caller != Calls.NONE && isInside[caller])
                || focus.stream().anyMatch(glob -> glob.matches(method));
            isAny = isAny || isInside[row];
            long calls = isInside[row] ? now.calls[row] : 0;
            Node above = caller == Calls.NONE ? root : at[caller];
            if (above != null) {
                at[row] = above.callees.get(NormalNames.of(method));
                others[row] = above.others;
            } else {
                others[row] = others[caller];
            }
            Node counting = at[row] != null ? at[row] : others[row];
            if (counting != null) {
                counting.is += calls;
            } else if (calls != 0) {
                text.append("\n  new: ").append(new CallPath(now.path(row), calls));
            }
        }
        if (!isAny) return "\n  nothing of " + focus.get(0) + ", which the baseline is about";
        if (counts == MatchesBaseline.Counts.ANY) return text.toString();
        for (Node node : nodes) {
            boolean isMore = node.is > node.greatest;
            if (!isMore && (node.is >= node.least || counts != MatchesBaseline.Counts.SAME)) continue;
            String was = node.least == node.greatest ? "" + node.least : node.least + " to " + node.greatest;
            text.append(isMore ? "\n  more: " : node.is == 0 ? "\n  gone: " : "\n  fewer: ");
            if (node.is != 0) text.append(was).append(" before, now ");
            text.append(node.path(node.is == 0 ? node.least : node.is));
        }
        return text.toString();
    }
}
