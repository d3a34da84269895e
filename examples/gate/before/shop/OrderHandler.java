package shop;

import java.util.List;

/** The requests of the shop. */
class OrderHandler {
    private final OrderDao orders;

    OrderHandler(OrderDao orders) {
        this.orders = orders;
    }

    String list() {
        List<Order> all = orders.findAll();
        int total = 0;
        for (Order order : all) total += order.amount();
        return all.size() + " orders, " + total + " in all";
    }

    String get(int id) {
        Order order = orders.find(id);
        return "order " + id + " of " + order.customer() + ": " + order.amount();
    }
}
