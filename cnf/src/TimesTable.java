import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The times of a build for people: a page in Markdown, the data, and a few lines on the console.
 */
class TimesTable {
  private static final int ON_PAGE = 30;
  private static final int ON_CONSOLE = 10;
  private static final String ABOUT =
      """
      # What tests took

      Seconds; processor time is that of the JVM and of the processes it started and waited for.
      "Of it JVMs" is what they take outside of test classes, above all to start; it belongs to the cheapest ring in a JVM.
      Modules are tested two at once, so that wall times add up to more than the build takes; `-` was not recorded.
      """;

  private final Times times;
  private final List<TimeSum> rings;
  private final List<TimeSum> modules;
  private final TimeSum all;

  TimesTable(Times times) {
    this.times = times;
    this.rings = times.sums(TestTime::ring);
    this.modules = times.sums(TestTime::module);
    this.all = rings.stream().reduce(TimeSum.NOTHING, TimeSum::plus);
  }

  /** Writes {@code times.md} and {@code times.tsv}. */
  void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("times.md"), page());
    Files.writeString(folder.resolve("times.tsv"), data());
  }

  /** The rings and the slowest classes. */
  void print() {
    System.out.printf(
        "tests took %s s wall, %s s processor in %d JVMs, of it %s s and %s s outside of classes%n",
        Spent.text(all.all().wall()),
        Spent.text(all.all().processor()),
        times.rests().size(),
        Spent.text(all.rest().wall()),
        Spent.text(all.rest().processor()));
    for (TimeSum ring : rings) {
      print(ring.all(), ring.name(), ring.classes() + " classes");
    }
    for (TestTime time : slowest(ON_CONSOLE)) {
      print(time.spent(), time.ring(), time.name());
    }
  }

  private static void print(Spent spent, String ring, String what) {
    System.out.printf(
        "%8s s wall %8s s processor  %-10s %s%n",
        Spent.text(spent.wall()), Spent.text(spent.processor()), ring, what);
  }

  private List<TestTime> slowest(int most) {
    return times.classes().stream().limit(most).toList();
  }

  private String page() {
    StringBuilder page = new StringBuilder(ABOUT);
    addSums(page, "ring", rings);
    page.append("\n| slowest class | wall | processor | ring | module |\n|---|--:|--:|---|---|\n");
    for (TestTime time : slowest(ON_PAGE)) {
      page.append(
          "| %s | %s | %s | %s | %s |\n"
              .formatted(
                  time.name(),
                  Spent.text(time.spent().wall()),
                  Spent.text(time.spent().processor()),
                  time.ring(),
                  time.module()));
    }
    addSums(page, "module", modules);
    return page.toString();
  }

  private void addSums(StringBuilder page, String key, List<TimeSum> sums) {
    page.append(
        """

        | %s | classes | wall | processor | of it JVMs, wall | processor |
        |---|--:|--:|--:|--:|--:|
        """
            .formatted(key));
    Stream.concat(sums.stream(), Stream.of(all))
        .map(sum -> "| " + String.join(" | ", fields(sum)) + " |\n")
        .forEach(page::append);
  }

  private static List<String> fields(TimeSum sum) {
    return List.of(
        sum.name(),
        String.valueOf(sum.classes()),
        Spent.text(sum.all().wall()),
        Spent.text(sum.all().processor()),
        Spent.text(sum.rest().wall()),
        Spent.text(sum.rest().processor()));
  }

  /** Every class, and what each JVM took besides. */
  private String data() {
    return Stream.concat(times.classes().stream(), times.rests().stream())
        .map(
            time ->
                String.join(
                    "\t",
                    time.name(),
                    time.ring(),
                    time.module(),
                    String.valueOf(time.spent().wall()),
                    String.valueOf(time.spent().processor()),
                    String.valueOf(time.startedProcess())))
        .collect(
            Collectors.joining("\n", "name\tring\tmodule\twall\tprocessor\tprocesses\n", "\n"));
  }
}
