package roll.rollout.program;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.AgentRunnerConfig;
import roll.api.tracking.SpanContext;
import roll.api.tracking.SpanData;
import roll.rollout.RecordedTraces;
import roll.rollout.supervise.EpisodeSlot;
import roll.rollout.supervise.EpisodeTrace;

/** The spans of the requests of programs, and the programs' own traces. */
@NullMarked
@Timeout(120)
class TracedProgramTest {
  private static final String ASK = "{\"messages\":[{\"role\":\"user\",\"content\":\"1\"}]}";
  private static final SpanContext AGENT =
      new SpanContext("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7");

  private static final String REQUEST = "POST /v1/chat/completions";

  private final RecordedTraces traces = new RecordedTraces();

  @Test
  void aRequestIsAPartOfTheAgentsSpanOrOfTheEpisode() throws Exception {
    EpisodeSlot slot = new EpisodeSlot("A", 0, 0, 0, 0, 2);
    EpisodeTrace trace = EpisodeTrace.begin(traces.scope, slot, 0);
    SpanContext episode = Objects.requireNonNull(trace.episode().context());
    String unsampled = AGENT.traceparent().replaceFirst("01$", "00");
    try (EndpointKit kit = new EndpointKit(trace)) {
      String by = "Bearer " + kit.key();
      kit.playing(
          () -> {
            kit.ask("/chat/completions", by, ASK, "traceparent", AGENT.traceparent());
            kit.ask("/chat/completions", by, ASK, "traceparent", unsampled);
            kit.ask("/chat/completions", by, ASK);
            return kit.ask("/chat/completions", by, ASK, "traceparent", episode.traceparent());
          });
    }
    await().until(() -> traces.named(REQUEST).size() == 4);
    List<SpanData> requests = traces.named(REQUEST);
    SpanData joined = requests.getFirst();
    assertEquals(AGENT, joined.parent());
    assertEquals(AGENT.traceId(), joined.context().traceId());
    assertEquals(episode, joined.link());
    assertEquals("/v1/chat/completions", joined.attributes().get("http.route"));
    assertEquals(200L, joined.attributes().get("http.response.status_code"));
    assertTrue(requests.stream().allMatch(SpanData::server));
    for (SpanData request : requests.subList(1, 4)) {
      assertEquals(episode, request.parent());
      assertNull(request.link());
    }
  }

  @Tag("processes")
  @Test
  void aProcessKnowsTheSpanOfItsEpisode(@TempDir Path folder) throws IOException {
    try (ProgramKit kit = new ProgramKit()) {
      var command = ProgramKit.python(folder, "traced.py");
      var runner = new AgentRunnerConfig(command, Map.of(), 60, 0, false);
      var result = kit.service.play(kit.request(runner, 1, 1).traced(traces.scope)).join();
      assertEquals(List.of(), result.faults());
    }
    String request = REQUEST + "[chat policy[queue, generate]]";
    await().until(() -> traces.named(REQUEST).size() == 2);
    assertEquals(
        List.of("episode[environment reset, " + request + ", environment step]"), traces.trees());
    SpanData joined =
        traces.named(REQUEST).stream().filter(span -> span.link() != null).findFirst().get();
    assertEquals(AGENT, joined.parent());
    assertEquals(request, traces.tree(joined));
  }
}
