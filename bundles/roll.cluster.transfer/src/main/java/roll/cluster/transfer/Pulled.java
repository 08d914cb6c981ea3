package roll.cluster.transfer;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A version that was pulled, and is served to others, if its sink can be read, until it is retired.
 * Closing it retires it at once and waits until its memory is not read any more.
 */
public final class Pulled implements AutoCloseable {
  private final Manifest manifest;
  private final PullReport report;
  private final VersionShelf shelf;
  private final @Nullable HeldVersion held;

  Pulled(Manifest manifest, PullReport report, VersionShelf shelf, @Nullable HeldVersion held) {
    this.manifest = manifest;
    this.report = report;
    this.shelf = shelf;
    this.held = held;
  }

  /** What was pulled. */
  public Manifest manifest() {
    return manifest;
  }

  /** How it went. */
  public PullReport report() {
    return report;
  }

  /** Serves it no more, from now on: whoever is pulling it from here asks elsewhere. */
  public void retire() {
    if (held != null) {
      shelf.retire(held, Duration.ZERO);
    }
  }

  /** Completes when the memory of the sink is not read any more and may be changed. */
  public CompletableFuture<Void> released() {
    return held == null ? CompletableFuture.completedFuture(null) : held.released().copy();
  }

  @Override
  public void close() {
    retire();
    released().join();
  }
}
