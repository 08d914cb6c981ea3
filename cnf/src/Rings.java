import java.util.List;
import java.util.stream.Stream;

/** Which tests of a module run together: `mvn verify` leaves those with a tag to a profile. */
class Rings {
  private static final List<String> TAGS = List.of("framework", "hostile", "processes", "slow");

  /** As Surefire finds test classes. */
  private static final String CLASSES = "(.*\\.)?(Test[^.$]*|[^.$]*(Test|Tests|TestCase))";

  private Rings() {}

  /** For JUnit's console: the tests with the tag {@code ring}, or those without any. */
  static List<String> selection(SourceModule module, String ring) throws Mistake {
    if (!ring.isEmpty() && !TAGS.contains(ring)) {
      throw new Mistake(2, "no ring '" + ring + "'; there are " + String.join(", ", TAGS));
    }
    Stream<String> tags =
        ring.isEmpty()
            ? TAGS.stream().map(tag -> "--exclude-tag=" + tag)
            : Stream.of("--include-tag=" + ring);
    return Stream.concat(
            Stream.of(
                "--scan-classpath=" + module.test().classes(), "--include-classname=" + CLASSES),
            tags)
        .toList();
  }
}
