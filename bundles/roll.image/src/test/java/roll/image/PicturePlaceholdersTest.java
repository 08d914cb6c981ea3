package roll.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static roll.testkit.UserErrors.userError;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.image.ImageProcessor;
import roll.api.image.Picture;
import roll.api.image.VisionTokens;
import roll.api.option.UserException;

/** Tests the number and the tokens of image placeholders. */
class PicturePlaceholdersTest {
  private final Path folder;
  private final ImageProcessor processor;

  PicturePlaceholdersTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    Files.writeString(
        folder.resolve("preprocessor_config.json"),
        "{\"image_processor_type\": \"Qwen2VLImageProcessor\"}");
    processor = new FolderImageProcessors().load(folder);
  }

  private static Picture picture(String format, int width, int height) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      ImageIO.write(new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB), format, bytes);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return Picture.of(bytes.toByteArray());
  }

  /** By hand: sides to multiples of 28, at least 3,136 and at most 1,003,520 pixels. */
  @ParameterizedTest
  @CsvSource({
    "png, 56, 56, 4",
    "png, 57, 69, 4",
    "jpg, 100, 71, 12",
    "gif, 1, 1, 4",
    "png, 28, 280, 10",
    "jpg, 1000, 1000, 1225",
    "png, 2000, 500, 1278"
  })
  void theSizeIsEnough(String format, int width, int height, int tokens) {
    Picture whole = picture(format, width, height);
    assertEquals(tokens, processor.tokens("it", whole));
    assertEquals(tokens, processor.process("it", whole.data()).tokens());
    processor.check("it", whole);
  }

  @Test
  void whatIsBrokenBehindTheSizeIsFoundByTheCheck() {
    Picture whole = picture("png", 300, 200);
    Picture cut = Picture.of(Arrays.copyOf(whole.data(), 60));
    assertEquals(processor.tokens("it", whole), processor.tokens("it", cut));
    assertThrows(UserException.class, () -> processor.check("it", cut));
    Picture none = Picture.of(new byte[] {1, 2});
    String message = "it: is not a picture (allowed: JPEG, PNG, GIF, WebP)";
    assertEquals(message, userError(() -> processor.tokens("it", none)));
    assertEquals(message, userError(() -> processor.check("it", none)));
    Picture wire = picture("png", 1, 300);
    assertEquals(
        userError(() -> processor.process("it", wire.data())),
        userError(() -> processor.check("it", wire)));
  }

  private Optional<VisionTokens> vision(String config) throws IOException {
    Files.writeString(folder.resolve("config.json"), config);
    return new FolderImageProcessors().vision(folder);
  }

  @Test
  void aModelSeesByItsConfigAndItsProcessor() throws IOException {
    assertEquals(Optional.empty(), new FolderImageProcessors().vision(folder), "no config.json");
    assertEquals(Optional.empty(), vision("{\"model_type\": \"qwen2\"}"));
    VisionTokens tokens =
        vision(
                "{\"vision_config\": {}, \"image_token_id\": 5, \"video_token_id\": 6,"
                    + " \"vision_start_token_id\": 3, \"vision_end_token_id\": 4}")
            .orElseThrow();
    assertEquals(5, tokens.image());
    assertEquals(3, tokens.begin());
    assertEquals(4, tokens.end());
    assertEquals(Set.of(3, 4, 5, 6), tokens.reserved());
    VisionTokens alone = vision("{\"vision_config\": {}, \"image_token_id\": 5}").orElseThrow();
    assertEquals(-1, alone.begin());
    assertEquals(Set.of(5), alone.reserved());
    assertEquals(
        folder.resolve("config.json")
            + ": image_token_id: expected an integer from 1 up, found nothing",
        userError(() -> vision("{\"vision_config\": {}}")));
    Files.delete(folder.resolve("preprocessor_config.json"));
    assertEquals(Optional.empty(), vision("{\"vision_config\": {}, \"image_token_id\": 5}"));
  }
}
