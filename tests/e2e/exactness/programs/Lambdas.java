// Lambdas, method references and streams: application code called back through JDK frames.
// The JIT replaces the two-argument StringLatin1.compareTo, and with it the calls of its body.
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

public class Lambdas {
    final int base;
    Lambdas(int base) { this.base = base; }
    Lambdas() { this(7); }
    int plus(int n) { return base + n; }
    int getBase() { return base; }
    static int twice(int n) { return 2 * n; }
    static int compare(Lambdas a, Lambdas b) { return Integer.compare(a.base, b.base); }
    static <T> T call(Supplier<T> supplier) { return supplier.get(); }
    static Function<Integer, Integer> compose(int depth) {
        Function<Integer, Integer> f = Lambdas::twice;
        for (int i = 0; i < depth; i++) {
            int add = i;
            f = f.andThen(n -> (n + add) & 1023).compose(n -> n ^ add);
        }
        return f;
    }

    static int references(int i) {
        Lambdas bound = call(Lambdas::new);
        Function<Integer, Lambdas> make = Lambdas::new;
        BiFunction<Lambdas, Integer, Integer> unbound = Lambdas::plus;
        UnaryOperator<Integer> plus = bound::plus;
        IntBinaryOperator max = Math::max;
        return unbound.apply(make.apply(i), plus.apply(1)) + max.applyAsInt(twice(i), bound.getBase())
            + call(() -> call(() -> twice(i)));
    }
    static int sorting(int seed) {
        List<Lambdas> list = new ArrayList<>();
        for (int i = 0; i < 40; i++) list.add(new Lambdas((i * 31 + seed) % 41));
        list.sort(Lambdas::compare);
        list.sort(Comparator.comparing(Lambdas::getBase).reversed());
        list.sort(Comparator.<Lambdas>comparingInt(x -> x.getBase() % 5).thenComparing((a, b) -> compare(b, a)));
        PriorityQueue<Lambdas> queue = new PriorityQueue<>(Lambdas::compare);
        queue.addAll(list);
        return queue.poll().getBase() + list.get(3).plus(1);
    }
    static int maps(int seed) {
        Map<Integer, Integer> map = new HashMap<>();
        Map<String, Integer> tree = new TreeMap<>((a, b) -> twice(b.compareTo(a)));
        for (int i = 0; i < 20; i++) {
            map.computeIfAbsent(i % 7, k -> twice(k));
            map.merge(i % 5, i, (a, b) -> a + twice(b));
            map.compute(i % 3, (k, v) -> v == null ? k : v + new Lambdas(k).plus(v) % 100);
            tree.put("k" + (i + seed) % 9, i);
        }
        int[] sum = new int[1];
        map.forEach((k, v) -> sum[0] += twice(k) + v);
        return sum[0] + tree.size() + Optional.of(seed).map(Lambdas::twice).filter(n -> twice(n) > 3).orElseGet(() -> twice(1));
    }
    static int streams(int seed) {
        List<Integer> got = IntStream.range(0, 30).mapToObj(i -> new Lambdas(i ^ seed)).filter(x -> x.getBase() % 3 != 0)
            .sorted(Lambdas::compare).map(x -> x.plus(1)).limit(12).peek(Lambdas::twice).collect(Collectors.toList());
        Map<Boolean, Long> parts = got.stream().collect(Collectors.partitioningBy(n -> twice(n) > 20, Collectors.counting()));
        int first = Stream.iterate(1, Lambdas::twice).filter(n -> n > 50).findFirst().get();
        boolean any = got.stream().flatMap(n -> Stream.of(n, twice(n))).anyMatch(n -> twice(n) == 8);
        return got.stream().reduce(0, (a, b) -> a + twice(b)) + parts.size() + first + (any ? 1 : 0);
    }

    static int work() {
        int sum = 0;
        Function<Integer, Integer> composed = compose(6);
        for (int i = 0; i < 300; i++) {
            sum += references(i) + composed.apply(i);
            if (i % 6 == 0) sum += sorting(i) + maps(i) + streams(i);
        }
        return sum;
    }

    /** Called after rehearsals: nothing is loaded or linked below it any more. */
    static int measured() { return work(); }

    public static void main(String[] args) {
        int sum = 0;
        for (int i = 0; i < 2; i++) sum += work();
        System.out.println("lambdas " + sum + " " + measured());
    }
}
