package roll.runtime.trace;

import org.jspecify.annotations.Nullable;
import roll.api.tracking.SpanContext;

/** A span that is not recorded. */
enum NoSpan implements Span {
  NONE;

  @Override
  public @Nullable SpanContext context() {
    return null;
  }

  @Override
  public Span child(String name) {
    return this;
  }

  @Override
  public Span request(String name, @Nullable SpanContext parent) {
    return this;
  }

  @Override
  public void add(String name, long begun, long ended) {}

  @Override
  public Span set(String name, Object value) {
    return this;
  }

  @Override
  public void fail(Throwable why) {}

  @Override
  public void close() {}
}
