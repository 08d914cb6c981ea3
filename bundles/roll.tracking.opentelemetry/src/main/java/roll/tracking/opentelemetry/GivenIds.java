package roll.tracking.opentelemetry;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.sdk.trace.IdGenerator;
import roll.api.tracking.SpanContext;

/** The ids of spans, which are given. */
final class GivenIds implements IdGenerator {
  private SpanContext next = new SpanContext("", "");

  /** Starts a span with the ids {@code ids}; that of a root begins the trace. */
  synchronized Span start(SpanBuilder span, SpanContext ids) {
    next = ids;
    return span.startSpan();
  }

  @Override
  public synchronized String generateSpanId() {
    return next.spanId();
  }

  @Override
  public synchronized String generateTraceId() {
    return next.traceId();
  }
}
