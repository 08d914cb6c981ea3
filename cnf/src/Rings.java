import java.util.ArrayList;
import java.util.List;

/**
 * Which tests of a module run together: {@code mvn verify} leaves those with a tag to a profile.
 */
class Rings {
  private static final String SLOW = "slow";

  /** As Surefire finds test classes. */
  private static final String CLASSES = "(.*\\.)?(Test[^.$]*|[^.$]*(Test|Tests|TestCase))";

  private Rings() {}

  /** For JUnit's console: the tests with the tag {@code ring}, or those that no ring has. */
  static List<String> selection(SourceModule module, String ring) throws Mistake {
    String others = module.pom().configured(TestRun.SUREFIRE, "excludedGroups").orElse(SLOW);
    List<String> rings = List.of(others.split("[\\s|]+"));
    List<String> selection =
        new ArrayList<>(
            List.of(
                "--scan-classpath=" + module.test().classes(), "--include-classname=" + CLASSES));
    if (ring.isEmpty()) {
      rings.forEach(each -> selection.add("--exclude-tag=" + each));
    } else if (rings.contains(ring)) {
      selection.add("--include-tag=" + ring + (ring.equals(SLOW) ? "" : " & !" + SLOW));
    } else {
      throw new Mistake(2, "no ring '" + ring + "'; there are " + String.join(", ", rings));
    }
    return selection;
  }
}
