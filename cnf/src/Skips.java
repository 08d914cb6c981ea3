import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The reasons for skipped tests, compared with a list of allowed reasons. */
class Skips {
  private final Map<Pattern, Integer> allowed = new LinkedHashMap<>();
  private final List<String> others = new ArrayList<>();

  /** Reads {@code list}: a regular expression per line, {@code #} for comments. */
  static Skips read(Path list) throws IOException {
    Skips skips = new Skips();
    for (String line : Files.readAllLines(list)) {
      if (!line.isBlank() && !line.startsWith("#")) {
        skips.allowed.put(Pattern.compile(line.strip()), 0);
      }
    }
    return skips;
  }

  /** Counts the skipped tests of a report. */
  void count(Element report) {
    NodeList found = report.getElementsByTagName("skipped");
    for (int i = 0; i < found.getLength(); i++) {
      Element skipped = (Element) found.item(i);
      String reason = skipped.getAttribute("message") + " " + skipped.getTextContent();
      allowed.keySet().stream()
          .filter(pattern -> pattern.matcher(reason).find())
          .findFirst()
          .ifPresentOrElse(
              pattern -> allowed.merge(pattern, 1, Integer::sum),
              () ->
                  others.add(name(skipped) + ": " + reason.strip().lines().findFirst().orElse("")));
    }
  }

  private static String name(Element skipped) {
    return skipped.getParentNode() instanceof Element test
        ? test.getAttribute("classname") + " " + test.getAttribute("name")
        : "a test";
  }

  /** Prints the counts by reason; returns whether all reasons are allowed. */
  boolean print() {
    allowed.forEach(
        (pattern, count) -> {
          if (count > 0) {
            System.out.println("skipped " + count + ": " + pattern);
          }
        });
    others.forEach(other -> System.out.println("SKIPPED for no reason of cnf/skips.txt: " + other));
    return others.isEmpty();
  }
}
