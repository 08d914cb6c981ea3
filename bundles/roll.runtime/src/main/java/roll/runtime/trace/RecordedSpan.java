package roll.runtime.trace;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.tracking.SpanContext;
import roll.api.tracking.SpanData;
import roll.text.OneLine;

/** A span that its tracer records. */
final class RecordedSpan implements Span {
  private final Tracer tracer;
  private final SpanContext context;
  private final @Nullable SpanContext parent;
  private final boolean server;
  private final @Nullable SpanContext link;
  private final String name;
  private final long begun;
  private final Map<String, Object> attributes = new LinkedHashMap<>();

  /** Spans that began within this one, and end with it at the latest. */
  private final List<RecordedSpan> parts = new ArrayList<>();

  private String failure = "";
  private boolean closed;

  /**
   * Creates an open span.
   *
   * @param server whether it answers a request of another process
   * @param link a related span of another trace, or null
   * @param begun as {@link System#nanoTime}
   */
  RecordedSpan(
      Tracer tracer,
      SpanContext context,
      @Nullable SpanContext parent,
      boolean server,
      @Nullable SpanContext link,
      String name,
      long begun) {
    this.tracer = tracer;
    this.context = context;
    this.parent = parent;
    this.server = server;
    this.link = link;
    this.name = name;
    this.begun = begun;
  }

  @Override
  public SpanContext context() {
    return context;
  }

  @Override
  public Span child(String name) {
    return open(part(name, System.nanoTime()));
  }

  @Override
  public Span request(String name, @Nullable SpanContext parent) {
    SpanContext whole = parent == null ? context : parent;
    SpanContext joined = whole.traceId().equals(context.traceId()) ? null : context;
    SpanContext ids = tracer.newSpan(whole.traceId());
    return open(new RecordedSpan(tracer, ids, whole, true, joined, name, System.nanoTime()));
  }

  @Override
  public void add(String name, long begun, long ended) {
    RecordedSpan part = part(name, begun);
    if (open(part) == part) {
      part.end(ended);
    }
  }

  private RecordedSpan part(String name, long begun) {
    SpanContext ids = tracer.newSpan(context.traceId());
    return new RecordedSpan(tracer, ids, context, false, null, name, begun);
  }

  /** Returns {@code part}; a thread that was abandoned may begin it too late. */
  private synchronized Span open(RecordedSpan part) {
    if (closed) {
      return Span.none();
    }
    parts.add(part);
    return part;
  }

  @Override
  public synchronized Span set(String name, Object value) {
    attributes.put(name, value);
    return this;
  }

  @Override
  public synchronized void fail(Throwable why) {
    failure = OneLine.of(why);
    attributes.put("error.type", why.getClass().getName());
  }

  @Override
  public void close() {
    end(System.nanoTime());
  }

  private void end(long ended) {
    SpanData data;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      long start = tracer.epochNanos(begun);
      long end = tracer.epochNanos(Math.max(begun, ended));
      data = new SpanData(context, parent, server, link, name, start, end, attributes, failure);
    }
    parts.forEach(part -> part.end(ended)); // none is added any more
    tracer.ended(data);
  }
}
