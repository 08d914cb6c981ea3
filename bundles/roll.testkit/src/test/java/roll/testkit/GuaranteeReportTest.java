package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** A failure begins with the guarantee and where to look. */
class GuaranteeReportTest {
  @Test
  void aFindingFollowsTheGuarantee() {
    AssertionError failure =
        assertThrows(
            AssertionError.class,
            () -> assertTrue(Double.isFinite(Double.NaN), "the advantage of token 2 is NaN"));
    assertEquals(
        "broken: Numbers are finite.\n  look at: estimate()\n"
            + "  found: the advantage of token 2 is NaN",
        GuaranteeReport.message("Numbers are finite.", "estimate()", failure));
  }

  @Test
  void anExceptionIsTheFinding() {
    assertEquals(
        "broken: Any text is parsed.\n  look at: read()\n"
            + "  found: java.lang.IllegalStateException: no end tag",
        GuaranteeReport.message(
            "Any text is parsed.", "read()", new IllegalStateException("no end tag")));
  }
}
