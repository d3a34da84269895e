package com.acme;

import java.util.ArrayList;
import java.util.List;

/** Answers requests. */
class Handler {
    private final Dao dao = new Dao();

    /** One order: one query. */
    String get(int id) {
        return "order " + dao.query("select order", id);
    }

    /** All orders: one query for the list, and one for each order. */
    String list() {
        List<String> orders = new ArrayList<>();
        for (int i = 0, count = dao.query("select count", 0) - 2; i < count; i++) orders.add(get(i));
        return String.join(", ", orders);
    }
}
