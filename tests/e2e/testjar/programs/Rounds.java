import copse.test.CallPath;
import copse.test.Copse;
import copse.test.Recording;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Calls methods at random, with exceptions, recordings inside recordings, and an account of its own of what each of them
 * must have. Only this class is recorded, and no lambda of it.
 *   Rounds SEED CALLS plain|recorded platform|virtual
 */
public class Rounds {
    static class Oops extends Exception {
        Oops() { super(null, null, false, false); }
    }

    static void a(Player p) throws Oops {
        p.oracle.enter("Rounds.a");
        try { step(p); } finally { p.oracle.leave(); }
    }

    static void b(Player p) throws Oops {
        p.oracle.enter("Rounds.b");
        try {
            step(p);
            if (p.next(40) == 0) throw new Oops();
        } finally { p.oracle.leave(); }
    }

    static void step(Player p) throws Oops {
        p.oracle.enter("Rounds.step");
        try {
            while (p.more()) {
                switch (p.next(6)) {
                    case 0: a(p); break;
                    case 1: b(p); break;
                    case 2: step(p); break;
                    case 3: try { b(p); } catch (Oops e) { p.caught++; } break;
                    case 4: leaf(p); break;
                    default: p.part(() -> { a(p); if (p.next(3) == 0) b(p); });
                }
            }
        } finally { p.oracle.leave(); }
    }

    static int leaf(Player p) {
        p.oracle.enter("Rounds.leaf");
        p.oracle.leave();
        return p.caught;
    }

    static void round(Player p) {
        p.oracle.enter("Rounds.round");
        try { a(p); } catch (Oops e) { p.caught++; } finally { p.oracle.leave(); }
    }

    public static void main(String[] args) throws Exception {
        long seed = Long.parseLong(args[0]);
        int calls = Integer.parseInt(args[1]);
        boolean recorded = args[2].equals("recorded");
        boolean isVirtual = args[3].equals("virtual");
        List<Player> players = new ArrayList<>();
        for (int i = 0; i < 4; i++) players.add(new Player(seed * 10 + i, calls, recorded));
        players.get(3).isWhole = true;
        // One that lives all the while, one that begins and ends meanwhile, one that is recorded as a whole itself.
        Copse.Body<Exception> threads = () -> {
            List<Thread> started = new ArrayList<>();
            for (Player player : players.subList(1, 4)) started.add(start(player::play, isVirtual));
            players.get(0).play();
            for (Thread thread : started) thread.join();
        };
        if (!recorded) {
            threads.run();
        } else {
            Recording all = Copse.recordAllThreads(threads);
            Map<String, Long> sum = new TreeMap<>();
            for (Player player : players) player.oracle.all.forEach((path, count) -> sum.merge(path, count, Long::sum));
            Oracle.check("all threads", all, sum);
        }
        long parts = 0, caught = 0, made = 0;
        for (Player player : players) {
            parts += player.parts;
            caught += player.caught;
            for (long count : player.oracle.all.values()) made += count;
            if (player.failure != null) throw new Error(player.failure);
        }
        System.out.println("parts " + parts + " caught " + caught + " calls " + made);
    }

    static Thread start(Runnable body, boolean isVirtual) throws Exception {
        if (isVirtual) return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, body);
        Thread thread = new Thread(body);
        thread.start();
        return thread;
    }
}

class Player {
    final Oracle oracle = new Oracle();
    final Random random;
    final boolean recorded;
    boolean isWhole;
    int left;
    int caught;
    long parts;
    Throwable failure;

    Player(long seed, int calls, boolean recorded) {
        this.random = new Random(seed);
        this.left = calls;
        this.recorded = recorded;
    }

    int next(int bound) { return random.nextInt(bound); }

    boolean more() { return left-- > 0 && oracle.depth() < 40 && next(100) < 60; }

    void play() {
        try {
            Copse.Body<Rounds.Oops> rounds = () -> { while (left > 0) Rounds.round(this); };
            if (isWhole) part(rounds); else rounds.run();
        } catch (Throwable e) {
            failure = e;
        }
    }

    /** Recorded, where parts are. */
    void part(Copse.Body<Rounds.Oops> body) throws Rounds.Oops {
        parts++;
        if (!recorded) {
            body.run();
            return;
        }
        oracle.begin();
        Recording recording = null;
        try {
            recording = Copse.record(body);
        } finally {
            Map<String, Long> expected = oracle.end();
            if (recording != null) Oracle.check("a part", recording, expected);
        }
    }
}

/** What one thread calls, and has called since each beginning that has no end yet: by the path from there on. */
class Oracle {
    private static final class Since {
        final int depth;
        final Map<String, Long> calls = new TreeMap<>();
        Since(int depth) { this.depth = depth; }
    }

    final Map<String, Long> all = new HashMap<>();
    private final List<String> path = new ArrayList<>();
    private final List<Since> open = new ArrayList<>();

    int depth() { return path.size(); }

    void enter(String method) {
        path.add(method);
        all.merge(String.join(" > ", path), 1L, Long::sum);
        for (Since since : open) since.calls.merge(String.join(" > ", path.subList(since.depth, path.size())), 1L, Long::sum);
    }

    void leave() { path.remove(path.size() - 1); }
    void begin() { open.add(new Since(path.size())); }
    Map<String, Long> end() { return open.remove(open.size() - 1).calls; }

    static void check(String what, Recording recording, Map<String, Long> expected) {
        Map<String, Long> is = new TreeMap<>();
        for (CallPath path : recording.paths("Rounds.**")) is.merge(String.join(" > ", path.methods()).replaceFirst("^\\[[^>]*\\] > ", ""), path.calls(), Long::sum);
        long sum = 0;
        for (Map.Entry<String, Long> wanted : expected.entrySet()) {
            sum += wanted.getValue();
            if (!wanted.getValue().equals(is.remove(wanted.getKey()))) throw new Error(what + ": not " + wanted);
        }
        if (!is.isEmpty()) throw new Error(what + ": too much: " + is.entrySet().iterator().next());
        if (sum != 0 && recording.calls("Rounds") != sum) throw new Error(what + ": " + recording.calls("Rounds") + " != " + sum);
    }
}
