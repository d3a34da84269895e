package workloads;

import java.util.LinkedHashMap;
import java.util.Map;

/** Java sources for compilers to work on: packages of classes that call each other. */
public final class SourceGenerator {
    private final Texts texts;
    private final int classes;

    public SourceGenerator(long seed, int classes) {
        this.texts = new Texts(seed);
        this.classes = classes;
    }

    /** File name to source. */
    public Map<String, String> generate() {
        Map<String, String> sources = new LinkedHashMap<>();
        for (int i = 0; i < classes; i++) sources.put("gen/Unit" + i + ".java", unit(i));
        return sources;
    }

    private String unit(int i) {
        StringBuilder b = new StringBuilder("package gen;\n\nimport java.util.*;\nimport java.util.function.*;\nimport java.util.stream.*;\n\n");
        String parent = i % 4 == 0 ? "" : " extends Unit" + i / 4 * 4;
        b.append("/** ").append(texts.sentence(9)).append(" */\npublic class Unit").append(i).append(parent).append(" implements Comparable<Unit").append(i / 4 * 4).append("> {\n");
        for (int f = 0; f < 4; f++) b.append("  protected final Map<String, List<Integer>> field").append(i).append('_').append(f).append(" = new TreeMap<>();\n");
        b.append("  protected int state = ").append(texts.below(1000)).append(";\n");
        b.append("  @Override public int compareTo(Unit").append(i / 4 * 4).append(" other) { return Integer.compare(state, other.state); }\n");
        for (int m = 0; m < 6; m++) method(b, i, m);
        b.append("  enum Kind { ").append(texts.word().toUpperCase()).append("_A, B { @Override int code() { return 7; } }, C; int code() { return ordinal() * 3; } }\n");
        b.append("  static <T extends Comparable<T>, R> List<R> each(Collection<? extends T> in, Function<? super T, ? extends R> f) {\n    List<R> out = new ArrayList<>();\n    for (T t : in) if (t.compareTo(t) == 0) out.add(f.apply(t));\n    return out;\n  }\n");
        return b.append("}\n").toString();
    }

    private void method(StringBuilder b, int i, int m) {
        b.append("  public int method").append(m).append("(int a, String text, int... more) {\n    int sum = a;\n");
        for (int s = 0; s < 5; s++) statement(b, i, m, s);
        b.append("    return sum + more.length;\n  }\n");
    }

    private void statement(StringBuilder b, int i, int m, int s) {
        String v = "v" + s;
        switch (texts.below(8)) {
            case 0: b.append("    for (int ").append(v).append(" = 0; ").append(v).append(" < ").append(expression(2)).append(" % 9; ").append(v).append("++) { if (sum > ").append(texts.below(99)).append(") continue; sum += ").append(v).append("; }\n"); break;
            case 1: b.append("    switch (text) { case \"").append(texts.word()).append("1\": sum++; break; case \"").append(texts.word()).append("2\": sum += ").append(expression(1)).append("; default: sum--; }\n"); break;
            case 2: b.append("    try { sum /= ").append(expression(1)).append("; } catch (ArithmeticException | IllegalStateException e) { sum += e.getMessage().length(); } finally { state++; }\n"); break;
            case 3: b.append("    sum += each(List.of(1, sum, ").append(expression(1)).append("), x -> x + \"").append(texts.word()).append("\").stream().map(String::length).filter(x -> x > 2).mapToInt(Integer::intValue).sum();\n"); break;
            case 4: b.append("    field").append(i).append("_").append(texts.below(4)).append(".computeIfAbsent(text + ").append(expression(1)).append(", k -> new ArrayList<>()).add(sum);\n"); break;
            case 5: b.append("    Unit").append(texts.below(classes)).append(" ").append(v).append(" = new Unit").append(i).append("().state > 3 ? null : null;\n    if (").append(v).append(" != null) sum += ").append(v).append(".method").append(texts.below(6)).append("(sum, \"").append(texts.word()).append("\");\n"); break;
            case 6: b.append("    Supplier<Integer> ").append(v).append(" = new Supplier<>() { int n = ").append(expression(2)).append("; @Override public Integer get() { return n + state; } };\n    sum += ").append(v).append(".get();\n"); break;
            default: b.append("    sum = ").append(expression(3)).append(";\n");
        }
    }

    private String expression(int depth) {
        if (depth == 0) return texts.chance(50) ? "a" : "(" + texts.below(500) + " + text.length())";
        String left = expression(depth - 1), right = expression(depth - 1);
        switch (texts.below(5)) {
            case 0: return "(" + left + " > " + right + " ? " + left + " : state)";
            case 1: return "Math.max(" + left + ", " + right + ")";
            case 2: return "((" + left + ") * (" + right + ") & 0xff)";
            case 3: return "(" + left + " - " + right + ")";
            default: return "Kind.C.code() + " + left;
        }
    }
}
