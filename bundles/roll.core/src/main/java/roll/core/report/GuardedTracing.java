package roll.core.report;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import roll.api.tracking.SpanData;
import roll.api.tracking.Tracing;
import roll.text.OneLine;

/** The tracing of a tracker; once it throws, it gets no more spans. */
final class GuardedTracing implements Tracing {
  private final Tracing tracing;
  private final Consumer<String> report;
  private final AtomicBoolean failed = new AtomicBoolean();

  /** Creates the guard of {@code tracing}; {@code report} gets the reason why it ended. */
  GuardedTracing(Tracing tracing, Consumer<String> report) {
    this.tracing = tracing;
    this.report = report;
  }

  @Override
  public @Nullable Trace trace(String name) {
    if (failed.get()) {
      return null;
    }
    try {
      return tracing.trace(name);
    } catch (RuntimeException | LinkageError e) {
      failed(e);
      return null;
    }
  }

  @Override
  public void ended(SpanData span) {
    if (failed.get()) {
      return;
    }
    try {
      tracing.ended(span);
    } catch (RuntimeException | LinkageError e) {
      failed(e);
    }
  }

  private void failed(Throwable thrown) {
    if (!failed.getAndSet(true)) {
      report.accept("threw " + OneLine.of(thrown) + "; it gets no more spans");
    }
  }
}
