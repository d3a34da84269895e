package shop;

/** What a customer has bought at one time; amounts are in cents. */
final class Invoice {
  private final String customerId;
  private final long[] amounts;

  Invoice(String customerId, long[] amounts) {
    this.customerId = customerId;
    this.amounts = amounts;
  }

  String customerId() {
    return customerId;
  }

  long total(Customers customers) {
    long sum = 0;
    for (long amount : amounts) sum += amount;
    return sum - customers.find(customerId).discount(sum);
  }
}
