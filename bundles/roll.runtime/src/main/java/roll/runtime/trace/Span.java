package roll.runtime.trace;

import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.tracking.SpanContext;

/** An open span, which is recorded when it is closed. Used by any thread. */
@ProviderType
public sealed interface Span extends AutoCloseable permits NoSpan, RecordedSpan, TimedSpan {
  /** Attribute: id of the trajectory whose request this one waited for. */
  String WAITED_FOR = "roll.waited_for";

  /** Returns a span that is not recorded, and whose parts are not. */
  static Span none() {
    return NoSpan.NONE;
  }

  /** Returns the ids of the span; null if it is not recorded. */
  @Nullable SpanContext context();

  /** Begins a part of this span. */
  Span child(String name);

  /**
   * Begins the work for a request of another process: a part of that process's span {@code parent},
   * or of this span if that is null. In a trace of its own it has a link to this span.
   */
  Span request(String name, @Nullable SpanContext parent);

  /** Adds a part of this span that has ended; times are those of {@link System#nanoTime}. */
  void add(String name, long begun, long ended);

  /** Sets an attribute: a text, {@code Long}, {@code Double} or {@code Boolean}. */
  Span set(String name, Object value);

  /** Marks the span as failed. */
  void fail(Throwable why);

  /** Does {@code work} and closes the span, which has failed if the work throws. */
  default <T, E extends Exception> T around(Work<T, E> work) throws E {
    try {
      return work.run();
    } catch (Throwable e) {
      fail(e);
      throw e;
    } finally {
      close();
    }
  }

  /** Ends and records the span and its open parts, the first time only. */
  @Override
  void close();

  /** The work of a span. */
  @ProviderType
  @FunctionalInterface
  interface Work<T, E extends Exception> {
    /** Does the work. */
    T run() throws E;
  }
}
