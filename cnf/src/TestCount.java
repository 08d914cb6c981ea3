import org.w3c.dom.Element;

/** How many tests one suite has, or many. */
record TestCount(int passed, int failed, int skipped) {
  static TestCount of(Element suite) {
    // where a test was run again, Surefire's attribute counts that run alone
    int all = Math.max(number(suite, "tests"), suite.getElementsByTagName("testcase").getLength());
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
