package roll.shell.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.image.FolderImageProcessors;
import roll.shell.Gogo;

/** {@code image} with the processor of a model folder. */
class ImageCommandTest {
  @TempDir Path folder;
  private final ImageCommand command = new ImageCommand(new FolderImageProcessors());

  @BeforeEach
  void aFolderAndAPicture() throws IOException {
    Files.writeString(
        folder.resolve("preprocessor_config.json"),
        "{\"image_processor_type\": \"Qwen2VLImageProcessor\"}");
    BufferedImage black = new BufferedImage(640, 480, BufferedImage.TYPE_INT_RGB);
    assertTrue(ImageIO.write(black, "png", folder.resolve("a.png").toFile()));
  }

  private String run(String... options) {
    String[] all = new String[options.length + 2];
    all[0] = folder.toString();
    all[1] = folder.resolve("a.png").toString();
    System.arraycopy(options, 0, all, 2, options.length);
    try (Gogo gogo = new Gogo(command, "image")) {
      return gogo.call(command, all);
    }
  }

  @Test
  void aTableForPeople() {
    assertEquals(
        """
        picture     640 by 480 pixels
        resized to  644 by 476 pixels
        patches     1 frame, 34 rows, 46 columns
        tokens      391
        values      [-1.7922626,-1.7922626]\
        """,
        run("--values", "2"));
  }

  @Test
  void aLineForPrograms() {
    assertEquals(
        "{\"width\":644,\"height\":476,\"grid_thw\":[1,34,46],\"tokens\":391,"
            + "\"picture_width\":640,\"picture_height\":480,\"values\":[-1.7922626]}",
        run("--json", "--values", "1"));
  }

  @Test
  void mistakesAreOneLine() throws IOException {
    assertTrue(
        assertThrows(UserException.class, () -> run("--values", "0"))
            .getMessage()
            .startsWith("image: --values: expected an integer from 1 to 1000000, found '0'"));
    Files.writeString(folder.resolve("a.png"), "no picture");
    assertEquals(
        folder.resolve("a.png") + ": is not a picture (allowed: JPEG, PNG, GIF, WebP)",
        assertThrows(UserException.class, () -> run()).getMessage());
    Files.delete(folder.resolve("a.png"));
    assertEquals(
        "image: " + folder.resolve("a.png") + " cannot be read",
        assertThrows(UserException.class, () -> run()).getMessage());
  }
}
