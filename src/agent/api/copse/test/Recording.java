package copse.test;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The calls that a piece of code made (Copse.record), by context. What is asked for by a pattern is a glob of methods
 * as in all of Copse, compared with {@code package.Class} and with {@code package.Class.method}; {@code *} stays
 * within a segment, {@code **} does not. A glob that begins with a class takes it in any package. {@code A under B}
 * are the calls of A with a B somewhere above them.
 *
 * <p>A pattern whose methods were never recorded throws an IllegalArgumentException with the probable meaning:
 * otherwise a typo would count 0. The name of a method that is not counted throws it too. notCounted() returns the
 * uncounted methods that a glob with a star also matches.
 *
 * <p>Constant and thread-safe.
 */
public final class Recording {
    private final Excerpt excerpt;  // null: `loaded` is all there is
    private final Calls loaded;
    private final boolean ofAllThreads;
    private final boolean isWholeRun;
    private final long lost;

    Recording(Excerpt excerpt, boolean ofAllThreads) {
        this.excerpt = excerpt;
        this.loaded = null;
        this.ofAllThreads = ofAllThreads;
        this.isWholeRun = false;
        this.lost = excerpt.lost;
    }

    private Recording(Calls loaded, boolean ofAllThreads, boolean isWholeRun, long lost, Excerpt excerpt) {
        this.excerpt = excerpt;
        this.loaded = loaded;
        this.ofAllThreads = ofAllThreads;
        this.isWholeRun = isWholeRun;
        this.lost = lost;
    }

    /**
     * A recording that save() wrote, or any JSON report of Copse, which is then a recording of the whole run.
     * Patterns that match none of its methods count 0.
     */
    public static Recording load(Path file) throws IOException {
        ReportFile report = ReportFile.read(file);
        return new Recording(report.calls, report.isOfAllThreads, report.isWholeRun, report.lost, null);
    }

    /** As a report of Copse (JSON): every command reads it. */
    public void save(Path file) throws IOException {
        ReportFile.write(file, contexts(), ofAllThreads, lost, null, Set.of());
    }

    /** The same, with the test that made the calls, or one of those beside it. */
    void save(Path file, String test, Set<String> beside) throws IOException {
        ReportFile.write(file, contexts(), ofAllThreads, lost, test, beside);
    }

    /** All calls. */
    public long calls() {
        need();
        return sum(null);
    }

    /** Of the methods that the pattern matches. */
    public long calls(String pattern) {
        boolean[] matched = matching(new CallPattern(pattern));
        return sum(matched);
    }

    /** The contexts of these calls; those that were called, in the order of a report. */
    public List<CallPath> paths(String pattern) {
        boolean[] matched = matching(new CallPattern(pattern));
        Calls calls = contexts();
        List<CallPath> paths = new ArrayList<>();
        for (int row : calls.ordered()) {
            if (matched[row] && calls.calls[row] != 0) paths.add(new CallPath(calls.path(row), calls.calls[row]));
        }
        return Collections.unmodifiableList(paths);
    }

    /** The same to read: a tree of the callers, with the calls of what is matched; @N is the caller's line. */
    public String tree(String pattern) {
        return tree(matching(new CallPattern(pattern)));
    }

    /** What the pattern matches and this run does not count, or not completely, each with the reason. */
    public List<String> notCounted(String pattern) {
        CallPattern meant = new CallPattern(pattern);
        return excerpt == null ? List.of() : Collections.unmodifiableList(new Meaning(meant).notCounted());
    }

    /**
     * The contexts that the baseline has not, by the names of their methods alone: where in its caller a call stands
     * does not matter, nor do numbers that compilers give (lambdas). A context of a saved recording is known where it
     * has the same path; one of a run's report where the path ends in the same way, from its first method on.
     */
    public List<CallPath> newContextsSince(Recording baseline) {
        need();
        baseline.need();
        return new Baseline(baseline.contexts(), baseline.isWholeRun).newContexts(contexts());
    }

    /** The same of a file that load() reads. */
    public List<CallPath> newContextsSince(Path baseline) throws IOException {
        return newContextsSince(load(baseline));
    }

    /** Without the methods at the top for which that holds: contexts begin with what these call. */
    Recording below(Predicate<Method> isLeftOut) {
        return new Recording(contexts().below(isLeftOut), ofAllThreads, isWholeRun, lost, excerpt);
    }

    /** Of a recording that was just made: what the thread called that made it. */
    Recording ofItsThread() {
        return new Recording(contexts().first(excerpt.own), false, isWholeRun, lost, excerpt);
    }

    /** What the other threads called. */
    Recording ofOtherThreads() {
        return new Recording(contexts().behind(excerpt.own), ofAllThreads, isWholeRun, lost, excerpt);
    }

    boolean isWholeRun() {
        return isWholeRun;
    }

    Calls contexts() {
        return loaded != null ? loaded : excerpt.calls();
    }

    String tree(boolean[] chosen) {
        Calls calls = contexts();
        return calls.tree(row -> chosen[row] && calls.calls[row] != 0);
    }

    boolean[] matching(CallPattern pattern) {
        need();
        Calls calls = contexts();
        if (calls.isMerged && !pattern.under.isEmpty()) {
            throw new IllegalStateException("copse: pattern \"" + pattern + "\": recursion is merged here, so not all"
                + " callers are known; give the agent the option recursion=full");
        }
        boolean[] matched = pattern.matches(calls);
        if (excerpt != null) new Meaning(pattern).check();
        return matched;
    }

    /** A number that is not exact is none. */
    private void need() {
        if (lost != 0) {
            throw new IllegalStateException("copse: up to " + lost + " calls found no memory: give the agent a larger"
                + " memory");
        }
        if (excerpt != null && !excerpt.isWhole) {
            throw new IllegalStateException("copse: there was no memory for all that was recorded");
        }
    }

    private long sum(boolean[] matched) {
        Calls calls = contexts();
        long sum = 0;
        for (int row = 0; row < calls.size(); row++) {
            if (matched == null || matched[row]) sum += calls.calls[row];
        }
        return sum;
    }
}
