import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.w3c.dom.Element;

/**
 * Counts the tests in the JUnit reports (TEST-*.xml) below folders: {@code Reports
 * [--times=<folder>] [--budgets=<file>] [--rings] <skips.txt> <folder> …}. Prints what failed or
 * passed only when it was run again, how many were skipped for which reason of the list, and last
 * one line "N passed, N failed, N skipped". Fails where a test failed, none ran, or one was skipped
 * for another reason.
 *
 * <p>{@code --times} prints what the rings and the slowest classes took, and writes {@code
 * times.md} and {@code times.tsv} into a folder. {@code --budgets} warns of the rings and modules
 * that took longer than the file allows. {@code --rings} fails where a class of the ring {@code
 * unit} was seen to start a process.
 */
class Reports {
  private static final String TIMES = "--times=";
  private static final String BUDGETS = "--budgets=";
  private static final String RINGS = "--rings";

  private final List<Path> paths = new ArrayList<>();
  private Optional<Path> page = Optional.empty();
  private Optional<Path> budgets = Optional.empty();
  private boolean rings;

  static void main(String[] arguments) throws Exception {
    try {
      System.exit(new Reports(arguments).passed() ? 0 : 1);
    } catch (Mistake e) {
      System.err.println(e.getMessage());
      System.exit(e.status);
    }
  }

  private Reports(String[] arguments) throws Mistake {
    for (String argument : arguments) {
      if (argument.startsWith(TIMES)) {
        page = Optional.of(Path.of(argument.substring(TIMES.length())));
      } else if (argument.startsWith(BUDGETS)) {
        budgets = Optional.of(Path.of(argument.substring(BUDGETS.length())));
      } else if (argument.equals(RINGS)) {
        rings = true;
      } else if (argument.startsWith("-")) {
        throw new Mistake(2, argument + " is none of " + List.of(TIMES, BUDGETS, RINGS));
      } else {
        paths.add(Path.of(argument));
      }
    }
    if (paths.isEmpty()) {
      throw new Mistake(2, "the first path has to be the list of reasons for skipped tests");
    }
  }

  /** Returns whether the build passes. */
  private boolean passed() throws Exception {
    Skips skips = Skips.read(paths.getFirst());
    List<Path> folders = paths.subList(1, paths.size());
    TestCount sum = count(folders, skips);
    boolean listed = skips.print();
    boolean timed = page.isPresent() || budgets.isPresent() || rings;
    boolean tagged = !timed || times(TimingRecords.read(folders));
    System.out.println(
        sum.passed() + " passed, " + sum.failed() + " failed, " + sum.skipped() + " skipped");
    return sum.passed() > 0 && sum.failed() == 0 && listed && tagged;
  }

  private static TestCount count(List<Path> folders, Skips skips) throws Exception {
    TestCount sum = new TestCount(0, 0, 0);
    for (Path folder : folders) {
      for (Path file : JUnitReport.files(folder, JUnitReport.FILES)) {
        JUnitReport report = JUnitReport.read(file);
        report.printFailures();
        skips.count(report.root());
        for (Element suite : report.suites()) {
          sum = sum.plus(TestCount.of(suite));
        }
      }
    }
    return sum;
  }

  /** Reports times as the options say; returns whether all classes have the tag of their ring. */
  private boolean times(TimingRecords times) throws IOException, Mistake {
    if (page.isPresent()) {
      TimingReport table = new TimingReport(times);
      table.write(page.get());
      table.print();
    }
    if (budgets.isPresent()) {
      for (String warning : Budgets.read(budgets.get()).warnings(times)) {
        System.out.println("WARNING: " + warning);
      }
    }
    List<TimingRecords.TestTime> untagged = rings ? times.untagged() : List.of();
    for (TimingRecords.TestTime time : untagged) {
      System.out.println(
          "FAILED " + time.name() + " of " + time.module() + ": starts a process, in ring unit");
    }
    return untagged.isEmpty();
  }

  /** The numbers of tests in suites. */
  private record TestCount(int passed, int failed, int skipped) {
    static TestCount of(Element suite) {
      // Surefire's attribute counts only the reruns of a test
      int all =
          Math.max(number(suite, "tests"), suite.getElementsByTagName("testcase").getLength());
      int failed = number(suite, "failures") + number(suite, "errors");
      int skipped = number(suite, "skipped");
      return new TestCount(all - failed - skipped, failed, skipped);
    }

    TestCount plus(TestCount other) {
      return new TestCount(passed + other.passed, failed + other.failed, skipped + other.skipped);
    }

    private static int number(Element suite, String attribute) {
      String value = suite.getAttribute(attribute);
      return value.isEmpty() ? 0 : Integer.parseInt(value);
    }
  }
}
