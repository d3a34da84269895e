package shop;

import java.util.ArrayList;
import java.util.List;

/** Sales without a name. What the drawer holds beyond its limit goes to the bank. */
final class CashBook {
  private static final long LIMIT = 100_000;
  private final Customers customers;
  private final InvoiceReader reader = new InvoiceReader();
  private final List<Invoice> sales = new ArrayList<>();
  private long banked;

  CashBook(Customers customers) {
    this.customers = customers;
  }

  void sell(String line) {
    sales.add(reader.read(line));
    if (balance() > LIMIT) banked += balance();
  }

  private long balance() {
    long sum = -banked;
    for (Invoice sale : sales) sum += sale.total(customers);
    return sum;
  }

  void print() {
    System.out.println("in the drawer: " + balance() + ", at the bank: " + banked);
  }
}
