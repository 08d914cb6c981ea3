package roll.runtime.worker;

import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Performs the tasks of one role. Called from any thread. The core waits for one task before it
 * submits the next, except that actor_infer may receive others while it generates responses.
 */
@ConsumerType
public interface Worker extends AutoCloseable {
  /** Performs this role's part of {@code task}. Most workers are made by {@link TaskHandlers}. */
  <R> CompletableFuture<TaskReply<R>> perform(Task<R> task);

  /**
   * Whether this worker performs tasks of {@code type}; by default true. A role whose worker lacks
   * a required type is refused when it is opened. Workers made by {@link TaskHandlers} return
   * whether a handler is registered.
   */
  default boolean performs(Class<?> type) {
    return true;
  }

  @Override
  void close();
}
