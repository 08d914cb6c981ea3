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

/** A JUnit report by Surefire (one suite per class) or by bnd's tester (one per bundle). */
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

  /** Returns the files below {@code folder} with matching names; none without that folder. */
  static List<Path> files(Path folder, String names) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.getFileName().toString().matches(names)).toList();
    }
  }

  /** Returns the suites: the root or its children. */
  List<Element> suites() {
    return root.getTagName().equals("testsuite") ? List.of(root) : children(root, "testsuite");
  }

  /** Returns the wall seconds of each class: those of its suite, or the sum of its tests. */
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

  /** Prints failed and flaky tests with the beginning of their messages. */
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
