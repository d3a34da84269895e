import workloads.Digest;
import workloads.Texts;
import workloads.Workload;

public class KernelsProgram extends Workload {
    private static final class Complex {
        final double re, im;
        Complex(double re, double im) { this.re = re; this.im = im; }
        Complex plus(Complex o) { return new Complex(re + o.re, im + o.im); }
        Complex minus(Complex o) { return new Complex(re - o.re, im - o.im); }
        Complex times(Complex o) { return new Complex(re * o.re - im * o.im, re * o.im + im * o.re); }
        static Complex root(int k, int n) { return new Complex(StrictMath.cos(-2 * Math.PI * k / n), StrictMath.sin(-2 * Math.PI * k / n)); }
    }
    private static Complex[] fft(Complex[] x) {
        int n = x.length;
        if (n == 1) return x;
        Complex[] even = fft(half(x, 0)), odd = fft(half(x, 1)), y = new Complex[n];
        for (int k = 0; k < n / 2; k++) {
            Complex t = Complex.root(k, n).times(odd[k]);
            y[k] = even[k].plus(t);
            y[k + n / 2] = even[k].minus(t);
        }
        return y;
    }
    private static Complex[] half(Complex[] x, int from) {
        Complex[] out = new Complex[x.length / 2];
        for (int i = 0; i < out.length; i++) out[i] = x[2 * i + from];
        return out;
    }
    private static final class Matrix {
        final int n;
        final double[] cells;
        Matrix(int n) { this.n = n; cells = new double[n * n]; }
        double get(int i, int j) { return cells[i * n + j]; }
        void set(int i, int j, double v) { cells[i * n + j] = v; }
        double relaxed(int i, int j) { return .25 * (get(i - 1, j) + get(i + 1, j) + get(i, j - 1) + get(i, j + 1)); }
        void relax() { for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) set(i, j, -.25 * get(i, j) + 1.25 * relaxed(i, j)); }
        void eliminate(int k, int i) {
            double f = get(i, k) / get(k, k);
            for (int j = k; j < n; j++) set(i, j, get(i, j) - f * get(k, j));
        }
        void decompose() { for (int k = 0; k < n; k++) for (int i = k + 1; i < n; i++) eliminate(k, i); }
    }
    private static boolean inside(double x, double y) { return square(x) + square(y) < 1; }
    private static double square(double x) { return x * x; }

    @Override public void iterate(Digest digest) {
        Texts random = new Texts(7);
        for (int round = 0; round < 8; round++) {
            Complex[] signal = new Complex[4096];
            for (int i = 0; i < signal.length; i++) signal[i] = new Complex(random.unit(), 0);
            for (Complex c : fft(signal)) digest.add(c.re).add(c.im);
            Matrix matrix = new Matrix(160);
            for (int i = 0; i < matrix.cells.length; i++) matrix.cells[i] = random.unit() + (i % 161 == 0 ? 160 : 0);
            for (int i = 0; i < 12; i++) matrix.relax();
            matrix.decompose();
            digest.add(matrix.get(80, 90));
            int hits = 0;
            for (int i = 0; i < 300_000; i++) if (inside(random.unit(), random.unit())) hits++;
            digest.add(hits);
        }
    }
}
