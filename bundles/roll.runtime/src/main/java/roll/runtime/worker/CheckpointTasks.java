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
 * Implements {@link Task.Snapshot}, {@link Task.Save} and {@link Task.Restore} for a role that
 * trains a model. Keeps at most one copy of the model's state.
 */
public final class CheckpointTasks implements AutoCloseable {
  private final TrainedModel model;
  private final AtomicReference<@Nullable Snapshot> held = new AtomicReference<>();

  /** Creates tasks for {@code model}, which the caller closes. */
  public CheckpointTasks(TrainedModel model) {
    this.model = model;
  }

  /** Copies the model's current state and drops an earlier copy that was not saved. */
  public CompletableFuture<TaskReply<EmptyResult>> snapshot() {
    close();
    return model
        .snapshot()
        .thenApply(
            snapshot -> {
              held.set(snapshot);
              return TaskReply.DONE;
            });
  }

  /** Writes the copy on a separate thread, or the current state if there is no copy. */
  public CompletableFuture<TaskReply<EmptyResult>> save(Path folder) {
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

  /** Restores the worker's state from the checkpoint {@code folder}. */
  public CompletableFuture<TaskReply<EmptyResult>> restore(Path folder) {
    return model.restore(folder).thenApply(nothing -> TaskReply.DONE);
  }

  /** Drops a copy that was not saved. */
  @Override
  public void close() {
    Snapshot snapshot = held.getAndSet(null);
    if (snapshot != null) {
      snapshot.close();
    }
  }
}
