package roll.runtime.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class TimelineTest {
  private final TraceScope scope = new Tracer(() -> null).scope(TraceScope.TRAIN);

  private static List<String> names(List<TimelinePart> parts) {
    return parts.stream().map(part -> part.depth() + " " + part.name()).toList();
  }

  @Test
  void partsAreInTheOrderOfTheirBeginning() {
    Span episode = scope.episode("A_0");
    Span turn = episode.child("turn");
    Span chat = turn.child("chat policy").set(Span.WAITED_FOR, "A_1").set("other", "A_2");
    chat.add("queue", 5, 7);
    chat.close();
    turn.close();
    episode.child("reward");
    List<TimelinePart> parts = scope.takeTimeline("A_0");
    assertEquals(
        List.of("0 episode", "1 turn", "2 chat policy", "3 queue", "1 reward"), names(parts));
    assertEquals(new TimelinePart("queue", 3, 5, 7, ""), parts.get(3));
    assertEquals("A_1", parts.get(2).waitedFor());
    for (TimelinePart part : parts) {
      assertTrue(part.begun() <= part.ended(), part::toString);
    }
    assertEquals(List.of(), scope.takeTimeline("A_0"), "it is taken");
  }

  @Test
  void theLastAttemptCounts() {
    Span first = scope.episode("A_0");
    scope.episode("A_0").child("reward").close();
    first.child("turn").close();
    assertEquals(List.of("0 episode", "1 reward"), names(scope.takeTimeline("A_0")));
  }

  @Test
  void partsAndEpisodesAreLimited() {
    Span episode = scope.episode("A_0");
    for (int i = 0; i < 2 * Timeline.MOST; i++) {
      episode.child("turn").set(Span.WAITED_FOR, "A_1").close();
    }
    assertEquals(Timeline.MOST, scope.takeTimeline("A_0").size());
    Timelines two = new Timelines(2);
    for (String name : List.of("a", "b", "a", "c")) {
      two.begin(name, Span.none()).close();
    }
    assertEquals(
        List.of(0, 1, 1),
        List.of(two.take("b").size(), two.take("a").size(), two.take("c").size()));
  }
}
