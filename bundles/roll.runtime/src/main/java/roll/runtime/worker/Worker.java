package roll.runtime.worker;

import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * A role at work. Called from any thread; the core waits for one task before it gives the next, but
 * may give actor_infer others while it writes responses.
 */
@ConsumerType
public interface Worker extends AutoCloseable {
  /** Does this role's part of {@code task}. */
  CompletableFuture<WorkResult> perform(Task task);

  @Override
  void close();
}
