import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reports the times of a build as a Markdown page, as data, and in a few lines on the console. */
class TimingReport {
  private static final int ON_PAGE = 30;
  private static final int ON_CONSOLE = 10;
  private static final String ABOUT =
      """
      # What tests took

      Seconds; processor time is that of the JVM and of the processes it started and waited for.
      "Of it JVMs" is what they take outside of test classes, above all to start; it belongs to the cheapest ring in a JVM.
      Modules are tested two at once, so that wall times add up to more than the build takes; `-` was not recorded.
      """;

  private final TimingRecords times;
  private final List<TimingRecords.Total> rings;
  private final List<TimingRecords.Total> modules;
  private final TimingRecords.Total all;

  TimingReport(TimingRecords times) {
    this.times = times;
    this.rings = times.sums(TimingRecords.TestTime::ring);
    this.modules = times.sums(TimingRecords.TestTime::module);
    this.all = rings.stream().reduce(TimingRecords.Total.ZERO, TimingRecords.Total::plus);
  }

  /** Writes {@code times.md} and {@code times.tsv}. */
  void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("times.md"), page());
    Files.writeString(folder.resolve("times.tsv"), data());
  }

  /** Prints the rings and the slowest classes. */
  void print() {
    System.out.printf(
        "tests took %s s wall, %s s processor in %d JVMs, of it %s s and %s s outside of classes%n",
        TimingRecords.Usage.text(all.all().wall()),
        TimingRecords.Usage.text(all.all().processor()),
        times.rests().size(),
        TimingRecords.Usage.text(all.rest().wall()),
        TimingRecords.Usage.text(all.rest().processor()));
    for (TimingRecords.Total ring : rings) {
      print(ring.all(), ring.name(), ring.classes() + " classes");
    }
    for (TimingRecords.TestTime time : slowest(ON_CONSOLE)) {
      print(time.usage(), time.ring(), time.name());
    }
  }

  private static void print(TimingRecords.Usage usage, String ring, String what) {
    System.out.printf(
        "%8s s wall %8s s processor  %-10s %s%n",
        TimingRecords.Usage.text(usage.wall()),
        TimingRecords.Usage.text(usage.processor()),
        ring,
        what);
  }

  private List<TimingRecords.TestTime> slowest(int most) {
    return times.classes().stream().limit(most).toList();
  }

  private String page() {
    StringBuilder page = new StringBuilder(ABOUT);
    addSums(page, "ring", rings);
    page.append("\n| slowest class | wall | processor | ring | module |\n|---|--:|--:|---|---|\n");
    for (TimingRecords.TestTime time : slowest(ON_PAGE)) {
      page.append(
          "| %s | %s | %s | %s | %s |\n"
              .formatted(
                  time.name(),
                  TimingRecords.Usage.text(time.usage().wall()),
                  TimingRecords.Usage.text(time.usage().processor()),
                  time.ring(),
                  time.module()));
    }
    addSums(page, "module", modules);
    return page.toString();
  }

  private void addSums(StringBuilder page, String key, List<TimingRecords.Total> sums) {
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

  private static List<String> fields(TimingRecords.Total sum) {
    return List.of(
        sum.name(),
        String.valueOf(sum.classes()),
        TimingRecords.Usage.text(sum.all().wall()),
        TimingRecords.Usage.text(sum.all().processor()),
        TimingRecords.Usage.text(sum.rest().wall()),
        TimingRecords.Usage.text(sum.rest().processor()));
  }

  /** Returns a line for each class, and for each JVM outside its classes. */
  private String data() {
    return Stream.concat(times.classes().stream(), times.rests().stream())
        .map(
            time ->
                String.join(
                    "\t",
                    time.name(),
                    time.ring(),
                    time.module(),
                    String.valueOf(time.usage().wall()),
                    String.valueOf(time.usage().processor()),
                    String.valueOf(time.startedProcess())))
        .collect(
            Collectors.joining("\n", "name\tring\tmodule\twall\tprocessor\tprocesses\n", "\n"));
  }
}
