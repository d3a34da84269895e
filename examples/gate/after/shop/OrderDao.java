package shop;

import java.util.ArrayList;
import java.util.List;

/** Orders with their customers. */
class OrderDao {
    private final Database database;

    OrderDao(Database database) {
        this.database = database;
    }

    // Reads nicely, and asks the database once more for each order.
    List<Order> findAll() {
        List<Order> all = new ArrayList<>();
        for (Order order : database.query("SELECT id FROM orders", 1, Integer.MAX_VALUE)) all.add(find(order.id()));
        return all;
    }

    Order find(int id) {
        return database.query("SELECT * FROM orders JOIN customers USING (customer) WHERE id = ?", id, id).get(0);
    }
}
