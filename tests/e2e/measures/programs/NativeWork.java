import java.util.Random;
import java.util.zip.Deflater;

/** Works in Java code and in native code by turns. */
public class NativeWork {
    static volatile long sink;

    static void burn() {
        long sum = 0;
        for (int i = 0; i < 4_000_000; i++) sum += i * sum + 7;
        sink = sum;
    }

    static void pack(byte[] bytes, byte[] packed) {
        Deflater deflater = new Deflater(9);
        deflater.setInput(bytes);
        deflater.finish();
        while (!deflater.finished()) sink = deflater.deflate(packed);
        deflater.end();
    }

    public static void main(String[] args) {
        byte[] bytes = new byte[200_000], packed = new byte[1 << 16];
        Random random = new Random(1);
        for (int i = 0; i < bytes.length; i++) bytes[i] = (byte) random.nextInt(16);
        for (int i = 0; i < 60; i++) {
            burn();
            pack(bytes, packed);
        }
    }
}
