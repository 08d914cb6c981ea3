package roll.runtime.worker;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import roll.api.strategy.Snapshot;
import roll.api.strategy.TrainedModel;

/**
 * How a role that trains a model does {@link Task.Snapshot}, {@link Task.Save} and {@link
 * Task.Restore}. It holds at most one copy of the model's state.
 */
public final class Saving implements AutoCloseable {
  private final TrainedModel model;
  private final AtomicReference<@Nullable Snapshot> held = new AtomicReference<>();

  /** Saves {@code model}, which somebody else closes. */
  public Saving(TrainedModel model) {
    this.model = model;
  }

  /** Copies the model's state as it is now; a copy that nobody wrote is let go before. */
  public CompletableFuture<TaskReply<Done>> snapshot() {
    close();
    return model
        .snapshot()
        .thenApply(
            snapshot -> {
              held.set(snapshot);
              return TaskReply.DONE;
            });
  }

  /** Writes the copy on a thread of its own, or without one the state as it is now. */
  public CompletableFuture<TaskReply<Done>> save(Path folder) {
    Snapshot snapshot = held.getAndSet(null);
    if (snapshot == null) {
      return model.save(folder).thenApply(nothing -> TaskReply.DONE);
    }
    return CompletableFuture.supplyAsync(
        () -> {
          try (snapshot) {
            snapshot.write(folder);
            return TaskReply.DONE;
          } catch (IOException e) {
            throw new CompletionException(e);
          }
        },
        work -> Thread.ofPlatform().name("roll-save-model").start(work));
  }

  /** Continues from what was written. */
  public CompletableFuture<TaskReply<Done>> restore(Path folder) {
    return model.restore(folder).thenApply(nothing -> TaskReply.DONE);
  }

  /** Lets go a copy that was not written. */
  @Override
  public void close() {
    Snapshot snapshot = held.getAndSet(null);
    if (snapshot != null) {
      snapshot.close();
    }
  }
}
