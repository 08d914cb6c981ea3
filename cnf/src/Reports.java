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
 * Counts the tests in the JUnit reports (TEST-*.xml) below folders: {@code Reports <skips.txt>
 * <folder> …}. Prints what failed, how many were skipped for which reason of the list, and one line
 * "N passed, N failed, N skipped". Fails where a test failed, none ran, or one was skipped for
 * another reason.
 */
class Reports {
  private static final int LINES_OF_A_FAILURE = 30;

  /** What one report, or many, say. */
  record Count(int passed, int failed, int skipped) {
    static Count of(Element suite) {
      int all = number(suite, "tests");
      int failed = number(suite, "failures") + number(suite, "errors");
      int skipped = number(suite, "skipped");
      return new Count(all - failed - skipped, failed, skipped);
    }

    Count plus(Count other) {
      return new Count(passed + other.passed, failed + other.failed, skipped + other.skipped);
    }

    private static int number(Element suite, String attribute) {
      String value = suite.getAttribute(attribute);
      return value.isEmpty() ? 0 : Integer.parseInt(value);
    }
  }

  static void main(String[] arguments) throws Exception {
    Count sum = new Count(0, 0, 0);
    Skips skips = Skips.read(Path.of(arguments[0]));
    for (int i = 1; i < arguments.length; i++) {
      for (Path report : reports(Path.of(arguments[i]))) {
        Element root = root(report);
        printFailures(root);
        skips.count(root);
        sum = sum.plus(count(root));
      }
    }
    boolean listed = skips.print();
    System.out.println(
        sum.passed() + " passed, " + sum.failed() + " failed, " + sum.skipped() + " skipped");
    if (sum.passed() == 0 || sum.failed() > 0 || !listed) {
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

  private static Element root(Path report) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(report.toFile())
        .getDocumentElement();
  }

  /** The root of a report is one suite (Surefire) or a list of them (bnd). */
  private static Count count(Element root) {
    if (root.getTagName().equals("testsuite")) {
      return Count.of(root);
    }
    Count sum = new Count(0, 0, 0);
    NodeList children = root.getChildNodes();
    for (int i = 0; i < children.getLength(); i++) {
      if (children.item(i) instanceof Element suite && suite.getTagName().equals("testsuite")) {
        sum = sum.plus(Count.of(suite));
      }
    }
    return sum;
  }

  private static void printFailures(Element root) {
    for (String kind : List.of("failure", "error")) {
      NodeList found = root.getElementsByTagName(kind);
      for (int i = 0; i < found.getLength(); i++) {
        Element problem = (Element) found.item(i);
        Node test = problem.getParentNode();
        String name =
            test instanceof Element named
                ? named.getAttribute("classname") + " " + named.getAttribute("name")
                : "";
        System.out.println("FAILED " + name + ": " + problem.getAttribute("message"));
        problem
            .getTextContent()
            .lines()
            .limit(LINES_OF_A_FAILURE)
            .forEach(line -> System.out.println("  " + line));
      }
    }
  }
}
