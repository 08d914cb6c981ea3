package roll.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;

class ChartImageTest {
  private static final Color RED = new Color(0xff0000);
  private static final Color PALE = new Color(0xd0ffd0);

  @TempDir Path folder;

  private static ChartPanel panel(String title) {
    ChartBand band =
        new ChartBand("band", List.of(0, 100), List.of(0.2, 0.2), List.of(0.6, 0.8), PALE);
    ChartLine line = new ChartLine("line", List.of(0, 100), List.of(0.4, 0.5), RED, 2, false, true);
    return new ChartPanel(title, "value", true, List.of(band), List.of(line));
  }

  /** In the middle column the band is from 0.2 to 0.7, and the line at 0.45 is drawn over it. */
  @Test
  void theLineLiesOverItsBand() {
    BufferedImage image = ChartImage.of(List.of(panel("A title")));
    int x = image.getWidth() / 2;
    int first = -1;
    int last = -1;
    int red = -1;
    for (int y = 0; y < image.getHeight(); y++) {
      int color = image.getRGB(x, y) & 0xffffff;
      if (color == 0xd0ffd0) {
        first = first < 0 ? y : first;
        last = y;
      } else if (color == 0xff0000) {
        red = y;
      }
    }
    assertTrue(0 < first && first < red && red < last, first + " " + red + " " + last);
    assertEquals(0.5, (double) (red - first) / (last - first), 0.06);
  }

  @Test
  void panelsAreBelowEachOther() {
    BufferedImage image = ChartImage.of(List.of(panel("one"), panel("")));
    assertEquals(1800, image.getWidth());
    assertEquals(2 * 760, image.getHeight());
  }

  @Test
  void aFileIsThereWholeOrNotAtAll() throws IOException {
    Path file = folder.resolve("a.png");
    ChartFile.write(file, ChartImage.of(List.of(panel("t"))));
    assertEquals(760, ImageIO.read(file.toFile()).getHeight());
    Path nowhere = folder.resolve("no/such.png");
    UserException e =
        assertThrows(
            UserException.class,
            () -> ChartFile.write(nowhere, ChartImage.of(List.of(panel("t")))));
    assertTrue(e.getMessage().startsWith(nowhere + ": cannot be written: "), e.getMessage());
    assertFalse(Files.exists(nowhere.getParent()));
  }
}
