// A server under load: four threads answer requests, and one request in a thousand asks the database once per item of a
// large order. A mean hides it: 5.7 queries per request.
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

public class Shop {
    static class Database {
        private final Map<Integer, String> names =
            IntStream.range(0, 1000).boxed().collect(Collectors.toMap(id -> id, id -> "item " + id));

        String query(int id) {
            return names.get(parse(id));
        }

        private int parse(int id) {
            return id % 1000;
        }
    }

    static class Handler {
        private final Database database = new Database();

        /** One request. */
        String handle(int number) {
            int items = number % 1000 == 777 ? 2_000 : 3;
            return page(order(items));
        }

        private List<String> order(int items) {
            List<String> names = new ArrayList<>();
            for (int item = 0; item < items; item++) names.add(price(item));
            return names;
        }

        private String price(int item) {
            return database.query(item) + ": " + database.query(item + 1).length();
        }

        private String page(List<String> names) {
            StringBuilder html = new StringBuilder();
            for (String name : names) row(html, name);
            return html.toString();
        }

        private void row(StringBuilder html, String name) {
            html.append("<li>").append(name);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int requests = args.length > 0 ? Integer.parseInt(args[0]) : 4_000;
        List<Thread> threads = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            int first = thread;
            threads.add(new Thread(() -> {
                Handler handler = new Handler();
                for (int number = first; number < requests; number += 4) handler.handle(number);
            }, "http-" + thread));
        }
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }
}
