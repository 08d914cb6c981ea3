package roll.env.click_and_read;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.env.click_and_read.browser.Browser;
import roll.env.click_and_read.browser.Chromium;

/** The browsers of one environment service, one for each set of options; they go with it. */
final class Browsers implements AutoCloseable {
  private final Map<Kind, Browser> browsers = new ConcurrentHashMap<>();

  private record Kind(Chromium chromium, int width, int height) {}

  /**
   * Eyes through the browser that {@code options} ask for.
   *
   * @throws UserException if none is installed or an option is wrong
   */
  Eyes eyes(Options options) {
    List<String> sides = options.texts("window");
    if (sides.size() != 2 || !sides.stream().allMatch(Browsers::isSide)) {
      throw options.wrong("window", "width and height, two whole numbers from 200 to 4000");
    }
    int width = Integer.parseInt(sides.get(0));
    int height = Integer.parseInt(sides.get(1));
    Kind kind = new Kind(chromium(options), width, height);
    Browser browser =
        browsers.computeIfAbsent(kind, _ -> new Browser(kind.chromium(), width, height));
    return new Eyes(browser, width, height, options.flag("marks"));
  }

  private static boolean isSide(String text) {
    return text.matches("\\d{3,4}")
        && Integer.parseInt(text) >= 200
        && Integer.parseInt(text) <= 4_000;
  }

  private static Chromium chromium(Options options) {
    @Nullable String path = System.getenv("PATH");
    String folders = path == null ? "" : path;
    List<String> arguments = options.texts("browser_args");
    if (options.has("browser")) {
      String name = options.text("browser");
      return Chromium.find(name, folders)
          .map(program -> new Chromium(program, arguments))
          .orElseThrow(() -> options.wrong("browser", "a Chromium that is installed"));
    }
    Optional<Chromium> found =
        Chromium.installed(folders).map(program -> new Chromium(program, arguments));
    return found.orElseThrow(
        () ->
            new UserException(
                options.where()
                    + ".observation_mode: picture needs a Chromium, and none of "
                    + String.join(", ", Chromium.NAMES)
                    + " is on the PATH; name it as browser"));
  }

  @Override
  public void close() {
    browsers.values().forEach(Browser::close);
  }
}
