import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URL;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A server whose threads wait for work: workers of a pool, a worker with a loop and a queue of its own, a thread that
 * accepts connections, a timer. A request waits for a connection of a pool, which is a part of its work. Prints how long
 * these waits, and the life of the worker, took by their own clocks.
 */
public class WaitingServer {
    private static final int REQUESTS = 10;
    private static final Runnable STOP = () -> {};
    private static final BlockingQueue<Object> connections = new LinkedBlockingQueue<>();
    private static long waited, lived;

    static final class Worker extends Thread {
        final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

        @Override
        public void run() {
            long began = System.nanoTime();
            try {
                for (Runnable task = tasks.take(); task != STOP; task = tasks.take()) task.run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            lived = System.nanoTime() - began;
        }
    }

    static final class Acceptor extends Thread {
        final ServerSocket socket;

        Acceptor() throws IOException {
            socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        }

        @Override
        public void run() {
            listen();
        }

        private void listen() {
            try (ServerSocket closed = socket) {
                closed.accept().close();
            } catch (IOException e) {
                // the end
            }
        }
    }

    static Object lend() throws InterruptedException {
        long began = System.nanoTime();
        Object connection = connections.take();
        waited += System.nanoTime() - began;
        return connection;
    }

    static void answer() {
        try {
            lend();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] arguments) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            answer();
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.setExecutor(pool);
        server.start();
        Worker worker = new Worker();
        worker.start();
        Acceptor acceptor = new Acceptor();
        acceptor.start();
        Timer timer = new Timer(true);
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                connections.add(this);
            }
        }, 100, 100);
        URL url = new URL("http", "127.0.0.1", server.getAddress().getPort(), "/");
        for (int i = 0; i < REQUESTS; ++i) {
            HttpURLConnection connection = (HttpURLConnection) url.openConnection();
            if (connection.getResponseCode() != 204) throw new IllegalStateException("no answer");
            worker.tasks.add(() -> {});
        }
        worker.tasks.add(STOP);
        worker.join();
        acceptor.socket.close();
        acceptor.join();
        server.stop(0);
        pool.shutdown();
        System.out.println(waited + " " + lived);
    }
}
