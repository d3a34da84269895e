import org.sunflow.SunflowAPI;
import org.sunflow.core.Display;
import org.sunflow.image.Color;
import org.sunflow.math.Matrix4;
import org.sunflow.math.Point3;
import org.sunflow.math.Vector3;
import org.sunflow.system.UI;
import org.sunflow.system.UserInterface;
import workloads.Digest;
import workloads.Workload;

public class SunflowProgram extends Workload {
    private static final class Scene extends SunflowAPI {
        @Override public void build() {
            parameter("threads", 4);
            parameter("resolutionX", 240);
            parameter("resolutionY", 180);
            parameter("aa.min", 0);
            parameter("aa.max", 1);
            parameter("depths.reflection", 3);
            parameter("bucket.size", 16);
            parameter("gi.engine", "path");
            parameter("gi.path.samples", 2);
            options(DEFAULT_OPTIONS);
            parameter("transform", Matrix4.lookAt(new Point3(0, -16, 6), new Point3(0, 0, 2), new Vector3(0, 0, 1)));
            parameter("fov", 40f);
            parameter("aspect", 4f / 3);
            camera("eye", "pinhole");
            parameter("camera", "eye");
            options(DEFAULT_OPTIONS);
            parameter("diffuse", "sRGB nonlinear", .7f, .7f, .6f);
            shader("matt", "diffuse");
            parameter("color", "sRGB nonlinear", .8f, .8f, .9f);
            shader("chrome", "mirror");
            parameter("points", "point", "vertex", new float[] {-3, -6, 12, 3, -6, 12, 3, 0, 12, -3, 0, 12});
            parameter("triangles", new int[] {0, 2, 1, 0, 3, 2});
            parameter("radiance", "sRGB linear", 20f, 20f, 18f);
            parameter("samples", 4);
            light("lamp", "triangle_mesh");
            parameter("center", new Point3(0, 0, 0));
            parameter("normal", new Vector3(0, 0, 1));
            geometry("floor", "plane");
            place("floor", "matt", Matrix4.IDENTITY);
            for (int i = 0; i < 9; i++) {
                geometry("ball" + i, "sphere");
                place("ball" + i, i % 2 == 0 ? "matt" : "chrome", Matrix4.translation(i % 3 * 3 - 3, i / 3 * 3 - 2, 1.3f).multiply(Matrix4.scale(1.3f)));
            }
            parameter("level", 3);
            geometry("flake", "sphereflake");
            place("flake", "matt", Matrix4.translation(0, 0, 4).multiply(Matrix4.scale(.6f)));
        }
        private void place(String name, String shader, Matrix4 where) {
            parameter("shaders", new String[] {shader});
            parameter("transform", where);
            instance(name + ".instance", name);
        }
    }
    /** Keeps the picture in memory. */
    private static final class Pixels implements Display {
        int width;
        int[] rgb;
        @Override public synchronized void imageBegin(int w, int h, int bucket) { width = w; rgb = new int[w * h]; }
        @Override public void imagePrepare(int x, int y, int w, int h, int id) {}
        @Override public synchronized void imageUpdate(int x, int y, int w, int h, Color[] data, float[] alpha) {
            for (int i = 0; i < w * h; i++) rgb[(y + i / w) * width + x + i % w] = data[i].copy().toNonLinear().toRGB();
        }
        @Override public void imageFill(int x, int y, int w, int h, Color c, float alpha) {}
        @Override public void imageEnd() {}
    }
    /** Sunflow prints its progress otherwise. */
    private static final class Silent implements UserInterface {
        @Override public void print(UI.Module m, UI.PrintLevel level, String s) {
            if (level == UI.PrintLevel.ERROR) throw new IllegalStateException(s);
        }
        @Override public void taskStart(String s, int min, int max) {}
        @Override public void taskUpdate(int current) {}
        @Override public void taskStop() {}
    }

    @Override public void iterate(Digest digest) {
        UI.set(new Silent());
        Scene scene = new Scene();
        scene.build();
        Pixels pixels = new Pixels();
        scene.render(SunflowAPI.DEFAULT_OPTIONS, pixels);
        digest.add(pixels.rgb);
    }
}
