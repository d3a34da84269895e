import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.LongAdder;
import workloads.Digest;
import workloads.Texts;
import workloads.Workload;

public class PoolProgram extends Workload {
    private static long collatz(long n) { return n == 1 ? 0 : 1 + collatz(n % 2 == 0 ? n / 2 : 3 * n + 1); }
    private static long score(String text) {
        long sum = 0;
        for (String word : text.split(" ")) sum += weight(word) * 31L;
        return sum;
    }
    private static int weight(String word) { return word.isEmpty() ? 0 : word.charAt(0) + weight(word.substring(1)); }

    @Override public void iterate(Digest digest) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        ConcurrentHashMap<String, LongAdder> words = new ConcurrentHashMap<>();
        List<Future<Long>> results = new ArrayList<>();
        for (int i = 0; i < 4000; i++) {
            int n = i;
            results.add(pool.submit(() -> {
                String text = new Texts(n).sentence(20);
                for (String word : text.split(" ")) words.computeIfAbsent(word, w -> new LongAdder()).increment();
                return collatz(n + 1) + score(text);
            }));
        }
        for (Future<Long> result : results) digest.add(result.get());
        pool.shutdown();
        words.keySet().stream().sorted().forEach(word -> digest.add(word).add(words.get(word).sum()));
        BlockingQueue<Integer> queue = new LinkedBlockingQueue<>(64);
        inThreads(2, digest, (index, d) -> {
            if (index == 0) for (int i = 0; i <= 20_000; i++) queue.put(i == 20_000 ? -1 : i);
            else for (int n = queue.take(); n >= 0; n = queue.take()) d.add(collatz(n + 1));
        });
    }
}
