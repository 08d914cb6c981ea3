package roll.shell.page;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.shell.command.Arguments;
import roll.shell.command.Syntax.Option;

/** The live page beside a run, or none. */
public final class PageBeside implements AutoCloseable {
  private static final String UI = "--ui";
  private static final String PORT = "--ui-port";
  private static final int LAST_PORT = 65_535;

  /** The options of a command that opens one. */
  public static final List<Option> OPTIONS =
      List.of(
          Option.flag(UI, "opens the live page on this machine until the run ends, as `ui` does"),
          Option.optional(
              PORT, "number", "with --ui: the page's port (default that of `ui`); 0 picks one"));

  private final @Nullable OpenPage page;

  private PageBeside(@Nullable OpenPage page) {
    this.page = page;
  }

  /**
   * Opens one and prints its address if that is asked for.
   *
   * @param folder of the run, which is shown with those beside it
   * @throws roll.api.option.UserException if there can be none
   */
  public static PageBeside open(OpenPages pages, Arguments given, Path folder, PrintStream out) {
    if (!given.flag(UI)) {
      if (given.flag(PORT)) {
        throw given.syntax().wrong(PORT + " is for " + UI);
      }
      return new PageBeside(null);
    }
    Integer port = given.flag(PORT) ? (int) given.integer(PORT, 0, LAST_PORT) : null;
    Path absolute = folder.toAbsolutePath().normalize();
    OpenPage page =
        pages.open(
            given.syntax().name() + " " + UI,
            PageOptions.beside(port, Objects.requireNonNullElse(absolute.getParent(), absolute)),
            port == null);
    out.println("live page: " + page.address());
    return new PageBeside(page);
  }

  @Override
  public void close() {
    if (page != null) {
      page.close();
    }
  }
}
