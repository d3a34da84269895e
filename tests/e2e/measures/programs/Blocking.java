import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** What blocks in the kernel, by turns with work: sockets, selectors, processes, sleeps, queues. Prints what came of it. */
public class Blocking {
    static final int ROUNDS = 60;
    static volatile long sink;

    static void burn() {
        long sum = 0;
        for (int i = 0; i < 2_000_000; i++) sum += i * sum + 7;
        sink = sum;
    }

    static void echo(ServerSocket server) {
        try {
            for (int client = 0; client < 2; client++) {
                try (Socket socket = server.accept()) {
                    InputStream in = socket.getInputStream();
                    OutputStream out = socket.getOutputStream();
                    for (int read; (read = in.read()) >= 0;) {
                        burn();
                        out.write(read + 1);
                    }
                }
            }
        } catch (Exception failed) {
            System.out.println(failed);
        }
    }

    static int blocking(int port) throws Exception {
        int sum = 0;
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            for (int i = 0; i < ROUNDS; i++) {
                burn();
                socket.getOutputStream().write(i);
                sum += socket.getInputStream().read();
            }
        }
        return sum;
    }

    static int selecting(int port) throws Exception {
        int sum = 0;
        try (SocketChannel channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
             Selector selector = Selector.open()) {
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            ByteBuffer one = ByteBuffer.allocate(1);
            for (int i = 0; i < ROUNDS; i++) {
                burn();
                channel.write(one.clear().put((byte) i).flip());
                while (selector.select() == 0) burn();
                selector.selectedKeys().clear();
                channel.read(one.clear());
                sum += one.get(0);
            }
        }
        return sum;
    }

    static int processes() throws Exception {
        int sum = 0;
        for (int i = 0; i < 15; i++) {
            burn();
            Process process = new ProcessBuilder("/bin/sh", "-c", "exit " + i).start();
            sum += process.waitFor();
        }
        return sum;
    }

    static int waits() throws Exception {
        LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
        int sum = 0;
        for (int i = 0; i < 30; i++) {
            burn();
            sum += queue.poll(2, TimeUnit.MILLISECONDS) == null ? 1 : 0;
            Thread.sleep(1);
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread echoing = new Thread(() -> echo(server));
            echoing.start();
            System.out.println(blocking(server.getLocalPort()) + " " + selecting(server.getLocalPort()));
            echoing.join();
        }
        System.out.println(processes() + " " + waits());
    }
}
