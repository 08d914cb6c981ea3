package roll.runtime.worker;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The handlers of a worker by type of task; the compiler checks that each replies with the type
 * that its task requires. A task without a handler fails its future with the task and the role.
 */
public final class TaskHandlers {
  private final String role;
  private final Map<Class<?>, Function<Task<?>, CompletableFuture<?>>> handlers = new HashMap<>();

  /** No handlers yet, for a worker of {@code role}. */
  public TaskHandlers(String role) {
    this.role = role;
  }

  /** Registers {@code handler} for tasks of {@code type}; returns this. */
  public <R, T extends Task<R>> TaskHandlers on(
      Class<T> type, Function<? super T, CompletableFuture<TaskReply<R>>> handler) {
    handlers.put(type, task -> handler.apply(type.cast(task)));
    return this;
  }

  /** Like {@link #on}, for a handler that replies immediately. */
  public <R, T extends Task<R>> TaskHandlers at(
      Class<T> type, Function<? super T, TaskReply<R>> handler) {
    return on(type, task -> CompletableFuture.completedFuture(handler.apply(task)));
  }

  /** Registers {@code saving} for the checkpoint tasks of a trained model; returns this. */
  public TaskHandlers saving(CheckpointTasks saving) {
    return on(Task.Snapshot.class, snapshot -> saving.snapshot())
        .on(Task.Save.class, save -> saving.save(save.folder()))
        .on(Task.Restore.class, restore -> saving.restore(restore.folder()));
  }

  /**
   * Returns the worker that performs the tasks of these handlers; {@code close} releases its
   * resources.
   */
  public Worker worker(Runnable close) {
    return new HandlingWorker(new TaskHandlers(this), close);
  }

  private TaskHandlers(TaskHandlers other) {
    this(other.role);
    handlers.putAll(other.handlers);
  }

  @SuppressWarnings("unchecked") // for each type of task there is what answers it, see on()
  private <R> CompletableFuture<TaskReply<R>> perform(Task<R> task) {
    @Nullable Function<Task<?>, CompletableFuture<?>> handler = handlers.get(task.getClass());
    return handler == null
        ? CompletableFuture.failedFuture(
            new IllegalArgumentException(
                role + " has no part in " + task.getClass().getSimpleName()))
        : (CompletableFuture<TaskReply<R>>) handler.apply(task);
  }

  private record HandlingWorker(TaskHandlers handlers, Runnable closing) implements Worker {
    @Override
    public <R> CompletableFuture<TaskReply<R>> perform(Task<R> task) {
      return handlers.perform(task);
    }

    @Override
    public boolean performs(Class<?> type) {
      return handlers.handlers.containsKey(type);
    }

    @Override
    public void close() {
      closing.run();
    }
  }
}
