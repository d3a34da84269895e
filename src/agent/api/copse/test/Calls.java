package copse.test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/** Contexts and their calls, as rows: callers come before what they call. */
final class Calls {
    static final int NONE = -1;

    /** Where a row is called from: a bytecode index and a line of its caller's, or -1. */
    static final class Site {
        final int bci;
        final int line;

        Site(int bci, int line) {
            this.bci = bci;
            this.line = line;
        }
    }

    final int[] parents;  // rows, or NONE
    final Method[] methods;
    final Site[] sites;  // null: none
    final long[] calls;
    final boolean isMerged;  // recursion is

    Calls(int[] parents, Method[] methods, Site[] sites, long[] calls, boolean isMerged) {
        this.parents = parents;
        this.methods = methods;
        this.sites = sites;
        this.calls = calls;
        this.isMerged = isMerged;
    }

    int size() {
        return parents.length;
    }

    /** From the first call down to the row. */
    List<Method> path(int row) {
        List<Method> path = new ArrayList<>();
        for (; row != NONE; row = parents[row]) path.add(0, methods[row]);
        return path;
    }

    /** Without the rows at the top that are of such methods: what they call begins by itself. */
    Calls below(Predicate<Method> isLeftOut) {
        int[] at = new int[size()];
        boolean[] isTop = new boolean[size()];
        int left = 0;
        for (int row = 0; row < size(); row++) {
            boolean above = parents[row] == NONE || isTop[parents[row]];
            isTop[row] = above && isLeftOut.test(methods[row]);
            at[row] = isTop[row] ? NONE : left++;
        }
        Calls rest = new Calls(new int[left], new Method[left], new Site[left], new long[left], isMerged);
        for (int row = 0; row < size(); row++) {
            if (at[row] == NONE) continue;
            int parent = parents[row];
            rest.parents[at[row]] = parent == NONE ? NONE : at[parent];
            rest.methods[at[row]] = methods[row];
            rest.sites[at[row]] = rest.parents[at[row]] == NONE ? null : sites[row];
            rest.calls[at[row]] = calls[row];
        }
        return rest;
    }

    /** The first so many rows. */
    Calls first(int count) {
        return new Calls(Arrays.copyOf(parents, count), Arrays.copyOf(methods, count), Arrays.copyOf(sites, count),
            Arrays.copyOf(calls, count), isMerged);
    }

    /** The rows behind the first so many. None of the first calls any of them. */
    Calls behind(int count) {
        int size = size();
        int[] callers = Arrays.copyOfRange(parents, count, size);
        Arrays.setAll(callers, row -> callers[row] == NONE ? NONE : callers[row] - count);
        return new Calls(callers, Arrays.copyOfRange(methods, count, size), Arrays.copyOfRange(sites, count, size),
            Arrays.copyOfRange(calls, count, size), isMerged);
    }

    /**
     * Returns the rows in the order of a report: callers first, each followed by its callees; siblings by method, line
     * and index.
     */
    Integer[] ordered() {
        Integer[] bySibling = new Integer[size()];
        Arrays.setAll(bySibling, i -> i);
        Arrays.sort(bySibling, Comparator.comparing((Integer row) -> methods[row].className)
            .thenComparing(row -> methods[row].name).thenComparing(row -> methods[row].descriptor)
            .thenComparing(row -> sites[row] == null ? NONE : sites[row].line)
            .thenComparing(row -> sites[row] == null ? NONE : sites[row].bci));
        int[] first = new int[size() + 1];  // callee of a row; the last: of none
        int[] next = new int[size()];
        Arrays.fill(first, NONE);
        for (int i = size() - 1; i >= 0; i--) {
            int caller = parents[bySibling[i]] == NONE ? size() : parents[bySibling[i]];
            next[bySibling[i]] = first[caller];
            first[caller] = bySibling[i];
        }
        Integer[] ordered = new Integer[size()];
        int done = 0;
        int row = first[size()];
        while (row != NONE) {
            ordered[done++] = row;
            if (first[row] != NONE) {
                row = first[row];
                continue;
            }
            while (row != NONE && next[row] == NONE) row = parents[row];
            if (row != NONE) row = next[row];
        }
        return ordered;
    }

    /** A line for each chosen row, with its calls, below lines for its callers. */
    String tree(IntPredicate isChosen) {
        boolean[] isShown = new boolean[size()];
        for (int row = size() - 1; row >= 0; row--) {
            isShown[row] = isShown[row] || isChosen.test(row);
            if (isShown[row] && parents[row] != NONE) isShown[parents[row]] = true;
        }
        StringBuilder text = new StringBuilder();
        int[] depths = new int[size()];
        for (int row : ordered()) {
            depths[row] = parents[row] == NONE ? 0 : depths[parents[row]] + 1;
            if (!isShown[row]) continue;
            text.append(isChosen.test(row) ? String.format("%10d  ", calls[row]) : "            ");
            for (int i = 0; i < depths[row]; i++) text.append("  ");
            text.append(methods[row]);
            if (sites[row] != null && sites[row].line >= 0) text.append("  @").append(sites[row].line);
            text.append('\n');
        }
        return text.toString();
    }
}
