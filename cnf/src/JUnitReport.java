import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** A report that Surefire (one suite for a class) or bnd's tester (one for a bundle) wrote. */
record JUnitReport(Element root) {
  static final String FILES = "TEST-.*\\.xml";
  private static final int LINES_OF_A_FAILURE = 30;

  static JUnitReport read(Path file) throws Exception {
    return new JUnitReport(
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(file.toFile())
            .getDocumentElement());
  }

  /** The files below {@code folder} whose names match; none where there is no such folder. */
  static List<Path> files(Path folder, String names) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.getFileName().toString().matches(names)).toList();
    }
  }

  /** The root is one suite or a list of them. */
  List<Element> suites() {
    return root.getTagName().equals("testsuite") ? List.of(root) : children(root, "testsuite");
  }

  /** Wall seconds of classes: of the suite that is one, or the sum of its tests. */
  Map<String, Double> seconds() {
    Map<String, Double> seconds = new TreeMap<>();
    for (Element suite : suites()) {
      List<Element> tests = children(suite, "testcase");
      String name = suite.getAttribute("name");
      if (tests.stream().allMatch(test -> test.getAttribute("classname").equals(name))) {
        seconds.merge(name, time(suite), Double::sum);
      } else {
        for (Element test : tests) {
          String outermost = test.getAttribute("classname").replaceFirst("\\$.*", "");
          seconds.merge(outermost, time(test), Double::sum);
        }
      }
    }
    return seconds;
  }

  /** What failed, and what passed only when it was run again, with the beginning of why. */
  void printFailures() {
    for (String kind : List.of("failure", "error", "flakyFailure", "flakyError")) {
      NodeList found = root.getElementsByTagName(kind);
      for (int i = 0; i < found.getLength(); i++) {
        Element problem = (Element) found.item(i);
        String name =
            problem.getParentNode() instanceof Element test
                ? test.getAttribute("classname") + " " + test.getAttribute("name")
                : "";
        String how = kind.startsWith("flaky") ? "FLAKY " : "FAILED ";
        System.out.println(how + name + ": " + problem.getAttribute("message"));
        problem
            .getTextContent()
            .lines()
            .limit(LINES_OF_A_FAILURE)
            .forEach(line -> System.out.println("  " + line));
      }
    }
  }

  private static double time(Element element) {
    return Double.parseDouble(element.getAttribute("time").replace(",", ""));
  }

  private static List<Element> children(Element parent, String tag) {
    List<Element> found = new ArrayList<>();
    NodeList children = parent.getChildNodes();
    for (int i = 0; i < children.getLength(); i++) {
      if (children.item(i) instanceof Element child && child.getTagName().equals(tag)) {
        found.add(child);
      }
    }
    return found;
  }
}
