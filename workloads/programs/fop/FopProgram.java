import java.io.ByteArrayOutputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Date;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.sax.SAXResult;
import javax.xml.transform.stream.StreamSource;
import org.apache.fop.apps.FOUserAgent;
import org.apache.fop.apps.Fop;
import org.apache.fop.apps.FopFactory;
import org.apache.fop.apps.FopFactoryBuilder;
import org.apache.fop.apps.MimeConstants;
import workloads.Digest;
import workloads.Texts;
import workloads.Workload;

public class FopProgram extends Workload {
    private FopFactory factory;
    private String document;

    @Override public void setup() throws Exception {
        factory = new FopFactoryBuilder(folder.toUri()).build();
        Texts texts = new Texts(3);
        StringBuilder b = new StringBuilder("<fo:root xmlns:fo='http://www.w3.org/1999/XSL/Format'><fo:layout-master-set><fo:simple-page-master master-name='a' page-height='29.7cm' page-width='21cm' margin='2cm'><fo:region-body/></fo:simple-page-master></fo:layout-master-set>");
        for (int chapter = 0; chapter < 8; chapter++) {
            b.append("<fo:page-sequence master-reference='a'><fo:flow flow-name='xsl-region-body'><fo:block font-size='18pt' id='c").append(chapter).append("' space-after='8pt'>").append(texts.sentence(4)).append("</fo:block>");
            for (int part = 0; part < 6; part++) {
                b.append("<fo:block text-align='justify' hyphenate='true' space-after='5pt'>").append(texts.paragraph(6)).append("<fo:inline font-style='italic'>").append(texts.sentence(5)).append("</fo:inline></fo:block>");
                if (part % 2 == 0) table(b, texts);
                else list(b, texts);
            }
            b.append("<fo:block>See page <fo:page-number-citation ref-id='c").append(7 - chapter).append("'/></fo:block></fo:flow></fo:page-sequence>");
        }
        document = b.append("</fo:root>").toString();
    }
    private static void table(StringBuilder b, Texts texts) {
        b.append("<fo:table table-layout='fixed' width='100%' border='0.5pt solid black'><fo:table-body>");
        for (int row = 0; row < 14; row++) {
            b.append("<fo:table-row>");
            for (int cell = 0; cell < 4; cell++) b.append("<fo:table-cell border='0.5pt solid black' padding='2pt'><fo:block>").append(texts.sentence(3)).append("</fo:block></fo:table-cell>");
            b.append("</fo:table-row>");
        }
        b.append("</fo:table-body></fo:table>");
    }
    private static void list(StringBuilder b, Texts texts) {
        b.append("<fo:list-block provisional-distance-between-starts='1cm'>");
        for (int i = 0; i < 6; i++) b.append("<fo:list-item><fo:list-item-label end-indent='label-end()'><fo:block>").append(i).append("</fo:block></fo:list-item-label><fo:list-item-body start-indent='body-start()'><fo:block>").append(texts.sentence(12)).append("</fo:block></fo:list-item-body></fo:list-item>");
        b.append("</fo:list-block>");
    }

    @Override public void iterate(Digest digest) throws Exception {
        FOUserAgent agent = factory.newFOUserAgent();
        agent.setCreationDate(new Date(0));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Fop fop = factory.newFop(MimeConstants.MIME_PDF, agent, out);
        TransformerFactory.newInstance().newTransformer().transform(new StreamSource(new StringReader(document)), new SAXResult(fop.getDefaultHandler()));
        String pdf = out.toString(StandardCharsets.ISO_8859_1).replaceAll("/ID \\[[^]]*\\]|<xmp:MetadataDate>[^<]*<", "");
        digest.add(pdf).add(fop.getResults().getPageCount());
    }
}
