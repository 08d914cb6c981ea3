package roll.api.tracking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpanContextTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String SPAN = "00f067aa0ba902b7";
  private static final SpanContext CONTEXT = new SpanContext(TRACE, SPAN);

  @Test
  void aHeaderIsReadAgain() {
    assertEquals("00-" + TRACE + "-" + SPAN + "-01", CONTEXT.traceparent());
    assertEquals(CONTEXT, SpanContext.parse(CONTEXT.traceparent()));
  }

  /** Later versions may have more fields and flags. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        " 00-" + TRACE + "-" + SPAN + "-03 ",
        "cc-" + TRACE + "-" + SPAN + "-01",
        "cc-" + TRACE + "-" + SPAN + "-01-what-the-future-will-be-like"
      })
  void whatAStandardAllowsIsRead(String header) {
    assertEquals(CONTEXT, SpanContext.parse(header));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00",
        "00-" + TRACE + "-" + SPAN,
        "00-" + TRACE + "-" + SPAN + "-00",
        "00-" + TRACE + "-" + SPAN + "-01-",
        "00-" + TRACE + "-" + SPAN + "-01-more",
        "ff-" + TRACE + "-" + SPAN + "-01",
        "cc-" + TRACE + "-" + SPAN + "-01.more",
        "00-00000000000000000000000000000000-" + SPAN + "-01",
        "00-" + TRACE + "-0000000000000000-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-" + SPAN + "-01",
        "00-" + TRACE + "x-" + SPAN + "-01"
      })
  void anythingElseIsIgnored(String header) {
    assertNull(SpanContext.parse(header));
  }
}
