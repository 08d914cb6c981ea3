package roll.shell.serve;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import roll.api.plugin.Lease;
import roll.api.plugin.OneShotTask;
import roll.api.strategy.InferStrategy;
import roll.runtime.serving.Serving;
import roll.shell.http.CloseStack;

/**
 * A running server of a model folder. It does not block the replacement of its strategy's bundle:
 * it stops when the bundle is to be replaced.
 */
final class RunningServer implements AutoCloseable {
  private final String name;
  private final Lease<InferStrategy> lease;
  private final Serving serving;
  private final boolean tls;
  private final CloseStack opening;
  private final Consumer<RunningServer> whenGone;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final CountDownLatch gone = new CountDownLatch(1);
  private volatile String reason = "on request";

  /**
   * A server that is running.
   *
   * @param tls whether it uses TLS
   * @param opening resources to close after the server
   * @param whenGone called when it has stopped
   */
  RunningServer(
      String name,
      Lease<InferStrategy> lease,
      Serving serving,
      boolean tls,
      CloseStack opening,
      Consumer<RunningServer> whenGone) {
    this.name = name;
    this.lease = lease;
    this.serving = serving;
    this.tls = tls;
    this.opening = opening;
    this.whenGone = whenGone;
  }

  /** Starts to watch whether the strategy is replaced. */
  void watch() {
    Thread.ofVirtual().name("serve").start(new OneShotTask(this::look));
  }

  private void look() {
    try {
      while (!gone.await(200, TimeUnit.MILLISECONDS)) {
        if (lease.outdated()) {
          reason = "its strategy is being replaced";
          close();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  int port() {
    return serving.address().getPort();
  }

  /** Returns a line with the server's model name and URL. */
  String line() {
    InetSocketAddress address = serving.address();
    InetAddress host = address.getAddress();
    String shown = host.getHostAddress();
    return "%s at %s://%s:%d/v1"
        .formatted(
            name,
            tls ? "https" : "http",
            shown.contains(":") ? "[" + shown + "]" : shown,
            address.getPort());
  }

  /** Waits until it has stopped; returns the reason. */
  String await() throws InterruptedException {
    gone.await();
    return "server stopped: " + reason;
  }

  @Override
  public void close() {
    if (!closed.getAndSet(true)) {
      try {
        serving.close();
      } finally {
        opening.close();
        whenGone.accept(this);
        gone.countDown();
      }
    }
  }
}
