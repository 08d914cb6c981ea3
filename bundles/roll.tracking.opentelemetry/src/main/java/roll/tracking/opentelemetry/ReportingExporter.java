package roll.tracking.opentelemetry;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An exporter that counts delivered spans and reports the first failure. */
final class ReportingExporter implements SpanExporter {
  private final SpanExporter exporter;
  private final String target;
  private final Consumer<String> notices;
  private final AtomicLong delivered = new AtomicLong();
  private final AtomicBoolean told = new AtomicBoolean();
  private volatile boolean abandoned;

  /**
   * Creates an exporter that uses {@code exporter}.
   *
   * @param target where its spans go, for messages
   */
  ReportingExporter(SpanExporter exporter, String target, Consumer<String> notices) {
    this.exporter = exporter;
    this.target = target;
    this.notices = notices;
  }

  @Override
  public CompletableResultCode export(Collection<SpanData> spans) {
    if (abandoned) {
      return CompletableResultCode.ofFailure();
    }
    List<SpanData> sent = List.copyOf(spans);
    CompletableResultCode result = exporter.export(sent);
    return result.whenComplete(
        () -> {
          if (result.isSuccess()) {
            delivered.addAndGet(sent.size());
          } else if (!abandoned && !told.getAndSet(true)) {
            notices.accept(
                target
                    + " does not take spans ("
                    + reason(result.getFailureThrowable())
                    + "); the run continues without them");
          }
        });
  }

  private static String reason(@Nullable Throwable failure) {
    return failure == null ? "no answer" : HttpFailure.reason(failure);
  }

  /** Returns the number of spans that were taken. */
  long delivered() {
    return delivered.get();
  }

  /** Fails further exports at once, and reports no more. */
  void abandon() {
    abandoned = true;
  }

  @Override
  public CompletableResultCode flush() {
    return exporter.flush();
  }

  @Override
  public CompletableResultCode shutdown() {
    return exporter.shutdown();
  }
}
