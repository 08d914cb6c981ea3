package roll.core.trajectory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EpisodeGifsTest {
  @TempDir Path folder;

  @Test
  void writes_animations_that_read_back() throws Exception {
    Path frames = folder.resolve("frames");
    Files.createDirectories(frames);
    Files.writeString(frames.resolve("old.gif"), "of an earlier validation");
    EpisodeGifs.write(frames, Map.of("lake_0", List.of(image(Color.RED), image(Color.BLUE))));
    assertFalse(Files.exists(frames.resolve("old.gif")));

    ImageReader reader = ImageIO.getImageReadersBySuffix("gif").next();
    try (ImageInputStream in =
        ImageIO.createImageInputStream(frames.resolve("lake_0.gif").toFile())) {
      reader.setInput(in);
      assertEquals(2, reader.getNumImages(true));
      assertEquals(Color.RED.getRGB(), reader.read(0).getRGB(3, 3));
      assertEquals(Color.BLUE.getRGB(), reader.read(1).getRGB(3, 3));
    } finally {
      reader.dispose();
    }
  }

  private static BufferedImage image(Color color) {
    BufferedImage image = new BufferedImage(8, 8, BufferedImage.TYPE_INT_RGB);
    Graphics2D pen = image.createGraphics();
    pen.setColor(color);
    pen.fillRect(0, 0, 8, 8);
    pen.dispose();
    return image;
  }
}
