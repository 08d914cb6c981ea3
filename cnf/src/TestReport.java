import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The numbers of run, failed and skipped tests by class. */
class TestReport {
  private final Map<String, int[]> classes = new TreeMap<>();
  private final Map<String, Double> seconds = new TreeMap<>();
  private final int status;

  private TestReport(int status) {
    this.status = status;
  }

  /** Deletes the reports of an earlier run. */
  static void clear(Path folder) throws IOException {
    for (Path old : JUnitReport.files(folder, JUnitReport.FILES)) {
      Files.delete(old);
    }
  }

  /** Reads the reports in {@code folder} of a run that ended with {@code status}. */
  static TestReport read(Path folder, int status) throws Exception {
    TestReport report = new TestReport(status);
    for (Path file : JUnitReport.files(folder, JUnitReport.FILES)) {
      report.add(JUnitReport.read(file).root().getElementsByTagName("testcase"));
    }
    return report;
  }

  private void add(NodeList tests) {
    for (int i = 0; i < tests.getLength(); i++) {
      Element test = (Element) tests.item(i);
      String name = test.getAttribute("classname");
      int[] counts = classes.computeIfAbsent(name, _ -> new int[4]);
      counts[0]++;
      counts[1] += test.getElementsByTagName("failure").getLength();
      counts[2] += test.getElementsByTagName("error").getLength();
      counts[3] += test.getElementsByTagName("skipped").getLength();
      seconds.merge(name, Double.parseDouble(test.getAttribute("time")), Double::sum);
    }
  }

  /** Returns whether there was nothing to run. */
  boolean isEmpty() {
    return classes.isEmpty() && status == 0;
  }

  /** Returns whether all tests passed. */
  boolean passed() {
    return status == 0;
  }

  /** Prints a line for each class, and a total. */
  void print(SourceModule module) {
    classes.forEach(
        (name, counts) ->
            System.out.println(
                "%s, %.3f s -- %s".formatted(line(counts), seconds.get(name), name)));
    printSum(module);
  }

  /** Prints the total. */
  void printSum(SourceModule module) {
    int[] sum = new int[4];
    for (int[] counts : classes.values()) {
      for (int i = 0; i < sum.length; i++) {
        sum[i] += counts[i];
      }
    }
    System.out.println(line(sum) + " -- " + module);
    if (classes.isEmpty() && status != 0) {
      System.out.println("the JVM of the tests ended with " + status + " before they did");
    }
  }

  private static String line(int[] counts) {
    return "Tests run: %d, Failures: %d, Errors: %d, Skipped: %d"
        .formatted(counts[0], counts[1], counts[2], counts[3]);
  }
}
