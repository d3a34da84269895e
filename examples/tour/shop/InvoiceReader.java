package shop;

/** Reads an invoice from its line, "C-100017;1250x3;399x": who bought, then price and number of each item. */
final class InvoiceReader {
  Invoice read(String line) {
    String[] fields = line.split(";");
    long[] amounts = new long[fields.length - 1];
    for (int i = 0; i < amounts.length; ++i) {
      String item = fields[i + 1];
      int x = item.indexOf('x');
      amounts[i] = Long.parseLong(item.substring(0, x)) * number(item.substring(x + 1));
    }
    return new Invoice(fields[0], amounts);
  }

  /** One, where no number is given. */
  private int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException none) {
      return 1;
    }
  }
}
