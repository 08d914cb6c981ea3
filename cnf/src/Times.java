import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What tests took: of each module what roll.timing wrote in {@code times-<pid>.tsv}, or, where
 * there is none, the wall time in JUnit's reports. All of these files count: the folders have to be
 * empty before the tests run.
 *
 * @param classes the slowest first
 * @param rests what JVMs took outside of their classes
 */
record Times(List<TestTime> classes, List<TestTime> rests) {
  private static final String RECORDS = "times-\\d+\\.tsv";

  static Times read(List<Path> folders) throws Exception {
    Map<String, List<Path>> records = byModule(folders, RECORDS);
    Map<String, List<Path>> reports = byModule(folders, JUnitReport.FILES);
    reports.keySet().removeAll(records.keySet());
    Times times = new Times(new ArrayList<>(), new ArrayList<>());
    for (var module : records.entrySet()) {
      times.addRecords(module.getKey(), module.getValue());
    }
    for (var module : reports.entrySet()) {
      times.addReports(module.getKey(), module.getValue());
    }
    times.classes.sort(Comparator.comparingDouble(time -> -time.spent().wall()));
    return times;
  }

  private void addRecords(String module, List<Path> files) throws IOException {
    for (Path file : files) {
      JvmTimes jvm = JvmTimes.read(file, module);
      classes.addAll(jvm.classes());
      rests.add(jvm.rest());
    }
  }

  private void addReports(String module, List<Path> files) throws Exception {
    for (Path file : files) {
      for (var time : JUnitReport.read(file).seconds().entrySet()) {
        Spent spent = new Spent(time.getValue(), Double.NaN);
        classes.add(new TestTime(time.getKey(), TestTime.UNKNOWN, module, spent, false));
      }
    }
  }

  /** What classes and JVMs of the same {@code key} took together, the longest first. */
  List<TimeSum> sums(Function<TestTime, String> key) {
    Map<String, TimeSum> sums = new TreeMap<>();
    for (TestTime time : classes) {
      String name = key.apply(time);
      sums.merge(name, new TimeSum(name, 1, time.spent(), Spent.NOTHING), TimeSum::plus);
    }
    for (TestTime time : rests) {
      String name = key.apply(time);
      sums.merge(name, new TimeSum(name, 0, time.spent(), time.spent()), TimeSum::plus);
    }
    return sums.values().stream()
        .sorted(Comparator.comparingDouble(sum -> -sum.all().wall()))
        .toList();
  }

  /** Classes that were seen to start a process, and have no tag of a ring where that is usual. */
  List<TestTime> untagged() {
    return classes.stream()
        .filter(time -> time.startedProcess() && time.ring().equals(TestTime.UNIT))
        .toList();
  }

  /** Files whose names match, by the name of the folder around {@code target}. */
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
