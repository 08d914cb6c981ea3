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
 * A folder that is being served. Its engine's bundle is not kept from being replaced: serving ends
 * when that is asked for.
 */
final class ServedFolder implements AutoCloseable {
  private final String name;
  private final Lease<InferStrategy> lease;
  private final Serving serving;
  private final boolean tls;
  private final CloseStack opening;
  private final Consumer<ServedFolder> whenGone;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final CountDownLatch gone = new CountDownLatch(1);
  private volatile String reason = "it was stopped";

  /**
   * A folder that is served from now on.
   *
   * @param tls whether it is served by TLS
   * @param opening everything below the server, to be closed after it
   * @param whenGone told when it is over
   */
  ServedFolder(
      String name,
      Lease<InferStrategy> lease,
      Serving serving,
      boolean tls,
      CloseStack opening,
      Consumer<ServedFolder> whenGone) {
    this.name = name;
    this.lease = lease;
    this.serving = serving;
    this.tls = tls;
    this.opening = opening;
    this.whenGone = whenGone;
  }

  /** From now on it ends when its engine goes. */
  void watch() {
    Thread.ofVirtual().name("serve").start(new OneShotTask(this::look));
  }

  private void look() {
    try {
      while (!gone.await(200, TimeUnit.MILLISECONDS)) {
        if (lease.outdated()) {
          reason = "its engine goes";
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

  /** What is served and where. */
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

  /** Waits for its end; says why that was. */
  String await() throws InterruptedException {
    gone.await();
    return "serving has ended: " + reason;
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
