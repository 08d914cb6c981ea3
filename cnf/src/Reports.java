import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * Counts the tests in the JUnit reports (TEST-*.xml) below each folder given, prints one line "N
 * passed, N failed" and fails where a test failed or none ran.
 */
class Reports {
  /** What one report, or many, say. */
  record Count(int passed, int failed) {
    static Count of(Element suite) {
      int all = number(suite, "tests");
      int failed = number(suite, "failures") + number(suite, "errors");
      return new Count(all - failed - number(suite, "skipped"), failed);
    }

    Count plus(Count other) {
      return new Count(passed + other.passed, failed + other.failed);
    }

    private static int number(Element suite, String attribute) {
      String value = suite.getAttribute(attribute);
      return value.isEmpty() ? 0 : Integer.parseInt(value);
    }
  }

  static void main(String[] folders) throws Exception {
    Count sum = new Count(0, 0);
    for (String folder : folders) {
      for (Path report : reports(Path.of(folder))) {
        sum = sum.plus(count(report));
      }
    }
    System.out.println(sum.passed() + " passed, " + sum.failed() + " failed");
    if (sum.passed() == 0 || sum.failed() > 0) {
      System.exit(1);
    }
  }

  private static List<Path> reports(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(f -> f.getFileName().toString().matches("TEST-.*\\.xml")).toList();
    }
  }

  /** The root of a report is one suite (Surefire) or a list of them (bnd). */
  private static Count count(Path report) throws Exception {
    Element root =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(report.toFile())
            .getDocumentElement();
    if (root.getTagName().equals("testsuite")) {
      return Count.of(root);
    }
    Count sum = new Count(0, 0);
    NodeList children = root.getChildNodes();
    for (int i = 0; i < children.getLength(); i++) {
      Node child = children.item(i);
      if (child instanceof Element suite && suite.getTagName().equals("testsuite")) {
        sum = sum.plus(Count.of(suite));
      }
    }
    return sum;
  }
}
