package copse.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.Optional;

/** A recording against the file that MatchesBaseline names. */
final class BaselineCheck {
    private static final String HOW = "run the test with -Dcopse.baseline=write";

    private final MatchesBaseline expected;
    private final Recording is;
    private final Path file;

    BaselineCheck(MatchesBaseline expected, Recording is) {
        this.expected = expected;
        this.is = is;
        this.file = Paths.get(expected.value());
    }

    Optional<String> failure() {
        try {
            if (Files.exists(file) && TextBaseline.is(file)) return compare(TextBaseline.read(file));
            if (isToBeWritten()) {
                if (file.getParent() != null) Files.createDirectories(file.getParent());
                is.save(file);
                return Optional.empty();
            }
            if (!Files.exists(file)) return Optional.of("there is no baseline " + file + "; to write it, " + HOW);
            return compare(Recording.load(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    private static boolean isToBeWritten() {
        return "write".equals(System.getProperty("copse.baseline", System.getenv("COPSE_BASELINE")));
    }

    private Optional<String> compare(Recording was) {
        List<CallPath> added = is.newContextsSince(was);
        StringBuilder text = new StringBuilder();
        for (CallPath path : added) text.append("\n  new: ").append(path);
        if (!was.isWholeRun() && expected.counts() != MatchesBaseline.Counts.ANY) {
            for (Baseline.Change change : new Baseline(was.contexts(), false).changes(is.contexts())) {
                boolean isNew = change.was == 0;
                boolean isWrong = change.is > change.was || expected.counts() == MatchesBaseline.Counts.SAME;
                if (isNew || !isWrong) continue;
                Calls calls = change.isGone ? was.contexts() : is.contexts();
                text.append(change.is == 0 ? "\n  gone: " : change.is > change.was ? "\n  more: " : "\n  fewer: ");
                if (change.is != 0) text.append(change.was).append(" before, now ");
                text.append(new CallPath(calls.path(change.row), change.is == 0 ? change.was : change.is));
            }
        }
        return failure(text.toString(), HOW);
    }

    private Optional<String> compare(TextBaseline was) {
        is.calls();  // throws if they are not exact
        return failure(was.differences(is.contexts(), expected.counts()), "copse baseline save writes it");
    }

    private Optional<String> failure(String text, String how) {
        if (text.isEmpty()) return Optional.empty();
        return Optional.of("the test calls what its baseline " + file + " has not:" + text + "\nIf that is meant, "
            + how);
    }
}
