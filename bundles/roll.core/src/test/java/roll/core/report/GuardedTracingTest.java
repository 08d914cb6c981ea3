package roll.core.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.tracking.SpanContext;
import roll.api.tracking.SpanData;
import roll.api.tracking.Tracing;

class GuardedTracingTest {
  private final List<String> reported = new ArrayList<>();
  private int asked;

  /** Throws at each span. */
  private final class Broken implements Tracing {
    @Override
    public Trace trace(String name) {
      return new Trace(name, "");
    }

    @Override
    public void ended(SpanData span) {
      asked++;
      throw new NoClassDefFoundError("gone");
    }
  }

  @Test
  void whatThrowsGetsNoMoreSpans() {
    GuardedTracing guarded = new GuardedTracing(new Broken(), reported::add);
    assertEquals(new Tracing.Trace("a", ""), guarded.trace("a"));
    SpanContext ids = new SpanContext("ab", "cd");
    SpanData span = new SpanData(ids, null, false, null, "a", 0, 1, Map.of(), "");
    guarded.ended(span);
    guarded.ended(span);
    assertNull(guarded.trace("a"));
    assertEquals(1, asked);
    assertEquals(
        List.of("threw java.lang.NoClassDefFoundError: gone; it gets no more spans"), reported);
  }
}
