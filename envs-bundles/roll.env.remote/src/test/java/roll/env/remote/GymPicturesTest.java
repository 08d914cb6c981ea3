package roll.env.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Step;
import roll.testkit.EnvironmentContract;

/** A class with Gymnasium's methods that shows arrays of pixels. */
@Tag("processes")
@Timeout(120)
class GymPicturesTest extends EnvironmentContract {
  private static final int RED = 0xFFFF0007;
  private static final int BLACK = 0xFF000000;

  @AutoClose("deactivate")
  private final RemoteEnvironment environment = new RemoteEnvironment();

  @Override
  protected Environment environment() {
    return environment;
  }

  @Override
  protected Map<String, Object> config() {
    return config(3);
  }

  private static Map<String, Object> config(int channels) {
    Map<String, Object> config = new HashMap<>(Programs.config("pixels.py"));
    config.remove("command");
    config.put("gym", "pixels:Corridor");
    config.put("python", "/usr/bin/python3");
    config.put("folder", String.valueOf(Programs.file("pixels.py").getParent()));
    config.put("options", Map.of("channels", channels));
    return config;
  }

  @Test
  void theArrayIsThePicture() {
    for (int channels : new int[] {3, 4}) {
      Scenario scenario = Programs.scenario(environment, config(channels));
      assertEquals("Walk to the right.", scenario.instruction());
      try (Episode episode = scenario.reset(1)) {
        assertEquals("", episode.observation());
        seen(episode.picture(), RED, BLACK, BLACK);
        seen(episode.render(), RED, BLACK, BLACK);
        Step step = episode.step("<answer>Right</answer>");
        assertEquals(Map.of("success", 0.0, "action_is_valid", 1.0), step.metrics());
        seen(episode.picture(), BLACK, RED, BLACK);
        step = episode.step("<answer>Up</answer>"); // none: it sees the same
        assertEquals(0.0, step.metrics().getOrDefault("action_is_valid", 1.0));
        seen(episode.picture(), BLACK, RED, BLACK);
        assertEquals(1, episode.step("<answer>right</answer>").reward());
        seen(episode.render(), BLACK, BLACK, RED);
      }
    }
  }

  private static void seen(Optional<BufferedImage> picture, int... row) {
    BufferedImage image = picture.orElseThrow();
    assertEquals(2, image.getHeight());
    assertEquals(row.length, image.getWidth());
    for (int x = 0; x < row.length; x++) {
      assertEquals(row[x], image.getRGB(x, 1));
    }
  }

  /** An array with one channel is shown as numbers, not as a picture. */
  @Test
  void otherArraysAreNumbers() {
    try (Episode episode = Programs.scenario(environment, config(1)).reset(1)) {
      assertTrue(episode.picture().isEmpty());
      assertTrue(episode.observation().startsWith("[[[255], [0], [0]]"), episode.observation());
    }
  }
}
