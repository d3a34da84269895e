package shop;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes up the data of a day: the same for the same seed. */
final class Samples {
  private final Random random;
  private int known;

  Samples(long seed) {
    random = new Random(seed);
  }

  Customers customers(int count) {
    Customers customers = new Customers();
    customers.add(new Customer(Customers.CASH, 0));
    for (known = 1; known <= count; ++known) customers.add(new Customer(id(known), random.nextInt(10)));
    return customers;
  }

  List<String> cashSales(int count) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < count; ++i) lines.add(Customers.CASH + item());
    return lines;
  }

  List<String> invoices(int count) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < count; ++i) lines.add(id(1 + random.nextInt(known - 1)) + item() + item() + item());
    return lines;
  }

  private static String id(int number) {
    return "C-" + (100_000 + number);
  }

  /** Every other item comes without a number. */
  private String item() {
    String price = ";" + (100 + random.nextInt(9_900)) + "x";
    return random.nextBoolean() ? price : price + (2 + random.nextInt(8));
  }
}
