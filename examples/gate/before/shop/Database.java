package shop;

import java.util.ArrayList;
import java.util.List;

/** Stands for a database on another machine: each query is a round trip. */
class Database {
    private final int orders;

    Database(int orders) {
        this.orders = orders;
    }

    List<Order> query(String sql, int first, int last) {
        List<Order> rows = new ArrayList<>();
        for (int id = first; id <= Math.min(last, orders); id++) {
            rows.add(new Order(id, "customer " + id % 10, 10 * id));
        }
        return rows;
    }
}
