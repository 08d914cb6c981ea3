import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Lines of finished checks, on standard output and as the Markdown table {@code card.md}. */
class CardReport {
  /** The end of a check. */
  enum Status {
    OK,
    FAILED,
    SKIPPED
  }

  private final CardSetup setup;
  private final List<String> rows = new ArrayList<>();
  private int failed;

  CardReport(CardSetup setup) {
    this.setup = setup;
  }

  /** Prints a check and writes the table anew. */
  synchronized void add(
      CardCheck check, Status status, double seconds, String figure, String command) {
    failed += status == Status.FAILED ? 1 : 0;
    String word = status.name().toLowerCase(Locale.ROOT);
    System.out.printf(Locale.ROOT, "%-7s %6.1f s  %s%n", word, seconds, check.name());
    figure.lines().forEach(line -> System.out.println("                    " + line));
    if (!command.isEmpty()) {
      System.out.println("                    $ " + command);
    }
    System.out.flush();
    String cell = figure.strip().replace("|", "\\|").replace("\n", "<br>");
    rows.add(
        String.format(Locale.ROOT, "| %s | %s | %.1f | %s |", check.name(), word, seconds, cell));
    try {
      Files.writeString(
          setup.folder().resolve("card.md"),
          "| check | status | seconds | figure |\n|---|---|---|---|\n"
              + String.join("\n", rows)
              + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Prints the sum; returns whether no check failed. */
  boolean end() {
    System.out.printf(
        Locale.ROOT,
        "%d of %d checks failed, %.0f s; table and logs are in %s%n",
        failed,
        rows.size(),
        setup.number("budget") - setup.left(),
        setup.folder());
    return failed == 0;
  }
}
