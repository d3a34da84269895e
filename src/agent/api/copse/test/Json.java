package copse.test;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON as objects: Map, List, String, Long, Double, Boolean, null. Nested a hundred deep at most. */
final class Json {
    private static final int MOST_DEPTH = 100;

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** IllegalArgumentException with the place where the text is no JSON. */
    static Object read(String text) {
        Json json = new Json(text);
        Object value = json.value(0);
        json.skipSpace();
        if (json.at != text.length()) throw json.wrong("the end");
        return value;
    }

    private IllegalArgumentException wrong(String expected) {
        return new IllegalArgumentException("no JSON: expected " + expected + " at character " + at);
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
    }

    private boolean take(char c) {
        skipSpace();
        if (at == text.length() || text.charAt(at) != c) return false;
        at++;
        return true;
    }

    private void need(char c) {
        if (!take(c)) throw wrong("'" + c + "'");
    }

    private Object value(int depth) {
        if (depth > MOST_DEPTH) throw wrong("less nesting");
        skipSpace();
        if (at == text.length()) throw wrong("a value");
        char c = text.charAt(at);
        if (c == '{') return object(depth);
        if (c == '[') return array(depth);
        if (c == '"') return string();
        if (c == '-' || (c >= '0' && c <= '9')) return number();
        for (Object[] word : new Object[][] {{"true", true}, {"false", false}, {"null", null}}) {
            if (!text.startsWith((String) word[0], at)) continue;
            at += ((String) word[0]).length();
            return word[1];
        }
        throw wrong("a value");
    }

    private Map<String, Object> object(int depth) {
        Map<String, Object> object = new LinkedHashMap<>();
        need('{');
        if (take('}')) return object;
        do {
            skipSpace();
            String key = string();
            need(':');
            object.put(key, value(depth + 1));
        } while (take(','));
        need('}');
        return object;
    }

    private List<Object> array(int depth) {
        List<Object> array = new ArrayList<>();
        need('[');
        if (take(']')) return array;
        do {
            array.add(value(depth + 1));
        } while (take(','));
        need(']');
        return array;
    }

    private String string() {
        need('"');
        StringBuilder out = new StringBuilder();
        while (at < text.length() && text.charAt(at) != '"') {
            char c = text.charAt(at++);
            out.append(c == '\\' ? escaped() : c);
        }
        need('"');
        return out.toString();
    }

    private char escaped() {
        if (at == text.length()) throw wrong("a character");
        char c = text.charAt(at++);
        int place = "\"\\/bfnrt".indexOf(c);
        if (place >= 0) return "\"\\/\b\f\n\r\t".charAt(place);
        if (c != 'u' || at + 4 > text.length()) throw wrong("an escape");
        try {
            char code = (char) Integer.parseInt(text.substring(at, at + 4), 16);
            at += 4;
            return code;
        } catch (NumberFormatException e) {
            throw wrong("four hexadecimal digits");
        }
    }

    private Object number() {
        int from = at;
        while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) at++;
        String number = text.substring(from, at);
        try {
            if (number.matches("-?[0-9]+")) return Long.parseLong(number);
            return Double.parseDouble(number);
        } catch (NumberFormatException e) {
            throw wrong("a number");
        }
    }

    /** The text as JSON has it, in quotes. */
    static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }
}
