package copse.test;

import java.util.ArrayList;
import java.util.List;

/** Which calls are meant: {@code GLOB}, {@code GLOB under GLOB}, each glob further up than the one before. */
final class CallPattern {
    private final String text;
    final Glob of;
    final List<Glob> under = new ArrayList<>();  // the nearest first

    CallPattern(String text) {
        this.text = text.trim();
        String[] words = this.text.split("\\s+");
        for (int i = 1; i < words.length; i += 2) {
            if (!words[i].equals("under") || i + 1 == words.length) {
                throw wrong("expected GLOB, or GLOB under GLOB; found \"" + words[i] + "\"");
            }
        }
        of = glob(words[0]);
        for (int i = 2; i < words.length; i += 2) under.add(glob(words[i]));
    }

    static CallPattern of(String of, String under) {
        return new CallPattern(under.isEmpty() ? of : of + " under " + under);
    }

    private Glob glob(String word) {
        if (word.isEmpty() || word.equals("under")) throw wrong("a glob of methods is missing");
        if (word.indexOf('(') >= 0 || word.indexOf('#') >= 0 || word.indexOf('/') >= 0 || word.indexOf(':') >= 0) {
            throw wrong("methods are written package.Class.method, without parameters; found \"" + word + "\"");
        }
        return new Glob(word);
    }

    private IllegalArgumentException wrong(String why) {
        return new IllegalArgumentException("copse: pattern \"" + text + "\": " + why);
    }

    /** The rows that it matches. */
    boolean[] matches(Calls calls) {
        boolean[] found = new boolean[calls.size()];
        int[] above = new int[calls.size()];  // how many of `under` were met, the outermost first, this row included
        for (int row = 0; row < calls.size(); row++) {
            Method method = calls.methods[row];
            int met = calls.parents[row] == Calls.NONE ? 0 : above[calls.parents[row]];
            found[row] = met == under.size() && of.matches(method);
            boolean isNext = met < under.size() && under.get(under.size() - 1 - met).matches(method);
            above[row] = isNext ? met + 1 : met;
        }
        return found;
    }

    @Override
    public String toString() {
        return text;
    }
}
