package roll.runtime.worker;

import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * A role at work. Called from any thread; the core waits for one task before it gives the next, but
 * may give actor_infer others while it writes responses.
 */
@ConsumerType
public interface Worker extends AutoCloseable {
  /** Does this role's part of {@code task}. Most are made by {@link TaskHandlers}. */
  <R> CompletableFuture<TaskReply<R>> perform(Task<R> task);

  /**
   * Whether it answers tasks of {@code type}: a role that lacks one it will be asked is refused
   * when it is opened. True by default, as one that is not made by {@link TaskHandlers} knows by
   * itself.
   */
  default boolean performs(Class<?> type) {
    return true;
  }

  @Override
  void close();
}
