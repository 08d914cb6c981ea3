package roll.env.click_and_read;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.browser.Chromium;
import roll.env.click_and_read.browser.Browser;
import roll.grid.ObservationMode;

/** The browsers of one environment service, one per set of options, and the viewports of pages. */
final class Browsers implements AutoCloseable {
  private static final Option<String> BROWSER =
      Option.text("browser", "name or path of Chromium or a derived browser");
  private static final Option<List<String>> BROWSER_ARGS =
      Option.list("browser_args", "additional arguments of the browser").withDefault(List.of());
  private static final String CHROMIUM = "chromium";
  private static final Option<String> RENDERER =
      Option.choice(
              "page_renderer",
              List.of(CHROMIUM, "java"),
              "renderer of the pictures; `java` needs no browser and draws only what the text"
                  + " lists")
          .withDefault(CHROMIUM);
  private static final Option<List<String>> WINDOW =
      Option.list("window", "width and height of the pictures in pixels, each 200 to 4000")
          .withDefault(List.of("800", "600"));
  private static final Option<Boolean> MARKS =
      Option.flag("marks", "whether the pictures have a number beside each link")
          .withDefault(false);

  /** Options of page rendering. */
  static final List<Option<?>> OPTIONS = List.of(RENDERER, BROWSER, BROWSER_ARGS, WINDOW, MARKS);

  private final Map<Kind, Browser> browsers = new ConcurrentHashMap<>();

  private record Kind(Chromium chromium, int width, int height) {}

  /**
   * Returns the page viewport of {@code options}.
   *
   * @param numbered whether the agent also sees the numbered list
   * @throws UserException if a browser is needed and none is installed, or an option is invalid
   */
  Viewport viewport(Options options, boolean numbered) {
    boolean marks = options.get(MARKS);
    if (marks && numbered) {
      throw options.wrong(
          MARKS,
          "false if " + ObservationMode.OPTION.name() + " is both: numbers refer to the list");
    }
    List<String> sides = options.get(WINDOW);
    if (sides.size() != 2 || !sides.stream().allMatch(Browsers::isSide)) {
      throw options.wrong(WINDOW, "width and height, two integers from 200 to 4000");
    }
    int width = Integer.parseInt(sides.get(0));
    int height = Integer.parseInt(sides.get(1));
    return new Viewport(view(options, width, height), width, height, marks);
  }

  /** Returns whether {@code options} need a browser. */
  static boolean asked(Options options) {
    return options.get(RENDERER).equals(CHROMIUM);
  }

  private PageRenderer view(Options options, int width, int height) {
    if (!asked(options)) {
      if (options.has(BROWSER)) {
        throw options.wrong(RENDERER, CHROMIUM + " if " + BROWSER.name() + " is set");
      }
      return new JavaPageRenderer(width, height);
    }
    Kind kind = new Kind(chromium(options), width, height);
    Browser browser =
        browsers.computeIfAbsent(kind, _ -> new Browser(kind.chromium(), width, height));
    return (site, page, most) -> browser.show(site, page.path(), most);
  }

  private static boolean isSide(String text) {
    return text.matches("\\d{3,4}")
        && Integer.parseInt(text) >= 200
        && Integer.parseInt(text) <= 4_000;
  }

  private static Chromium chromium(Options options) {
    @Nullable String path = System.getenv("PATH");
    String folders = path == null ? "" : path;
    List<String> arguments = options.get(BROWSER_ARGS);
    if (options.has(BROWSER)) {
      return Chromium.find(options.get(BROWSER), folders)
          .map(program -> new Chromium(program, arguments))
          .orElseThrow(() -> options.wrong(BROWSER, "an installed Chromium"));
    }
    Optional<Chromium> found =
        Chromium.installed(folders).map(program -> new Chromium(program, arguments));
    return found.orElseThrow(
        () ->
            new UserException(
                options.where()
                    + "."
                    + ObservationMode.OPTION.name()
                    + ": pictures need a Chromium, and none of "
                    + String.join(", ", Chromium.NAMES)
                    + " is on the PATH; name it as "
                    + BROWSER.name()
                    + ", or set "
                    + RENDERER.name()
                    + ": java"));
  }

  @Override
  public void close() {
    browsers.values().forEach(Browser::close);
  }
}
