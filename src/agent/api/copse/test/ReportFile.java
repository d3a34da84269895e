package copse.test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A recording as a JSON report, schema copse.cct/2 (docs/report-schema.md). Its option {@code recording} tells it from
 * a run.
 */
final class ReportFile {
    private static final String OF_ONE_THREAD = "thread";
    private static final String OF_ALL_THREADS = "all threads";

    final Calls calls;
    final boolean isWholeRun;
    final boolean isOfAllThreads;
    final long lost;

    private ReportFile(Calls calls, String recording, long lost) {
        this.calls = calls;
        this.isWholeRun = recording == null;
        this.isOfAllThreads = isWholeRun || recording.equals(OF_ALL_THREADS);
        this.lost = lost;
    }

    static ReportFile read(Path file) throws IOException {
        try {
            return of((Map<?, ?>) Json.read(Files.readString(file)));
        } catch (IllegalArgumentException | ClassCastException | NullPointerException | IndexOutOfBoundsException e) {
            String why = e instanceof IllegalArgumentException ? e.getMessage() : "is no report of Copse";
            throw new IOException("copse: " + file + ": " + why, e);
        }
    }

    private static ReportFile of(Map<?, ?> report) {
        if (!"copse.cct/2".equals(report.get("schema"))) {
            throw new IllegalArgumentException("its schema is " + report.get("schema") + "; copse.cct/2 was expected");
        }
        Map<?, ?> totals = (Map<?, ?>) report.get("totals");
        if (totals.containsKey("evicted_calls")) {
            throw new IllegalArgumentException("contexts of it were evicted, so it does not have all");
        }
        Map<?, ?> methods = (Map<?, ?>) report.get("methods");
        List<Method> byNumber = new ArrayList<>();
        for (int i = 0; i < ((List<?>) methods.get("name")).size(); i++) {
            String name = text(methods, "name", i);
            byNumber.add(new Method(text(methods, "class", i), name, text(methods, "descriptor", i)));
        }
        Map<?, ?> sites = (Map<?, ?>) report.get("sites");
        Map<?, ?> nodes = (Map<?, ?>) report.get("nodes");
        int rows = ((List<?>) nodes.get("calls")).size() - 1;  // without ROOT
        Calls calls = new Calls(new int[rows], new Method[rows], new Calls.Site[rows], new long[rows],
            totals.containsKey("merged_methods"));
        for (int row = 0; row < rows; row++) {
            calls.parents[row] = number(nodes, "parent", row + 1) - 1;
            if (calls.parents[row] >= row) throw new IllegalArgumentException("a context comes before its caller");
            calls.methods[row] = byNumber.get(number(nodes, "method", row + 1));
            int site = number(nodes, "site", row + 1);
            if (site >= 0) calls.sites[row] = new Calls.Site(number(sites, "bci", site), number(sites, "line", site));
            calls.calls[row] = (Long) ((List<?>) nodes.get("calls")).get(row + 1);
        }
        String recording = (String) ((Map<?, ?>) report.get("options")).get("recording");
        return new ReportFile(calls, recording, (Long) totals.get("calls_lost"));
    }

    private static String text(Map<?, ?> columns, String column, int row) {
        return (String) ((List<?>) columns.get(column)).get(row);
    }

    private static int number(Map<?, ?> columns, String column, int row) {
        return Math.toIntExact((Long) ((List<?>) columns.get(column)).get(row));
    }

