package roll.cluster.transfer;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A version that this node offers. */
public final class Publication {
  private final HeldVersion held;
  private final VersionShelf shelf;

  Publication(HeldVersion held, VersionShelf shelf) {
    this.held = held;
    this.shelf = shelf;
  }

  /** What is offered. */
  public Manifest manifest() {
    return held.manifest();
  }

  /**
   * Takes it back, unless that was done before: nobody begins to pull it any more; those who are
   * pulling it may go on for at most {@code linger}. Publishing a newer version of the channel does
   * the same, with {@link TransferLimits#linger}.
   */
  public void retire(Duration linger) {
    shelf.retire(held, linger);
  }

  /** Completes when its memory is not read any more and may be changed. */
  public CompletableFuture<Void> released() {
    return held.released().copy();
  }
}
