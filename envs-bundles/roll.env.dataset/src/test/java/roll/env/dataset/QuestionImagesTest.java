package roll.env.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static roll.testkit.UserErrors.userError;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.data.Message;
import roll.api.data.Message.InlinePicture;
import roll.api.dataset.DataSetReader;
import roll.api.dataset.Row;
import roll.api.env.Episode;
import roll.api.env.Observation;
import roll.api.env.Scenario;
import roll.api.image.Picture;
import roll.api.option.UserException;

/** Rows with pictures. */
class QuestionImagesTest {
  private static final Picture RED = picture(0xFF0000);
  private static final Picture BLUE = picture(0x0000FF);

  private final Path folder;

  QuestionImagesTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    Files.write(folder.resolve("red.png"), RED.data());
    Files.write(folder.resolve("blue.png"), BLUE.data());
  }

  private static Picture picture(int color) {
    BufferedImage image = new BufferedImage(2, 2, BufferedImage.TYPE_INT_RGB);
    image.setRGB(0, 0, color);
    return Picture.png(image);
  }

  private Scenario scenario(Map<String, Object> row, Map<String, Object> options) {
    DataSetReader sets = files -> List.of(new Row(folder.resolve("set.jsonl"), 4, row));
    return Sets.scenario(sets, new HashMap<>(options));
  }

  private Observation seen(Map<String, Object> row) {
    try (Episode episode = scenario(row, Map.of()).reset(1)) {
      assertEquals(episode.observation(), episode.observed().text());
      return episode.observed();
    }
  }

  @Test
  void marksArePlaces() {
    assertEquals(
        new Observation(
            "Is  like ?", List.of(new InlinePicture(3, RED), new InlinePicture(9, BLUE))),
        seen(
            Map.of(
                "question", "Is <image> like <image>?", "images", List.of("red.png", "blue.png"))));
    assertEquals(
        new Observation("What?", List.of(new InlinePicture(0, RED), new InlinePicture(0, BLUE))),
        seen(
            Map.of(
                "question",
                "What?",
                "images",
                List.of(
                    Map.of("path", folder.resolve("red.png").toString()),
                    Map.of(
                        "bytes",
                        Base64.getEncoder().encodeToString(BLUE.data()),
                        "path",
                        "other.png")))));
    assertEquals(
        new Observation("x", List.of(new InlinePicture(0, RED))),
        seen(Map.of("question", "x", "images", "file://" + folder.resolve("red.png"))));
  }

  @Test
  void aRowWithoutPicturesIsText() {
    assertEquals(
        Observation.of("an <image>, no less"), seen(Map.of("question", "an <image>, no less")));
    assertEquals(
        Observation.of("<image>"), seen(Map.of("question", "<image>", "images", List.of())));
  }

  @Test
  void chatMessagesHavePlacesToo() {
    List<Object> chat =
        List.of(
            Map.of("role", "system", "content", "Look."),
            Map.of("role", "user", "content", "a<image>b"));
    Map<String, Object> row = Map.of("prompt", chat, "pics", List.of(Map.of("image", "red.png")));
    Scenario scenario = scenario(row, Map.of("image_key", "pics"));
    assertEquals(
        new Observation(
            "ab", List.of(new InlinePicture(1, RED)), List.of(new Message("system", "Look."))),
        scenario.reset(1).observed());
  }

  @Test
  void factsNameThePicturesOnly() {
    Map<String, Object> facts =
        scenario(
                Map.of(
                    "question",
                    "x",
                    "images",
                    List.of(Map.of("bytes", "AAAA", "path", "a.png"), "red.png")),
                Map.of())
            .reset(1)
            .facts();
    assertEquals(List.of(Map.of("path", "a.png"), "red.png"), facts.get("images"));
  }

  @Test
  void lengthsCountPictures() {
    Map<String, Object> row = Map.of("question", "abc", "images", List.of("red.png"));
    Scenario scenario = scenario(row, Map.of("filter_overlong_prompts", true));
    Scenario fitting =
        scenario.fittingSeen(seen -> seen.text().length() + 10 * seen.pictures().size(), 13);
    assertEquals(1, fitting.reset(1).observed().pictures().size());
    assertThrows(
        UserException.class,
        () -> scenario.fittingSeen(seen -> seen.text().length() + 10 * seen.pictures().size(), 12));
    assertEquals(
        folder.resolve("set.jsonl") + ":4: too wide",
        userError(
            () ->
                scenario.fittingSeen(
                    seen -> {
                      throw new UserException("too wide");
                    },
                    12)));
  }

  @Test
  void whatIsWrongIsSaidWithItsRow() throws IOException {
    Files.writeString(folder.resolve("text.png"), "no picture");
    refused("images[0]: there is no file 'gone.png'", "?", "gone.png");
    refused("images[1]: there is no file '.'", "?", "red.png", ".");
    refused("images[0]: there is no file '\\u0000'", "?", "\0");
    refused("images[0]: expected a path, or a mapping with 'path' or 'bytes' (in Base64)", "?", 7L);
    refused(
        "images[0]: expected a path, or a mapping with 'path' or 'bytes' (in Base64)",
        "?",
        Map.of("url", "x"));
    refused(
        "the prompt has 1 placeholders <image> for 2 pictures in 'images'",
        "a<image>",
        "red.png",
        "red.png");
    refused(
        "the prompt has 2 placeholders <image> for 1 pictures in 'images'",
        "<image><image>",
        "red.png");
    refused("images[0]: is not a picture (allowed: JPEG, PNG, GIF, WebP)", "?", "text.png");
    refused(
        "images[0]: is not a picture (allowed: JPEG, PNG, GIF, WebP)", "?", Map.of("bytes", ""));
  }

  private void refused(String message, String question, Object... images) {
    assertEquals(
        folder.resolve("set.jsonl") + ":4: " + message,
        userError(() -> seen(Map.of("question", question, "images", List.of(images)))));
  }

  /** 280 by 140 pixels are 39,200; √(39,200 / 10,000) = 1.98 leaves 5 and 2.5 tokens of 28. */
  @Test
  void largePicturesAreShrunk() throws IOException {
    Picture large = Picture.png(new BufferedImage(280, 140, BufferedImage.TYPE_INT_RGB));
    Files.write(folder.resolve("large.png"), large.data());
    Map<String, Object> row = Map.of("question", "What?", "images", List.of("large.png"));
    assertEquals(large, only(row, Map.of()));
    assertEquals(large, only(row, Map.of("image_max_pixels", 39_200)));
    BufferedImage shrunk =
        ImageIO.read(
            new ByteArrayInputStream(only(row, Map.of("image_max_pixels", 10_000)).data()));
    assertEquals(List.of(140, 56), List.of(shrunk.getWidth(), shrunk.getHeight()));
    assertEquals(
        RED, only(Map.of("question", "", "images", "red.png"), Map.of("image_max_pixels", 784)));
  }

  private Picture only(Map<String, Object> row, Map<String, Object> options) {
    try (Episode episode = scenario(row, options).reset(1)) {
      return episode.observed().pictures().getFirst().picture();
    }
  }
}
