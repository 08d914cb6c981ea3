package roll.tracking.alerts;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import roll.text.OneLine;

/**
 * Deliveries in the background, one at a time by rule and receiver, so that receivers that fail or
 * hang neither slow the run nor each other.
 */
final class Deliveries implements AutoCloseable {
  /** Time beyond the limit in which a delivery ends. */
  private static final Duration END = Duration.ofSeconds(5);

  private final Duration limit;
  private final Consumer<String> warnings;
  private final Set<Target> busy = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /**
   * Creates the deliveries of a run.
   *
   * @param limit maximum duration of each
   * @param warnings receives a line for each alert that was not delivered
   */
  Deliveries(Duration limit, Consumer<String> warnings) {
    this.limit = limit;
    this.warnings = warnings;
  }

  private record Target(String rule, AlertReceiver receiver) {}

  /** Starts the delivery of {@code alert}; it is dropped if the last one of its rule runs. */
  void start(AlertReceiver receiver, Alert alert) {
    Target target = new Target(alert.rule(), receiver);
    if (busy.add(target)) {
      threads.execute(() -> deliver(target, alert));
    } else {
      warn(receiver, alert, "its last alert is still being delivered");
    }
  }

  private void deliver(Target target, Alert alert) {
    AlertReceiver receiver = target.receiver();
    try {
      receiver.deliver(alert, limit);
    } catch (IOException | RuntimeException e) {
      warn(receiver, alert, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      warn(receiver, alert, "the run has ended");
    } finally {
      busy.remove(target);
    }
  }

  private void warn(AlertReceiver receiver, Alert alert, String reason) {
    warnings.accept(
        OneLine.of(
            "alert '%s' was not delivered to %s: %s".formatted(alert.rule(), receiver, reason)));
  }

  /** Returns {@code duration} as text. */
  static String seconds(Duration duration) {
    return duration.toMillis() / 1000.0 + " s";
  }

  /** Waits for the deliveries in progress. */
  @Override
  public void close() {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(limit.plus(END).toMillis(), TimeUnit.MILLISECONDS)) {
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
