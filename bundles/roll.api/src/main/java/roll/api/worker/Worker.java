package roll.api.worker;

import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ConsumerType;

/** A role at work. Called from any thread, one call at a time. */
@ConsumerType
public interface Worker extends AutoCloseable {
  /** Does this role's part of {@code task}. */
  CompletableFuture<WorkResult> perform(Task task);

  @Override
  void close();
}
