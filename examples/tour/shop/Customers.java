package shop;

import java.util.ArrayList;
import java.util.List;

/** All customers; the first one stands for those who pay cash and give no name. */
final class Customers {
  static final String CASH = "C-100000";
  private final List<Customer> all = new ArrayList<>();

  void add(Customer customer) {
    all.add(customer);
  }

  Customer find(String id) {
    for (Customer customer : all) {
      if (customer.hasId(id)) return customer;
    }
    throw new IllegalArgumentException(id + ": no such customer");
  }
}
