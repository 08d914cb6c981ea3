package roll.tracking.alerts;

import java.io.IOException;
import java.time.Duration;

/** A receiver of alerts. Its text is its name in messages, without secrets. */
sealed interface AlertReceiver permits CommandReceiver, WebhookReceiver {
  /**
   * Delivers {@code alert}.
   *
   * @param limit maximum duration
   * @throws IOException if it was not received
   */
  void deliver(Alert alert, Duration limit) throws IOException, InterruptedException;
}
