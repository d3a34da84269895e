import copse.test.Copse;
import copse.test.Recording;
import java.nio.file.Path;

/** Prints what each of its arguments counts, or what is said of it. */
public class Patterns {
    interface Store { int find(int id); }

    static class Disk implements Store {
        public int find(int id) { return seek(id) + seek(id + 1); }
        int seek(int at) { return at; }
        native int flush();
        // Empty finalizers are left as they are.
        @SuppressWarnings("removal") @Override protected void finalize() {}
    }

    static class Never { int called() { return 1; } }

    static int work(Store store) { return store.find(1) + other(store); }
    static int other(Store store) { return store.find(2); }

    public static void main(String[] patterns) throws Exception {
        Store store = new Disk();
        Recording recording = Copse.record(() -> work(store));
        for (String pattern : patterns) {
            try {
                System.out.println(recording.calls(pattern));
            } catch (IllegalArgumentException | IllegalStateException e) {
                System.out.println(e.getMessage());
            }
        }
        recording.save(Path.of("saved.json"));
        Recording more = Copse.record(() -> { work(store); other(store); });
        System.out.println(Recording.load(Path.of("saved.json")).calls("Patterns$Disk.seek under Patterns.other"));
        System.out.println(recording.newContextsSince(recording) + " " + more.newContextsSince(Path.of("saved.json")));
    }
}
