package roll.browser.testkit;

import java.util.List;
import java.util.Map;

/**
 * An emulated screen.
 *
 * @param width of the window in pixels
 * @param height of the window in pixels
 * @param dark whether the user prefers dark pages
 * @param still whether the user prefers reduced motion
 */
public record PageScreen(int width, int height, boolean dark, boolean still) {
  /** A laptop screen with light colors. */
  public static final PageScreen LIGHT = new PageScreen(1280, 900, false, false);

  /** A laptop screen with dark colors. */
  public static final PageScreen DARK = new PageScreen(1280, 900, true, false);

  /** A phone screen with reduced motion. */
  public static final PageScreen NARROW = new PageScreen(400, 800, false, true);

  List<Map<String, String>> features() {
    return List.of(
        Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"),
        Map.of("name", "prefers-reduced-motion", "value", still ? "reduce" : "no-preference"));
  }
}
