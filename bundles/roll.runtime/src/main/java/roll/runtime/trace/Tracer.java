package roll.runtime.trace;

import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import roll.api.data.RandomStreams;
import roll.api.tracking.SpanContext;
import roll.api.tracking.SpanData;
import roll.api.tracking.Tracing;
import roll.api.tracking.Tracing.Trace;

/**
 * Begins the spans of a run. Spans go to the tracing that the run has when they end; without one
 * they are not recorded. In any case the times of the latest episodes are kept until they are
 * taken.
 */
public final class Tracer {
  /** The tracer of a run without tracing and times. */
  public static final Tracer NONE = new Tracer(() -> null, 0);

  private static final int TIMED_EPISODES = 4096;

  private final Supplier<@Nullable Tracing> tracing;
  private final Timelines timelines;
  private final AtomicLong spans = new AtomicLong();
  private final long epoch;
  private volatile Span step = Span.none();

  /** Creates a tracer for the current tracing of a run, which may change and be null. */
  public Tracer(Supplier<@Nullable Tracing> tracing) {
    this(tracing, TIMED_EPISODES);
  }

  private Tracer(Supplier<@Nullable Tracing> tracing, int timed) {
    this.tracing = tracing;
    this.timelines = new Timelines(timed);
    Instant now = Instant.now();
    epoch = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano() - System.nanoTime();
  }

  /** Begins the trace of a training step, which episodes that begin meanwhile have a link to. */
  public Span step(int number) {
    Span begun = root("step-" + number, "step", null).set("roll.step", (long) number);
    step = begun;
    return begun;
  }

  /** Begins a phase of the current training step. */
  public Span phase(String name) {
    return step.child("phase " + name);
  }

  /** Returns the scope of a rollout. */
  public TraceScope scope(String name) {
    return new TraceScope(this, name);
  }

  Span episode(String trace) {
    return timelines.begin(trace, root(trace, "episode", step.context()));
  }

  List<TimelinePart> takeTimeline(String trace) {
    return timelines.take(trace);
  }

  @Nullable Trace trace(String name) {
    Tracing current = tracing.get();
    return current == null ? null : current.trace(name);
  }

  private Span root(String trace, String name, @Nullable SpanContext link) {
    Trace recorded = trace(trace);
    if (recorded == null) {
      return Span.none();
    }
    SpanContext ids = newSpan(recorded.id());
    return new RecordedSpan(this, ids, null, false, link, name, System.nanoTime());
  }

  /** Returns the ids of a new span of a trace. */
  SpanContext newSpan(String traceId) {
    long id = RandomStreams.seed(epoch, traceId, spans.getAndIncrement());
    return new SpanContext(traceId, HexFormat.of().toHexDigits(id == 0 ? 1 : id));
  }

  /** Converts a {@link System#nanoTime} to nanoseconds since the epoch. */
  long epochNanos(long nanoTime) {
    return epoch + nanoTime;
  }

  /** Gives a finished span to the current tracing. */
  void ended(SpanData span) {
    Tracing current = tracing.get();
    if (current != null) {
      current.ended(span);
    }
  }
}
