package roll.shell.page;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.shell.command.Arguments;
import roll.shell.command.Syntax.Option;

/** The option {@code --ui}: a live page for the duration of a run. */
public final class LivePageOption implements AutoCloseable {
  private static final String UI = "--ui";
  private static final String PORT = "--ui-port";
  private static final int LAST_PORT = 65_535;

  /** The options of a command that can open the page. */
  public static final List<Option> OPTIONS =
      List.of(
          Option.flag(UI, "open the live page on this machine until the run ends, see `ui`"),
          Option.optional(
              PORT,
              "number",
              "with --ui: port of the page (default: that of `ui`); 0 picks a free port"));

  private final @Nullable OpenPage page;

  private LivePageOption(@Nullable OpenPage page) {
    this.page = page;
  }

  /**
   * Opens the page and prints its address if {@code given} asks for it.
   *
   * @param folder of the run; the page shows all runs in the parent folder
   * @throws roll.api.option.UserException if the page cannot be opened
   */
  public static LivePageOption open(
      OpenPages pages, Arguments given, Path folder, PrintStream out) {
    if (!given.flag(UI)) {
      if (given.flag(PORT)) {
        throw given.syntax().wrong(PORT + " needs " + UI);
      }
      return new LivePageOption(null);
    }
    Integer port = given.flag(PORT) ? (int) given.integer(PORT, 0, LAST_PORT) : null;
    Path absolute = folder.toAbsolutePath().normalize();
    OpenPage page =
        pages.open(
            given.syntax().name() + " " + UI,
            PageOptions.beside(port, Objects.requireNonNullElse(absolute.getParent(), absolute)),
            port == null);
    out.println("live page: " + page.address());
    return new LivePageOption(page);
  }

  @Override
  public void close() {
    if (page != null) {
      page.close();
    }
  }
}
