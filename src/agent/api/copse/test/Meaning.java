package copse.test;

import java.lang.reflect.Executable;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Checks that each glob of a pattern means a method whose calls are counted. A glob that means none would always count
 * 0, and a test that allows at most some calls would never fail.
 */
final class Meaning {
    private final CallPattern pattern;

    Meaning(CallPattern pattern) {
        this.pattern = pattern;
    }

    void check() {
        List<Method> known = Methods.all();
        for (Glob glob : globs()) {
            checkSkipped(glob);
            check(glob, known);
        }
    }

    private List<Glob> globs() {
        List<Glob> globs = new ArrayList<>(List.of(pattern.of));
        globs.addAll(pattern.under);
        return globs;
    }

    /** What the pattern matches and is not counted, or not completely, and why. */
    List<String> notCounted() {
        List<String> lines = new ArrayList<>();
        for (Methods.Skip skip : Methods.skipped()) {
            for (Glob glob : globs()) {
                if (!glob.matches(skip.className) && !glob.matches(skip.fullName())) continue;
                lines.add(skip.fullName() + ": " + skip.reason);
                break;
            }
        }
        return lines;
    }

    private void check(Glob glob, List<Method> known) {
        if (matchesAny(glob, known)) return;
        if (glob.isName() && glob.hasPackage()) {
            checkName(glob);
            return;
        }
        throw wrong(glob, "matches no method that was recorded so far" + didYouMean(glob, known)
            + (glob.isName() ? "; of a class that may not be loaded yet, write the package too" : ""));
    }

    private static boolean matchesAny(Glob glob, List<Method> methods) {
        for (Method method : methods) {
            if (glob.matches(method)) return true;
        }
        return false;
    }

    /** Of a class that is not loaded yet; loading it shows whether it is one to be recorded. */
    private void checkName(Glob glob) {
        String name = glob.toString();
        int dot = name.lastIndexOf('.');
        Class<?> type = load(name);
        String method = null;
        if (type == null) {
            type = load(name.substring(0, dot));
            method = name.substring(dot + 1);
        }
        List<Method> known = Methods.all();
        if (matchesAny(glob, known)) return;
        if (type == null) throw wrong(glob, "there is no such class or method" + didYouMean(glob, known));
        boolean isRecorded = false;
        for (Method each : known) isRecorded = isRecorded || each.className.equals(type.getName());
        if (method == null) throw wrong(glob, isRecorded ? "has no methods" : notRecorded("the class"));
        List<Executable> declared = declared(type);
        TreeSet<String> names = new TreeSet<>();
        for (Executable each : declared) {
            String itsName = each instanceof java.lang.reflect.Constructor ? "<init>" : each.getName();
            names.add(itsName);
            if (!itsName.equals(method)) continue;
            if (Modifier.isAbstract(each.getModifiers())) {
                throw wrong(glob, "is abstract: calls are those of the methods that implement it");
            }
            throw wrong(glob, notRecorded("the method"));
        }
        String others = names.isEmpty() ? "none" : String.join(", ", names);
        throw wrong(glob, "the class has no such method; it has " + others);
    }

    private static List<Executable> declared(Class<?> type) {
        List<Executable> all = new ArrayList<>();
        try {
            all.addAll(List.of(type.getDeclaredMethods()));
            all.addAll(List.of(type.getDeclaredConstructors()));
        } catch (LinkageError e) {
            // Some of their types are not there; the message names the methods that are known.
        }
        return all;
    }

    private static String notRecorded(String what) {
        return what + " is not recorded: the agent's options include and exclude leave it out, or it is one of the JDK,"
            + " which only the option jdk records";
    }

    private static Class<?> load(String name) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        try {
            return Class.forName(name, false, loader != null ? loader : Meaning.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            return null;
        }
    }

    /** A class or method that is named, and not counted or not completely. */
    private void checkSkipped(Glob glob) {
        if (!glob.isName()) return;
        for (Methods.Skip skip : Methods.skipped()) {
            if (glob.matches(skip.fullName())) throw wrong(glob, "is not counted, or not completely: " + skip.reason);
        }
    }

    private IllegalArgumentException wrong(Glob glob, String why) {
        return new IllegalArgumentException("copse: pattern \"" + glob + "\": " + why);
    }

    /** The nearest of the names of as many segments as the glob has. */
    private static String didYouMean(Glob glob, List<Method> known) {
        String wanted = glob.toString().replaceAll("^\\*+\\.", "");
        String nearest = null;
        int least = Math.max(2, wanted.length() / 3) + 1;
        int segments = wanted.split("\\.").length;
        for (Method method : known) {
            for (String name : new String[] {method.className, method.fullName()}) {
                int distance = distance(wanted, lastSegments(name, segments), least);
                if (distance >= least) continue;
                least = distance;
                nearest = name;
            }
        }
        return nearest == null ? "" : "; did you mean " + nearest + "?";
    }

    private static String lastSegments(String name, int count) {
        int from = name.length();
        for (; count > 0 && from >= 0; count--) from = name.lastIndexOf('.', from - 1);
        return name.substring(from + 1);
    }

    /** Letters to be changed, added or taken away; `most` when there are as many. */
    private static int distance(String a, String b, int most) {
        if (Math.abs(a.length() - b.length()) >= most) return most;
        int[] row = new int[b.length() + 1];
        for (int j = 0; j < row.length; j++) row[j] = j;
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            int best = i;
            for (int j = 1; j < row.length; j++) {
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
                best = Math.min(best, row[j]);
            }
            if (best >= most) return most;
        }
        return Math.min(most, row[b.length()]);
    }
}
