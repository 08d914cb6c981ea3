package roll.tracking.opentelemetry;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingDecision;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import roll.api.tracking.SpanData;
import roll.api.tracking.Tracing;
import roll.api.tracking.Tracking;

/**
 * The spans of a run. They are queued and sent in the background; when the queue is full, further
 * spans are dropped.
 */
final class RunSpans implements Tracking, Tracing {
  /** The library's logger, whose messages repeat what the exporter reports here. */
  private static final Logger LIBRARY = Logger.getLogger("io.opentelemetry");

  private static final int QUEUE = 1 << 14;
  private static final int TRACE_ID_BYTES = 16;

  private final String runId;
  private final OtlpSettings settings;
  private final Sampler sampler;
  private final Duration end;
  private final Consumer<String> notices;
  private final GivenIds ids = new GivenIds();
  private final ReportingExporter exporter;
  private final SdkTracerProvider provider;
  private final Tracer tracer;
  private final AtomicLong recorded = new AtomicLong();

  /**
   * Creates the spans of the run {@code name}.
   *
   * @param runId determines the ids of the traces
   * @param exporter receives the spans
   * @param end how long {@link #close} waits for spans that are not sent
   * @param notices receives messages for the user
   */
  RunSpans(
      String name,
      String runId,
      OtlpSettings settings,
      SpanExporter exporter,
      Duration end,
      Consumer<String> notices) {
    LIBRARY.setLevel(Level.OFF);
    this.runId = runId;
    this.settings = settings;
    this.sampler = Sampler.traceIdRatioBased(settings.ratio());
    this.end = end;
    this.notices = notices;
    this.exporter = new ReportingExporter(exporter, settings.target(), notices);
    Attributes resource =
        Attributes.builder()
            .put("service.name", settings.service())
            .put("roll.run", name)
            .put("roll.run_id", runId)
            .build();
    provider =
        SdkTracerProvider.builder()
            .setIdGenerator(ids)
            .setResource(Resource.getDefault().merge(Resource.create(resource)))
            .addSpanProcessor(
                BatchSpanProcessor.builder(this.exporter).setMaxQueueSize(QUEUE).build())
            .build();
    tracer = provider.get("roll");
  }

  @Override
  public Tracing tracing() {
    return this;
  }

  @Override
  public @Nullable Trace trace(String name) {
    String id = traceId(name);
    SamplingDecision decision =
        sampler
            .shouldSample(
                Context.root(), id, name, SpanKind.INTERNAL, Attributes.empty(), List.of())
            .getDecision();
    return decision == SamplingDecision.RECORD_AND_SAMPLE
        ? new Trace(id, settings.link().replace(OtlpSettings.TRACE_ID, id))
        : null;
  }

  private String traceId(String name) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest((runId + "/" + name).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, TRACE_ID_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java platform has it
    }
  }

  @Override
  public void ended(SpanData span) {
    SpanBuilder builder =
        tracer
            .spanBuilder(span.name())
            .setParent(parent(span))
            .setSpanKind(span.server() ? SpanKind.SERVER : SpanKind.INTERNAL)
            .setStartTimestamp(span.start(), TimeUnit.NANOSECONDS);
    if (span.link() != null) {
      builder.addLink(context(span.link(), false));
    }
    for (Map.Entry<String, Object> attribute : span.attributes().entrySet()) {
      set(builder, attribute.getKey(), attribute.getValue());
    }
    Span started = ids.start(builder, span.context());
    if (!span.failure().isEmpty()) {
      started.setStatus(StatusCode.ERROR, span.failure());
    }
    recorded.incrementAndGet();
    started.end(span.end(), TimeUnit.NANOSECONDS);
  }

  private static Context parent(SpanData span) {
    return span.parent() == null
        ? Context.root()
        : Context.root().with(Span.wrap(context(span.parent(), span.server())));
  }

  private static SpanContext context(roll.api.tracking.SpanContext ids, boolean remote) {
    TraceFlags sampled = TraceFlags.getSampled();
    TraceState none = TraceState.getDefault();
    return remote
        ? SpanContext.createFromRemoteParent(ids.traceId(), ids.spanId(), sampled, none)
        : SpanContext.create(ids.traceId(), ids.spanId(), sampled, none);
  }

  private static void set(SpanBuilder span, String name, Object value) {
    switch (value) {
      case Long number -> span.setAttribute(name, number);
      case Double number -> span.setAttribute(name, number);
      case Boolean flag -> span.setAttribute(name, flag);
      default -> span.setAttribute(name, value.toString());
    }
  }

  @Override
  public void log(int step, Map<String, Double> metrics) {}

  /** Starts sending what is queued, without waiting for it. */
  @Override
  public void flush() {
    var unused = provider.forceFlush();
  }

  /** Sends what is queued within the time limit, and reports what was not sent. */
  @Override
  public void close() {
    var unused = provider.shutdown().join(end.toMillis(), TimeUnit.MILLISECONDS);
    exporter.abandon();
    long lost = recorded.get() - exporter.delivered();
    if (lost > 0) {
      notices.accept(
          lost + " of " + recorded.get() + " spans were not sent to " + settings.target());
    }
  }
}
