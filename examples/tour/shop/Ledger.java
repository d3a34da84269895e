package shop;

import java.util.ArrayList;
import java.util.List;

/** The invoices of customers with a name. */
final class Ledger {
  private final Customers customers;
  private final InvoiceReader reader = new InvoiceReader();
  private final List<Invoice> invoices = new ArrayList<>();

  Ledger(Customers customers) {
    this.customers = customers;
  }

  void book(String line) {
    Invoice invoice = reader.read(line);
    customers.find(invoice.customerId());  // refuses invoices to nobody
    invoices.add(invoice);
  }

  void printLargest(int count) {
    invoices.sort(this::compareTotals);
    for (Invoice invoice : invoices.subList(0, count)) {
      System.out.println(invoice.customerId() + " owes " + invoice.total(customers));
    }
  }

  private int compareTotals(Invoice one, Invoice other) {
    long first = one.total(customers);
    long second = other.total(customers);
    return Long.compare(second, first);
  }
}