    /** {@code test}: what made the calls, or one of {@code beside} did; null: nothing in particular. */
    static void write(Path file, Calls calls, boolean ofAllThreads, long lost, String test, Set<String> beside)
            throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        Path unfinished = Files.createTempFile(folder, ".copse-", ".tmp");
        try {
            Files.write(unfinished, text(distinct(calls), ofAllThreads, lost, test, beside).getBytes(StandardCharsets.UTF_8));
            Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    /**
     * In the order of a report, and no two with the same caller, method and site: those of threads lie beside each
     * other.
     */
    private static Calls distinct(Calls calls) {
        Map<List<Object>, Integer> known = new HashMap<>();
        int[] at = new int[calls.size()];
        Calls sums = new Calls(new int[calls.size()], new Method[calls.size()], new Calls.Site[calls.size()],
            new long[calls.size()], calls.isMerged);
        for (int row = 0; row < calls.size(); row++) {
            Method method = calls.methods[row];
            Calls.Site site = calls.sites[row];
            int parent = calls.parents[row] == Calls.NONE ? Calls.NONE : at[calls.parents[row]];
            List<Object> key = List.of(parent, method.className, method.name, method.descriptor,
                site == null ? Calls.NONE : site.line, site == null ? Calls.NONE : site.bci);
            at[row] = known.computeIfAbsent(key, unused -> known.size());
            sums.parents[at[row]] = parent;
            sums.methods[at[row]] = method;
            sums.sites[at[row]] = site;
            sums.calls[at[row]] += calls.calls[row];
        }
        return sums.first(known.size());
    }

    private static String text(Calls calls, boolean ofAllThreads, long lost, String test, Set<String> beside) {
        Integer[] rows = calls.ordered();
        int[] numbers = new int[rows.length];  // in the file, where ROOT is 0
        TreeMap<String, Method> sorted = new TreeMap<>();
        for (Method method : calls.methods) sorted.put(key(method), method);
        List<String> keys = new ArrayList<>(sorted.keySet());
        Map<String, Integer> methodNumbers = new HashMap<>();
        for (String key : keys) methodNumbers.put(key, methodNumbers.size());
        TreeMap<Integer, TreeMap<Integer, TreeMap<Integer, Integer>>> sites = new TreeMap<>();  // caller, line, index
        for (int row = 0; row < rows.length; row++) {
            if (calls.sites[row] != null) siteOf(sites, calls, row, methodNumbers).put(calls.sites[row].bci, 0);
        }
        List<String> siteMethods = new ArrayList<>(), indices = new ArrayList<>(), lines = new ArrayList<>();
        sites.forEach((caller, byLine) -> byLine.forEach((line, byIndex) -> byIndex.replaceAll((index, unused) -> {
            siteMethods.add(caller.toString());
            lines.add(line.toString());
            indices.add(index.toString());
            return lines.size() - 1;
        })));
        List<String> parents = new ArrayList<>(List.of("-1")), methods = new ArrayList<>(List.of("-1"));
        List<String> siteNumbers = new ArrayList<>(List.of("-1")), counts = new ArrayList<>(List.of("0"));
        int[] depths = new int[rows.length];
        int deepest = 0;
        long sum = 0;
        for (int row : rows) {
            boolean isTop = calls.parents[row] == Calls.NONE;
            numbers[row] = counts.size();
            depths[row] = isTop ? 1 : depths[calls.parents[row]] + 1;
            deepest = Math.max(deepest, depths[row]);
            sum += calls.calls[row];
            parents.add(Integer.toString(isTop ? 0 : numbers[calls.parents[row]]));
            methods.add(methodNumbers.get(key(calls.methods[row])).toString());
            siteNumbers.add(calls.sites[row] == null ? "-1"
                : siteOf(sites, calls, row, methodNumbers).get(calls.sites[row].bci).toString());
            counts.add(Long.toString(calls.calls[row]));
        }
        String merged = calls.isMerged ? ",\"merged_methods\":1" : "";
        return "{\n\"schema\":\"copse.cct/2\",\n\"created_by\":\"copse-test.jar\",\n"
            + "\"program\":{\"command\":[],\"pid\":" + ProcessHandle.current().pid() + ",\"runtime\":"
            + Json.quoted(System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"))
            + ",\"started\":\"" + Instant.now().truncatedTo(ChronoUnit.SECONDS) + "\",\"wall_ms\":0},\n"
            + "\"options\":{\"recording\":\"" + (ofAllThreads ? OF_ALL_THREADS : OF_ONE_THREAD) + "\""
            + (test == null ? "" : ",\"test\":" + Json.quoted(test))
            + (beside.isEmpty() ? "" : ",\"beside\":" + Json.quoted(String.join("\n", beside))) + "},\n"
            + "\"totals\":{\"calls\":" + sum + ",\"contexts\":" + rows.length + ",\"threads\":0,\"max_depth\":"
            + deepest + ",\"calls_seen\":" + (sum + lost) + ",\"calls_lost\":" + lost + ",\"packets\":0" + merged
            + "},\n"
            + "\"methods\":{" + texts("class", sorted, m -> m.className) + "," + texts("name", sorted, m -> m.name)
            + "," + texts("descriptor", sorted, m -> m.descriptor) + "," + texts("source", sorted, m -> "") + ","
            + texts("loader", sorted, m -> "") + "},\n"
            + "\"sites\":{" + numbers("method", siteMethods) + "," + numbers("bci", indices) + ","
            + numbers("line", lines) + "},\n\"threads\":[],\n\"metrics\":[],\n\"shown\":\"calls\",\n"
            + "\"nodes\":{\n" + numbers("parent", parents) + ",\n" + numbers("method", methods) + ",\n"
            + numbers("site", siteNumbers) + ",\n" + numbers("calls", counts)
            + "},\n\"skipped\":[],\n\"notes\":[]\n}\n";
    }

    private static String key(Method method) {
        return method.className + "\0" + method.name + "\0" + method.descriptor;
    }

    private static TreeMap<Integer, Integer> siteOf(TreeMap<Integer, TreeMap<Integer, TreeMap<Integer, Integer>>> sites,
                                                    Calls calls, int row, Map<String, Integer> methodNumbers) {
        int caller = methodNumbers.get(key(calls.methods[calls.parents[row]]));
        return sites.computeIfAbsent(caller, unused -> new TreeMap<>())
            .computeIfAbsent(calls.sites[row].line, unused -> new TreeMap<>());
    }

    private static String texts(String column, TreeMap<String, Method> methods, Function<Method, String> of) {
        List<String> texts = new ArrayList<>();
        for (Method method : methods.values()) texts.add(Json.quoted(of.apply(method)));
        return numbers(column, texts);
    }

    private static String numbers(String column, List<String> numbers) {
        return "\"" + column + "\":[" + String.join(",", numbers) + "]";
    }
}
