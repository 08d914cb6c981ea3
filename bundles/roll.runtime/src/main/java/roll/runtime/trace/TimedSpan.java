package roll.runtime.trace;

import org.jspecify.annotations.Nullable;
import roll.api.tracking.SpanContext;

/**
 * A span that is also a part of a timeline.
 *
 * @param span the same span for tracing
 * @param number of the part in {@code timeline}
 */
record TimedSpan(Span span, Timeline timeline, int number, int depth) implements Span {
  /** Begins a part of {@code timeline}. */
  static TimedSpan of(Span span, Timeline timeline, String name, int depth) {
    return new TimedSpan(span, timeline, timeline.begin(name, depth, System.nanoTime()), depth);
  }

  @Override
  public @Nullable SpanContext context() {
    return span.context();
  }

  @Override
  public Span child(String name) {
    return timeline.open(number) ? of(span.child(name), timeline, name, depth + 1) : Span.none();
  }

  @Override
  public Span request(String name, @Nullable SpanContext parent) {
    return timeline.open(number)
        ? of(span.request(name, parent), timeline, name, depth + 1)
        : Span.none();
  }

  @Override
  public void add(String name, long begun, long ended) {
    span.add(name, begun, ended);
    if (timeline.open(number)) {
      timeline.end(timeline.begin(name, depth + 1, begun), ended);
    }
  }

  @Override
  public Span set(String name, Object value) {
    var unused = span.set(name, value);
    if (name.equals(WAITED_FOR)) {
      timeline.waitedFor(number, value.toString());
    }
    return this;
  }

  @Override
  public void fail(Throwable why) {
    span.fail(why);
  }

  @Override
  public void close() {
    timeline.end(number, System.nanoTime());
    span.close();
  }
}
