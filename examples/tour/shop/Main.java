package shop;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

/** Runs a day of a shop; with the argument "ask" one for each line of its standard input. */
public final class Main {
  public static void main(String[] arguments) throws IOException {
    if (arguments.length == 0) {
      day();
      return;
    }
    BufferedReader keys = new BufferedReader(new InputStreamReader(System.in));
    System.out.println("process " + ProcessHandle.current().pid() + ": Enter runs a day, Ctrl+D ends");
    while (keys.readLine() != null) day();
  }

  private static void day() {
    Samples samples = new Samples(2026);
    Customers customers = samples.customers(2_000);
    CashBook cash = new CashBook(customers);
    for (String sale : samples.cashSales(1_000)) cash.sell(sale);
    Ledger ledger = new Ledger(customers);
    for (String invoice : samples.invoices(6_000)) ledger.book(invoice);
    cash.print();
    ledger.printLargest(3);
  }
}
