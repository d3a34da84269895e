package shop;

final class Customer {
  private final String id;
  private final int discountPercent;

  Customer(String id, int discountPercent) {
    this.id = id;
    this.discountPercent = discountPercent;
  }

  boolean hasId(String wanted) {
    return id.equals(wanted);
  }

  long discount(long amount) {
    return amount * discountPercent / 100;
  }
}
