package roll.rollout;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import roll.api.tracking.SpanContext;
import roll.api.tracking.SpanData;
import roll.api.tracking.Tracing;
import roll.runtime.trace.TraceScope;
import roll.runtime.trace.Tracer;

/** Keeps all spans, and shows them as trees. */
@NullMarked
public final class RecordedTraces implements Tracing {
  public final TraceScope scope = new Tracer(() -> this).scope(TraceScope.TRAIN);
  private final List<SpanData> spans = new CopyOnWriteArrayList<>();

  @Override
  public Trace trace(String name) {
    UUID id = UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    return new Trace(id.toString().replace("-", ""), "");
  }

  @Override
  public void ended(SpanData span) {
    spans.add(span);
  }

  /** The spans called {@code name} by start. */
  public List<SpanData> named(String name) {
    return sorted(spans.stream().filter(span -> span.name().equals(name)));
  }

  private static List<SpanData> sorted(Stream<SpanData> spans) {
    return spans
        .sorted(Comparator.comparingLong(SpanData::start).thenComparingLong(SpanData::end))
        .toList();
  }

  /** The spans without a parent, each with its parts; an exclamation mark is a failure. */
  public List<String> trees() {
    return parts(null);
  }

  private List<String> parts(@Nullable SpanContext parent) {
    return sorted(spans.stream().filter(span -> Objects.equals(span.parent(), parent))).stream()
        .map(this::tree)
        .toList();
  }

  /** The span and its parts. */
  public String tree(SpanData span) {
    List<String> parts = parts(span.context());
    String inside =
        parts.isEmpty() ? "" : parts.stream().collect(Collectors.joining(", ", "[", "]"));
    return span.name() + (span.failure().isEmpty() ? "" : "!") + inside;
  }
}
