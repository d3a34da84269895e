import java.awt.Font;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.StandardChartTheme;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.data.category.DefaultCategoryDataset;
import org.jfree.data.general.DefaultPieDataset;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import workloads.Digest;
import workloads.Texts;
import workloads.Workload;

public class JFreeChartProgram extends Workload {
    @Override public void setup() {
        StandardChartTheme theme = new StandardChartTheme("plain");
        Font font = new Font("DejaVu Sans", Font.PLAIN, 11);
        theme.setExtraLargeFont(font);
        theme.setLargeFont(font);
        theme.setRegularFont(font);
        theme.setSmallFont(font);
        ChartFactory.setChartTheme(theme);
    }

    @Override public void iterate(Digest digest) {
        for (int round = 0; round < 5; round++) {
            Texts texts = new Texts(60 + round);
            DefaultCategoryDataset categories = new DefaultCategoryDataset();
            for (int i = 0; i < 5; i++) for (int j = 0; j < 12; j++) categories.addValue(texts.below(900), "row " + i, Texts.word(j));
            DefaultPieDataset pie = new DefaultPieDataset();
            for (int i = 0; i < 9; i++) pie.setValue(Texts.word(40 + i), 1 + texts.below(50));
            XYSeriesCollection walks = new XYSeriesCollection();
            for (int i = 0; i < 3; i++) {
                XYSeries walk = new XYSeries("walk " + i);
                double y = 0;
                for (int x = 0; x < 900; x++) walk.add(x, y += texts.unit() - .5);
                walks.addSeries(walk);
            }
            draw(digest, ChartFactory.createBarChart("bars", "x", "y", categories));
            draw(digest, ChartFactory.createStackedBarChart("stacked", "x", "y", categories, PlotOrientation.HORIZONTAL, true, false, false));
            draw(digest, ChartFactory.createLineChart("lines", "x", "y", categories));
            draw(digest, ChartFactory.createPieChart("pie", pie, true, false, false));
            draw(digest, ChartFactory.createXYLineChart("walks", "x", "y", walks));
            draw(digest, ChartFactory.createScatterPlot("points", "x", "y", walks));
        }
    }
    private static void draw(Digest digest, JFreeChart chart) {
        digest.add(chart.createBufferedImage(640, 400).getRGB(0, 0, 640, 400, null, 0, 640));
    }
}
