package roll.shell.tour;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import roll.shell.tour.TourText.Prompt;
import roll.shell.tour.TourText.Step;

/** The text of the tour, and its page. */
class TourTextTest {
  private static final int MOST_WORDS = 350;

  @Test
  void commandsAndTextsAreRead() {
    TourText tour =
        TourText.of(
            """
            # A title
            See [plugins](plugins.md).

                roll> train a.yaml  b=1
                run 1: recorded
                $ mvn -q package

            ![a picture](ui/a.png)
            The end.
            """);
    assertEquals(
        List.of(
            new Step(
                "A title\nSee plugins (docs/plugins.md).",
                Prompt.ROLL,
                List.of("train", "a.yaml", "b=1")),
            new Step("", Prompt.SYSTEM, List.of("mvn", "-q", "package"))),
        tour.steps());
    assertEquals("The end.", tour.end());
  }

  @Test
  void thePageIsTheText() throws IOException {
    String page = Files.readString(Path.of(System.getProperty("roll.root"), "docs/tour.md"));
    try (var text = TourText.class.getResourceAsStream(TourText.RESOURCE)) {
      assertEquals(page, new String(text.readAllBytes(), StandardCharsets.UTF_8));
    }
    int words = page.split("\\s+").length;
    assertTrue(words <= MOST_WORDS, () -> words + " words");
    assertTrue(TourText.read().steps().size() > 10);
  }

  @Test
  void wordsThatAreNoKeysAreRefusedAtOnce() {
    assertEquals(List.of("seed=1"), TourCommand.keys(List.of("seed=1")));
    assertEquals(
        "tour: expected key=value, found 'page'",
        userError(() -> TourCommand.keys(List.of("seed=1", "page"))));
  }
}
