import java.io.ByteArrayOutputStream;
import java.io.StringReader;
import javax.xml.transform.Templates;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;
import workloads.Digest;
import workloads.Texts;
import workloads.Workload;

public class XalanProgram extends Workload {
    private static final String[] FACTORIES = {"org.apache.xalan.processor.TransformerFactoryImpl", "org.apache.xalan.xsltc.trax.TransformerFactoryImpl"};
    private static final int THREADS = 4, ROUNDS = 12;
    private final String[] documents = new String[THREADS];

    @Override public void setup() {
        for (int d = 0; d < documents.length; d++) {
            Texts texts = new Texts(30 + d);
            StringBuilder b = new StringBuilder("<library>");
            for (int i = 0; i < 150; i++) {
                b.append("<book id='b").append(i).append("' year='").append(1950 + texts.below(70)).append("'><title>").append(texts.sentence(4)).append("</title><author>").append(Texts.word(texts.below(20))).append("</author>");
                b.append("<refs>");
                for (int j = texts.below(4); j > 0; j--) b.append("<ref to='b").append(texts.below(150)).append("'/>");
                b.append("</refs><text>").append(texts.paragraph(2)).append("</text></book>");
            }
            documents[d] = b.append("</library>").toString();
        }
    }

    @Override public void iterate(Digest digest) throws Exception {
        Templates[] templates = new Templates[FACTORIES.length];
        for (int i = 0; i < templates.length; i++) {
            TransformerFactory factory = TransformerFactory.newInstance(FACTORIES[i], null);
            templates[i] = factory.newTemplates(new StreamSource(folder.resolve("library.xsl").toFile()));
        }
        inThreads(THREADS, digest, (thread, d) -> {
            for (int round = 0; round < ROUNDS; round++) {
                Transformer transformer = templates[round % templates.length].newTransformer();
                transformer.setParameter("since", 1950 + round);
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                transformer.transform(new StreamSource(new StringReader(documents[(thread + round) % THREADS])), new StreamResult(out));
                d.add(out.toByteArray());
            }
        });
    }
}
