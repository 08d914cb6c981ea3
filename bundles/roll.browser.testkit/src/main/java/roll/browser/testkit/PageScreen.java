package roll.browser.testkit;

import java.util.List;
import java.util.Map;

/**
 * What a page is shown on.
 *
 * @param width of the window in pixels
 * @param height of the window in pixels
 * @param dark whether its user prefers dark pages
 * @param still whether its user prefers that nothing moves
 */
public record PageScreen(int width, int height, boolean dark, boolean still) {
  /** A laptop by day. */
  public static final PageScreen LIGHT = new PageScreen(1280, 900, false, false);

  /** The same by night. */
  public static final PageScreen DARK = new PageScreen(1280, 900, true, false);

  /** A telephone whose user gets sick of what moves. */
  public static final PageScreen NARROW = new PageScreen(400, 800, false, true);

  List<Map<String, String>> features() {
    return List.of(
        Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"),
        Map.of("name", "prefers-reduced-motion", "value", still ? "reduce" : "no-preference"));
  }
}
