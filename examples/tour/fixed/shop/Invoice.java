package shop;

/** What a customer has bought at one time; amounts are in cents. */
final class Invoice {
  private final String customerId;
  private final long[] amounts;
  private long total = -1;

  Invoice(String customerId, long[] amounts) {
    this.customerId = customerId;
    this.amounts = amounts;
  }

  String customerId() {
    return customerId;
  }

  long total(Customers customers) {
    if (total >= 0) return total;
    long sum = 0;
    for (long amount : amounts) sum += amount;
    total = sum - customers.find(customerId).discount(sum);
    return total;
  }
}
