import java.util.ArrayList;
import java.util.List;

/** Selects the tests of a ring: {@code mvn verify} leaves tagged ones to profiles. */
class Rings {
  private static final String SLOW = "slow";

  /** Surefire's pattern of test classes. */
  private static final String CLASSES = "(.*\\.)?(Test[^.$]*|[^.$]*(Test|Tests|TestCase))";

  private Rings() {}

  /**
   * Returns the arguments of JUnit's console for tests with the tag {@code ring}, or without any.
   */
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
