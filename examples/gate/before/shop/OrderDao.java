package shop;

import java.util.List;

/** Orders with their customers. */
class OrderDao {
    private final Database database;

    OrderDao(Database database) {
        this.database = database;
    }

    List<Order> findAll() {
        return database.query("SELECT * FROM orders JOIN customers USING (customer)", 1, Integer.MAX_VALUE);
    }

    Order find(int id) {
        return database.query("SELECT * FROM orders JOIN customers USING (customer) WHERE id = ?", id, id).get(0);
    }
}
