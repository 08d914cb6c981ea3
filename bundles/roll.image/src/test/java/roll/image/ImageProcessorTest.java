package roll.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.data.RandomStreams;
import roll.api.image.ImageGrid;
import roll.api.image.ImagePatches;
import roll.api.image.ImageProcessor;
import roll.api.option.UserException;

class ImageProcessorTest {
  /** One pixel of RGB 255, 0, 0, lossless. */
  private static final String WEBP = "UklGRhwAAABXRUJQVlA4TA8AAAAvAAAAAAcQ/Y/+ByKi/wEA";

  @TempDir Path folder;

  private ImageProcessor processor(String config) throws IOException {
    Files.writeString(folder.resolve("preprocessor_config.json"), config);
    return new FolderImageProcessors().load(folder);
  }

  private ImageProcessor processor() throws IOException {
    return processor("{\"image_processor_type\": \"Qwen2VLImageProcessor\"}");
  }

  private static BufferedImage random(int width, int height, int type) {
    BufferedImage image = new BufferedImage(width, height, type);
    RandomGenerator random = RandomStreams.of(width, "picture");
    for (int i = 0; i < width * height; i++) {
      image.setRGB(i % width, i / width, random.nextInt() | 0xff000000);
    }
    return image;
  }

  private static byte[] encoded(BufferedImage image, String format) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertTrue(ImageIO.write(image, format, out));
    return out.toByteArray();
  }

  /**
   * Returns the index of pixel (y, x) of channel c, by the reshape and transpose of transformers.
   */
  private static int index(ImageGrid grid, int frame, int channel, int y, int x) {
    int[] at = {y / 28, x / 28, y / 14 % 2, x / 14 % 2, channel, frame, y % 14, x % 14};
    int[] size = {grid.rows() / 2, grid.columns() / 2, 2, 2, 3, 2, 14, 14};
    int index = 0;
    for (int i = 0; i < at.length; i++) {
      index = index * size[i] + at[i];
    }
    return index;
  }

  @Test
  void patchesAreInTheOrderOfTheirTokens() throws IOException {
    BufferedImage image = random(84, 56, BufferedImage.TYPE_INT_RGB);
    ImagePatches patches = processor().process("a.png", encoded(image, "png"));
    assertEquals(new ImageGrid(1, 4, 6), patches.grid());
    assertEquals(6, patches.tokens());
    assertEquals(1176, patches.patchSize());
    double[] mean = {0.48145466, 0.4578275, 0.40821073};
    double[] deviation = {0.26862954, 0.26130258, 0.27577711};
    for (int y = 0; y < 56; y++) {
      for (int x = 0; x < 84; x++) {
        for (int c = 0; c < 3; c++) {
          int level = image.getRGB(x, y) >> (16 - 8 * c) & 0xff;
          double right = (level / 255.0 - mean[c]) / deviation[c];
          assertEquals(right, patches.values()[index(patches.grid(), 0, c, y, x)], 1e-6);
          assertEquals(right, patches.values()[index(patches.grid(), 1, c, y, x)], 1e-6);
        }
      }
    }
  }

  /** The whole way against the definition: resampling without rounding, then normalized. */
  @Test
  void valuesAreThoseOfTheDefinition() throws IOException {
    BufferedImage image = random(100, 75, BufferedImage.TYPE_INT_RGB);
    ImagePatches patches = processor().process("a.png", image);
    assertEquals(112, patches.seen().width());
    assertEquals(84, patches.seen().height());
    assertEquals(patches.seen(), processor().seen("a.png", 100, 75));
    int[][] green = new int[75][100];
    for (int y = 0; y < 75; y++) {
      for (int x = 0; x < 100; x++) {
        green[y][x] = image.getRGB(x, y) >> 8 & 0xff;
      }
    }
    double[][] right = SlowResampling.resize(green, 84, 112);
    double squares = 0;
    for (int y = 0; y < 84; y++) {
      for (int x = 0; x < 112; x++) {
        double value = (right[y][x] / 255 - 0.4578275) / 0.26130258;
        double found = patches.values()[index(patches.grid(), 0, 1, y, x)];
        squares += (found - value) * (found - value);
      }
    }
    assertTrue(squares / (84 * 112) < 1e-3, "mean square " + squares / (84 * 112));
  }

  @Test
  void everyFormatIsRead() throws IOException {
    BufferedImage red = new BufferedImage(56, 56, BufferedImage.TYPE_INT_RGB);
    for (int i = 0; i < 56 * 56; i++) {
      red.setRGB(i % 56, i / 56, 0xff0000);
    }
    float[] right = processor().process("red", red).values();
    for (String format : new String[] {"png", "gif"}) {
      assertArrayEquals(right, processor().process(format, encoded(red, format)).values());
    }
    assertArrayEquals(right, processor().process("jpeg", encoded(red, "jpeg")).values(), 0.02f);
    byte[] webp = Base64.getDecoder().decode(WEBP);
    assertArrayEquals(right, processor().process("webp", webp).values());
  }

  @Test
  void graysAndTransparentColorsKeepTheirNumbers() throws IOException {
    BufferedImage gray = new BufferedImage(56, 56, BufferedImage.TYPE_BYTE_GRAY);
    gray.getRaster()
        .setSamples(0, 0, 56, 56, 0, IntStream.range(0, 56 * 56).map(i -> 100).toArray());
    BufferedImage clear = new BufferedImage(56, 56, BufferedImage.TYPE_INT_ARGB);
    for (int i = 0; i < 56 * 56; i++) {
      clear.setRGB(i % 56, i / 56, 0x01646464);
    }
    float[] right = processor().process("clear", encoded(clear, "png")).values();
    assertArrayEquals(right, processor().process("gray", encoded(gray, "png")).values());
    assertEquals((100 / 255.0 - 0.48145466) / 0.26862954, right[0], 1e-6);
  }

  @Test
  void aPictureTakenSidewaysIsTurned() throws IOException {
    BufferedImage wide = new BufferedImage(112, 56, BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < 56; y++) {
      for (int x = 0; x < 56; x++) {
        wide.setRGB(x, y, 0xffffff); // the left half, which is above after a turn to the right
      }
    }
    byte[] jpeg = encoded(wide, "jpeg");
    byte[] exif = {
      (byte) 0xff,
      (byte) 0xe1,
      0,
      34,
      'E',
      'x',
      'i',
      'f',
      0,
      0,
      'M',
      'M',
      0,
      42,
      0,
      0,
      0,
      8,
      0,
      1,
      0x01,
      0x12,
      0,
      3,
      0,
      0,
      0,
      1,
      0,
      6,
      0,
      0,
      0,
      0,
      0,
      0
    };
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(jpeg, 0, 2);
    out.write(exif);
    out.write(jpeg, 2, jpeg.length - 2);
    ImagePatches patches = processor().process("a.jpg", out.toByteArray());
    assertEquals(56, patches.seen().width());
    assertEquals(112, patches.seen().height());
    assertTrue(patches.values()[0] > 1.8, "white above");
    assertTrue(patches.values()[patches.values().length - 1] < -1.4, "black below");
  }

  private void refused(byte[] picture, String why) throws IOException {
    ImageProcessor processor = processor();
    String refused = userError(() -> processor.process("a.png", picture));
    assertTrue(refused.startsWith("a.png: " + why), refused);
    assertEquals(1, refused.lines().count());
  }

  @Test
  void whatIsNoPictureIsRefused() throws IOException {
    refused(new byte[0], "is not a picture (allowed: JPEG, PNG, GIF, WebP)");
    refused("hello".getBytes(UTF_8), "is not a picture");
    byte[] whole = encoded(random(60, 60, BufferedImage.TYPE_INT_RGB), "png");
    refused(Arrays.copyOf(whole, 40), "a broken picture");
    refused(Arrays.copyOf(whole, 200), "a broken picture");
  }

  /** A header that promises 60,000 by 60,000 pixels costs nothing. */
  @Test
  void aBombIsRefused() throws IOException {
    byte[] png = encoded(random(60, 60, BufferedImage.TYPE_INT_RGB), "png");
    for (int i : new int[] {18, 22}) {
      png[i] = (byte) (60_000 >> 8);
      png[i + 1] = (byte) 60_000;
    }
    CRC32 sum = new CRC32();
    sum.update(png, 12, 17);
    ByteBuffer.wrap(png).putInt(29, (int) sum.getValue());
    refused(png, "60,000 by 60,000 pixels are more than the 89,478,485 that are allowed");
  }

  /** Whatever bytes come, it is one line or a picture. */
  @Test
  void damagedPicturesNeverDoMore() throws IOException {
    RandomGenerator random = RandomStreams.of(3, "damage");
    ImageProcessor processor = processor();
    for (String format : new String[] {"png", "gif", "jpeg", "webp"}) {
      byte[] whole =
          format.equals("webp")
              ? Base64.getDecoder().decode(WEBP)
              : encoded(random(60, 60, BufferedImage.TYPE_INT_RGB), format);
      for (int i = 0; i < 150; i++) {
        byte[] damaged = whole.clone();
        for (int k = 0; k < 4; k++) {
          damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
        }
        try {
          assertTrue(processor.process("a", damaged).tokens() > 0);
        } catch (UserException refused) {
          assertEquals(1, refused.getMessage().lines().count());
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "",
        "{\"image_processor_type\": \"CLIPImageProcessor\"}",
        "{\"image_processor_type\": \"Qwen2VLImageProcessor\", \"patch_size\": 0}",
        "{\"image_processor_type\": \"Qwen2VLImageProcessor\", \"image_std\": [0, 1, 1]}",
        "{\"image_processor_type\": \"Qwen2VLImageProcessor\", \"image_mean\": [1]}",
        "{\"image_processor_type\": \"Qwen2VLImageProcessor\", \"resample\": 1}",
        "{\"image_processor_type\": \"Qwen2VLImageProcessor\", \"min_pixels\": 9999999}"
      })
  void wrongConfigurationsAreRefused(String config) {
    String refused = userError(() -> processor(config));
    assertTrue(refused.contains("preprocessor_config.json: "), refused);
  }

  @Test
  void limitsOfThePixelsAreObeyed() throws IOException {
    ImageProcessor small =
        processor(
            "{\"image_processor_type\": \"Qwen2VLImageProcessorFast\","
                + " \"size\": {\"shortest_edge\": 784, \"longest_edge\": 12544}}");
    assertEquals(new ImageGrid(1, 8, 8), small.grid("a", 500, 500));
    assertEquals(new ImageGrid(1, 2, 2), small.grid("a", 30, 30));
  }

  @Test
  void aModelThatCannotSeeSaysSo() {
    assertEquals(
        folder + ": this model has no vision: it has no preprocessor_config.json",
        userError(() -> new FolderImageProcessors().load(folder)));
  }
}
