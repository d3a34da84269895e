package copse.test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Contexts by the normalised names of their methods alone (NormalNames), and what another recording has beside
 * them.
 */
final class Baseline {
    /**
     * A context that is called more or less often; `row` is of the later calls, or of the baseline where it is
     * gone.
     */
    static final class Change {
        final int row;
        final boolean isGone;
        final long was;
        final long is;

        Change(int row, boolean isGone, long was, long is) {
            this.row = row;
            this.isGone = isGone;
            this.was = was;
            this.is = is;
        }
    }

    private static final class Node {
        final Map<String, Node> callees = new HashMap<>();
        long calls;
        int row = Calls.NONE;  // one of this context
    }

    private final Calls calls;
    private final boolean isAnywhere;
    private final Map<Method, String> names = new HashMap<>();

    /** `isAnywhere`: paths begin wherever their first method was called. */
    Baseline(Calls calls, boolean isAnywhere) {
        this.calls = calls;
        this.isAnywhere = isAnywhere;
    }

    private String name(Method method) {
        return names.computeIfAbsent(method, NormalNames::of);
    }

    List<CallPath> newContexts(Calls now) {
        List<List<Integer>> callees = callees();
        List<CallPath> found = new ArrayList<>();
        List<List<Integer>> same = new ArrayList<>();  // of each row: those of the baseline with its path
        for (int i = 0; i < now.size(); i++) same.add(List.of());
        for (int row : now.ordered()) {
            List<Integer> mine = new ArrayList<>();
            String name = name(now.methods[row]);
            if (now.parents[row] == Calls.NONE) {
                for (int other = 0; other < calls.size(); other++) {
                    boolean mayBegin = isAnywhere || calls.parents[other] == Calls.NONE;
                    if (mayBegin && name(calls.methods[other]).equals(name)) mine.add(other);
                }
            } else {
                for (int above : same.get(now.parents[row])) {
                    for (int other : callees.get(above)) {
                        if (name(calls.methods[other]).equals(name)) mine.add(other);
                    }
                }
            }
            same.set(row, mine);
            if (mine.isEmpty() && now.calls[row] != 0) found.add(new CallPath(now.path(row), now.calls[row]));
        }
        return found;
    }

    private List<List<Integer>> callees() {
        List<List<Integer>> callees = new ArrayList<>();
        for (int row = 0; row < calls.size(); row++) callees.add(new ArrayList<>(0));
        for (int row = 0; row < calls.size(); row++) {
            if (calls.parents[row] != Calls.NONE) callees.get(calls.parents[row]).add(row);
        }
        return callees;
    }

    private Node tree(Calls of) {
        Node top = new Node();
        Node[] nodes = new Node[of.size()];
        for (int row = 0; row < of.size(); row++) {
            Node above = of.parents[row] == Calls.NONE ? top : nodes[of.parents[row]];
            nodes[row] = above.callees.computeIfAbsent(name(of.methods[row]), unused -> new Node());
            nodes[row].calls += of.calls[row];
            if (nodes[row].row == Calls.NONE) nodes[row].row = row;
        }
        return top;
    }

    /** Contexts that are new, gone, or called more or less often. */
    List<Change> changes(Calls now) {
        List<Change> changes = new ArrayList<>();
        List<Node[]> left = new ArrayList<>();  // a stack may be deeper than ours
        left.add(new Node[] {tree(calls), tree(now)});
        while (!left.isEmpty()) {
            Node[] pair = left.remove(left.size() - 1);
            Node was = pair[0], is = pair[1];
            if (was.calls != is.calls) {
                boolean isGone = is.row == Calls.NONE;
                changes.add(new Change(isGone ? was.row : is.row, isGone, was.calls, is.calls));
            }
            is.callees.forEach((name, node) ->
                left.add(new Node[] {was.callees.getOrDefault(name, new Node()), node}));
            was.callees.forEach((name, node) -> {
                if (!is.callees.containsKey(name)) left.add(new Node[] {node, new Node()});
            });
        }
        return changes;
    }
}
