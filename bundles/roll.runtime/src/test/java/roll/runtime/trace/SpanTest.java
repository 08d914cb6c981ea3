package roll.runtime.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import roll.api.tracking.SpanContext;
import roll.api.tracking.SpanData;
import roll.api.tracking.Tracing;

/** When spans end, and what they are parts of. */
class SpanTest {
  private static final SpanContext AGENT = new SpanContext("ab".repeat(16), "cd".repeat(8));

  private final List<SpanData> ended = new ArrayList<>();
  private final Tracer tracer = new Tracer(Kept::new);
  private final TraceScope scope = tracer.scope(TraceScope.TRAIN);

  /** Keeps spans; the id of a trace is its name. */
  private final class Kept implements Tracing {
    @Override
    public Trace trace(String name) {
      return new Trace(name, "");
    }

    @Override
    public void ended(SpanData span) {
      ended.add(span);
    }
  }

  private List<String> names() {
    return ended.stream().map(SpanData::name).toList();
  }

  @Test
  void openPartsEndWithTheirSpan() {
    Span episode = scope.episode("A");
    Span turn = episode.child("turn");
    Span request = turn.request("POST", AGENT);
    Span chat = request.child("chat");
    episode.close();
    assertEquals(List.of("chat", "POST", "turn", "episode"), names());
    assertEquals(1, ended.stream().map(SpanData::end).distinct().count());
    chat.close();
    episode.add("queue", 1, 2);
    assertSame(Span.none(), turn.child("late"));
    assertSame(Span.none(), turn.request("late", AGENT));
    assertEquals(4, ended.size());
  }

  @Test
  void aSpanFailsWithItsWork() {
    IllegalStateException failure = new IllegalStateException("broke");
    Span step = tracer.step(3);
    assertSame(
        failure,
        assertThrows(
            IllegalStateException.class,
            () ->
                step.around(
                    () -> {
                      throw failure;
                    })));
    assertEquals(7, (int) tracer.phase("late").around(() -> 7)); // of a step that has ended
    assertEquals(List.of("step"), names());
    SpanData broken = ended.getFirst();
    assertEquals("java.lang.IllegalStateException: broke", broken.failure());
    assertEquals("java.lang.IllegalStateException", broken.attributes().get("error.type"));
    assertEquals(3L, broken.attributes().get("roll.step"));
  }

  @Test
  void traceNamesAndLinks() {
    Span step = tracer.step(0);
    tracer.phase("rollout").close();
    scope.episode("A_0").close();
    Span other = scope.episode("A_1");
    other.request("POST", AGENT).close();
    other.request("POST", null).close();
    assertEquals(
        List.of("step-0", "train/A_0", AGENT.traceId(), "train/A_1"),
        ended.stream().map(span -> span.context().traceId()).toList());
    SpanData phase = ended.getFirst();
    assertEquals(step.context(), phase.parent());
    assertEquals(step.context(), ended.get(1).link());
    assertEquals(AGENT, ended.get(2).parent());
    assertEquals(other.context(), ended.get(2).link());
    assertEquals(other.context(), ended.get(3).parent());
    assertTrue(ended.get(3).server());
    assertNull(ended.get(3).link());
  }

  @Test
  void withoutTracingNothingIsRecorded() {
    Span episode = new Tracer(() -> null).scope("val-0").episode("A");
    assertNull(episode.context());
    assertNull(episode.child("turn").set("a", "b").context());
    assertSame(Span.none(), TraceScope.NONE.episode("A"));
  }
}
