import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The times of tests: of each module the records {@code times-<pid>.tsv} of roll.timing, or without
 * them the wall times in JUnit's reports. All files count, so folders must be empty before the
 * tests run.
 *
 * @param classes the test classes, slowest first
 * @param rests usage of JVMs outside their test classes
 */
record TimingRecords(List<TestTime> classes, List<TestTime> rests) {
  static final String UNIT = "unit";
  static final String UNKNOWN = "-";

  private static final String RECORDS = "times-\\d+\\.tsv";

  /** Rings, cheapest first; usage of a JVM outside its classes belongs to its cheapest ring. */
  private static final List<String> RINGS =
      List.of(UNIT, "framework", "processes", "hostile", "slow");

  /**
   * The time of a test class, or of a JVM outside its classes.
   *
   * @param ring {@code unit}, or the tag of a slower ring; {@code -} if only JUnit's report exists
   * @param module folder of its module
   * @param startedProcess whether a process was started meanwhile
   */
  record TestTime(String name, String ring, String module, Usage usage, boolean startedProcess) {}

  /**
   * The total of several test classes.
   *
   * @param name their ring or module
   * @param all usage including JVMs outside classes
   * @param rest usage of JVMs outside classes alone
   */
  record Total(String name, int classes, Usage all, Usage rest) {
    static final Total ZERO = new Total("all", 0, Usage.ZERO, Usage.ZERO);

    Total plus(Total other) {
      return new Total(name, classes + other.classes, all.plus(other.all), rest.plus(other.rest));
    }
  }

  /** Wall and processor seconds. Unknown values are NaN, and omitted in sums. */
  record Usage(double wall, double processor) {
    static final Usage ZERO = new Usage(Double.NaN, Double.NaN);

    Usage plus(Usage other) {
      return new Usage(sum(wall, other.wall), sum(processor, other.processor));
    }

    /** Returns the difference, at least 0, since parallel classes may add up to more. */
    Usage minus(Usage part) {
      return new Usage(
          Math.max(0, wall - known(part.wall)), Math.max(0, processor - known(part.processor)));
    }

    static String text(double seconds) {
      return Double.isNaN(seconds) ? "-" : String.format(Locale.ROOT, "%.1f", seconds);
    }

    private static double sum(double a, double b) {
      return Double.isNaN(a) ? b : a + known(b);
    }

    private static double known(double seconds) {
      return Double.isNaN(seconds) ? 0 : seconds;
    }
  }

  static TimingRecords read(List<Path> folders) throws Exception {
    Map<String, List<Path>> records = byModule(folders, RECORDS);
    Map<String, List<Path>> reports = byModule(folders, JUnitReport.FILES);
    reports.keySet().removeAll(records.keySet());
    TimingRecords times = new TimingRecords(new ArrayList<>(), new ArrayList<>());
    for (var module : records.entrySet()) {
      times.addRecords(module.getKey(), module.getValue());
    }
    for (var module : reports.entrySet()) {
      times.addReports(module.getKey(), module.getValue());
    }
    times.classes.sort(Comparator.comparingDouble(time -> -time.usage().wall()));
    return times;
  }

  private void addRecords(String module, List<Path> files) throws IOException {
    for (Path file : files) {
      addJvm(module, Files.readAllLines(file));
    }
  }

  /** Adds the classes of a JVM and its usage outside of them. */
  private void addJvm(String module, List<String> lines) {
    List<TestTime> own = new ArrayList<>();
    Usage all = Usage.ZERO;
    Usage jvm = Usage.ZERO;
    for (String line : lines) {
      String[] fields = line.split("\t");
      Usage usage = new Usage(number(fields[3]), number(fields[4]));
      if (fields[0].equals("jvm")) {
        jvm = usage;
      } else {
        own.add(new TestTime(fields[1], fields[2], module, usage, fields[5].equals("true")));
        all = all.plus(usage);
      }
    }
    String ring =
        own.stream().map(TestTime::ring).min(Comparator.comparingInt(RINGS::indexOf)).orElse(UNIT);
    classes.addAll(own);
    rests.add(new TestTime("JVM", ring, module, jvm.minus(all), false));
  }

  private static double number(String field) {
    return field.equals(UNKNOWN) ? Double.NaN : Double.parseDouble(field);
  }

  private void addReports(String module, List<Path> files) throws Exception {
    for (Path file : files) {
      for (var time : JUnitReport.read(file).seconds().entrySet()) {
        Usage usage = new Usage(time.getValue(), Double.NaN);
        classes.add(new TestTime(time.getKey(), UNKNOWN, module, usage, false));
      }
    }
  }

  /** Returns the totals of classes and JVMs by {@code key}, longest first. */
  List<Total> sums(Function<TestTime, String> key) {
    Map<String, Total> sums = new TreeMap<>();
    for (TestTime time : classes) {
      String name = key.apply(time);
      sums.merge(name, new Total(name, 1, time.usage(), Usage.ZERO), Total::plus);
    }
    for (TestTime time : rests) {
      String name = key.apply(time);
      sums.merge(name, new Total(name, 0, time.usage(), time.usage()), Total::plus);
    }
    return sums.values().stream()
        .sorted(Comparator.comparingDouble(sum -> -sum.all().wall()))
        .toList();
  }

  /** Returns classes of the ring unit that started a process. */
  List<TestTime> untagged() {
    return classes.stream()
        .filter(time -> time.startedProcess() && time.ring().equals(UNIT))
        .toList();
  }

  /** Returns the files with matching names by module, the folder around {@code target}. */
  private static Map<String, List<Path>> byModule(List<Path> folders, String names)
      throws IOException {
    Map<String, List<Path>> modules = new TreeMap<>();
    for (Path folder : folders) {
      for (Path file : JUnitReport.files(folder.toAbsolutePath().normalize(), names)) {
        modules.computeIfAbsent(module(file), _ -> new ArrayList<>()).add(file);
      }
    }
    return modules;
  }

  private static String module(Path file) {
    Path at = file.getParent();
    while (at.getNameCount() > 1 && !at.endsWith("target")) {
      at = at.getParent();
    }
    return at.getNameCount() > 1 ? String.valueOf(at.getParent().getFileName()) : "-";
  }
}
