import java.awt.image.BufferedImage;
import java.io.StringReader;
import org.apache.batik.transcoder.TranscoderInput;
import org.apache.batik.transcoder.TranscoderOutput;
import org.apache.batik.transcoder.image.ImageTranscoder;
import workloads.Digest;
import workloads.Texts;
import workloads.Workload;

public class BatikProgram extends Workload {
    private String picture;

    /** Keeps the picture in memory. */
    private static final class Pixels extends ImageTranscoder {
        BufferedImage image;
        @Override public BufferedImage createImage(int w, int h) { return new BufferedImage(w, h, BufferedImage.TYPE_INT_ARGB); }
        @Override public void writeImage(BufferedImage made, TranscoderOutput out) { image = made; }
    }

    @Override public void setup() {
        Texts t = new Texts(6);
        StringBuilder b = new StringBuilder("<svg xmlns='http://www.w3.org/2000/svg' width='600' height='450'><style>text { font-family: 'DejaVu Sans'; font-size: 10px } .a { opacity: .6; stroke: #234 } g.b > path { fill-rule: evenodd }</style><defs>");
        for (int i = 0; i < 6; i++) b.append("<linearGradient id='g").append(i).append("'><stop offset='0' stop-color='").append(colour(t)).append("'/><stop offset='1' stop-color='").append(colour(t)).append("'/></linearGradient>");
        b.append("<clipPath id='c'><circle cx='300' cy='220' r='210'/></clipPath><filter id='f'><feGaussianBlur stdDeviation='2'/></filter></defs><g class='b' clip-path='url(#c)'>");
        for (int i = 0; i < 120; i++) {
            b.append("<path class='a' fill='url(#g").append(i % 6).append(")' transform='rotate(").append(t.below(360)).append(" 300 225)' d='M").append(point(t));
            for (int j = 0; j < 6; j++) b.append(t.chance(50) ? " L" + point(t) : " C" + point(t) + ' ' + point(t) + ' ' + point(t));
            b.append("Z'/>");
        }
        b.append("</g>");
        for (int i = 0; i < 150; i++) b.append("<text x='").append(t.below(500)).append("' y='").append(t.below(450)).append("'>").append(t.sentence(4)).append("</text>");
        b.append("<g filter='url(#f)'>");
        for (int i = 0; i < 20; i++) b.append("<ellipse rx='30' ry='12' cx='").append(t.below(600)).append("' cy='").append(t.below(450)).append("' fill='").append(colour(t)).append("'/>");
        picture = b.append("</g></svg>").toString();
    }
    private static String colour(Texts t) { return String.format("#%06x", t.below(0x1000000)); }
    private static String point(Texts t) { return t.below(600) + " " + t.below(450); }

    @Override public void iterate(Digest digest) throws Exception {
        Pixels pixels = new Pixels();
        pixels.transcode(new TranscoderInput(new StringReader(picture)), null);
        digest.add(pixels.image.getRGB(0, 0, 600, 450, null, 0, 600));
    }
}
