package com.example.shop.checkout;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URL;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;

/** A server with something of every measure, and its own clients: ShopServer REQUESTS cache|plain. */
public final class ShopServer {
  static final int CLIENTS = 3;

  public static void main(String[] args) throws Exception {
    int requests = Integer.parseInt(args[0]);
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    AtomicInteger workers = new AtomicInteger();
    ThreadPoolExecutor pool = (ThreadPoolExecutor) Executors.newFixedThreadPool(4, task -> {
      // As servers name theirs: an address is no package.
      Thread thread = new Thread(task, "http-10.0.0.1:8080-worker@" + workers.incrementAndGet() + ".pool");
      thread.setDaemon(true);
      return thread;
    });
    AuditTrail audit = new AuditTrail();
    Thread acceptor = new Thread(audit, "Acceptor tcp://10.0.0.1:8080");
    acceptor.setDaemon(true);
    acceptor.start();
    InventoryRepository inventory = new InventoryRepository();
    PriceCalculator prices = new PriceCalculator("cache".equals(args[1]));
    server.createContext("/catalog", new CatalogHandler(inventory, prices));
    server.createContext("/order", new OrderHandler(inventory, prices, audit));
    server.setExecutor(pool);
    server.start();
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; ++i) {
      Client client = new Client(server.getAddress().getPort(), requests, i);
      clients.add(new Thread(client, "client-" + i));
    }
    for (Thread client : clients) client.start();
    for (Thread client : clients) client.join();
    server.stop(0);
    System.out.println("served " + CLIENTS * requests);
  }
}

final class Client implements Runnable {
  private final int port;
  private final int requests;
  private final int seed;

  Client(int port, int requests, int seed) {
    this.port = port;
    this.requests = requests;
    this.seed = seed;
  }

  @Override
  public void run() {
    for (int i = 0; i < requests; ++i) request((i + seed) % 3 == 0 ? "/order" : "/catalog", i);
  }

  private void request(String path, int number) {
    try {
      URL url = new URL("http://127.0.0.1:" + port + path + "?" + number);
      HttpURLConnection connection = (HttpURLConnection) url.openConnection();
      connection.getInputStream().readAllBytes();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}

abstract class AbstractShopHandler implements HttpHandler {
  @Override
  public void handle(HttpExchange exchange) throws IOException {
    int article = Integer.parseInt(exchange.getRequestURI().getQuery());
    byte[] answer = answerForArticleWithoutFurtherAuthentication(article);
    exchange.sendResponseHeaders(200, answer.length);
    exchange.getResponseBody().write(answer);
    exchange.close();
  }

  abstract byte[] answerForArticleWithoutFurtherAuthentication(int article);
}

final class CatalogHandler extends AbstractShopHandler {
  private final InventoryRepository inventory;
  private final PriceCalculator prices;

  CatalogHandler(InventoryRepository inventory, PriceCalculator prices) {
    this.inventory = inventory;
    this.prices = prices;
  }

  @Override
  byte[] answerForArticleWithoutFurtherAuthentication(int article) {
    StringBuilder page = new StringBuilder();
    for (int i = 0; i < 12; ++i) {
      page.append(article + i).append(' ').append(prices.priceWithDiscountAndTaxForReturningCustomer(article + i)).append('\n');
    }
    page.append(inventory.countAvailableArticlesInAllWarehouses());
    return page.toString().getBytes();
  }
}

final class OrderHandler extends AbstractShopHandler {
  private final InventoryRepository inventory;
  private final PriceCalculator prices;
  private final AuditTrail audit;

  OrderHandler(InventoryRepository inventory, PriceCalculator prices, AuditTrail audit) {
    this.inventory = inventory;
    this.prices = prices;
    this.audit = audit;
  }

  @Override
  byte[] answerForArticleWithoutFurtherAuthentication(int article) {
    try {
      inventory.reserveArticleInNearestWarehouse(article);
      audit.write("sold " + article + " for " + prices.priceWithDiscountAndTaxForReturningCustomer(article));
      return new byte[] {'o', 'k'};
    } catch (OutOfStockException e) {
      return e.getMessage().getBytes();
    }
  }
}

final class OutOfStockException extends RuntimeException {
  OutOfStockException(int article) {
    super("article " + article + " is sold");
  }
}

final class InventoryRepository {
  private final Map<Integer, Integer> stock = new HashMap<>();
  private int calls;

  synchronized int reserveArticleInNearestWarehouse(int article) {
    spin(20_000);
    if (article % 7 == 3) throw new OutOfStockException(article);
    return stock.merge(article, 1, Integer::sum);
  }

  synchronized int countAvailableArticlesInAllWarehouses() {
    spin(5_000);
    int sum = 0;
    for (int i = 0; i < 40; ++i) sum += availableIn(i);
    return sum;
  }

  private int availableIn(int article) {
    return stock.getOrDefault(article, 0);
  }

  private void spin(int turns) {
    for (int i = 0; i < turns; ++i) calls = calls * 31 + i;
  }
}

final class PriceCalculator {
  private final boolean caches;
  private final Map<Integer, Long> known = new java.util.concurrent.ConcurrentHashMap<>();

  PriceCalculator(boolean caches) {
    this.caches = caches;
  }

  long priceWithDiscountAndTaxForReturningCustomer(int article) {
    return caches ? known.computeIfAbsent(article, this::calculateWithoutCache) : calculateWithoutCache(article);
  }

  private long calculateWithoutCache(int article) {
    return discountOf(article, 18);
  }

  private long discountOf(int article, int depth) {
    if (depth < 2) return article;
    return discountOf(article, depth - 1) + taxOf(new long[64], depth) + (depth % 6 == 0 ? discountOf(article, depth - 2) : 0);
  }

  private long taxOf(long[] rates, int depth) {
    for (int i = 0; i < rates.length; ++i) rates[i] = depth * (long) i;
    return rates[depth];
  }
}

final class AuditTrail implements Runnable {
  private final BlockingQueue<String> lines = new ArrayBlockingQueue<>(2);

  void write(String line) {
    try {
      lines.put(line);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void run() {
    try {
      for (long sum = 0; ; sum += store(lines.take())) {
        if (sum < 0) return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private int store(String line) {
    int sum = 0;
    for (int i = 0; i < 200_000; ++i) sum = sum * 31 + line.charAt(i % line.length());
    return sum & 1;
  }
}
