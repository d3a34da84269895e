import java.util.ArrayList;
import java.util.List;

/** What the examples of docs/ptql.md ask about. */
public class Shop {
    static class Database {
        void transaction(Runnable body) { body.run(); }
        void save(String row) {
            if (row.isEmpty()) throw new IllegalArgumentException("nothing to save");
        }
    }

    static class Feed implements AutoCloseable {
        private boolean closed;
        int read() { return closed ? -1 : 7; }
        @Override public void close() { closed = true; }
    }

    static class Counter {
        private int count;
        synchronized int next() { return ++count; }
    }

    final Database database = new Database();
    final Counter counter = new Counter();

    int price(String article) { return article.length() * 10; }

    void pause(int ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    void order(String article) {
        database.transaction(() -> {
            database.save(article);
            if (article.equals("coffee")) pause(60);
        });
    }

    void inventory(List<String> articles) {
        for (String article : articles) price(article);
    }

    public static void main(String[] args) throws Exception {
        Shop shop = new Shop();
        shop.order("tea");
        shop.order("coffee");
        shop.database.save("sugar");
        try {
            shop.database.save("");
        } catch (IllegalArgumentException e) {
            System.out.println("refused: " + e.getMessage());
        }
        shop.inventory(List.of("tea", "coffee", "sugar"));
        Feed late = new Feed();
        late.read();
        late.close();
        late.read();
        Feed open = new Feed();
        open.read();
        List<Thread> clerks = new ArrayList<>();
        for (String name : List.of("ann", "bob")) {
            Thread clerk = new Thread(shop.counter::next, name);
            clerk.start();
            clerk.join();
        }
    }
}
