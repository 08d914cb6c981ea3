package roll.runtime.worker;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.option.Option;

/** A role of the training pipeline, such as actor_train, provided by a plugin. */
@ConsumerType
public interface WorkerRole {
  /** Returns the options of {@code worker_config} for a custom role; none by default. */
  default List<Option<?>> options() {
    return List.of();
  }

  /** Opens a worker of this role with a session on the strategy that the configuration names. */
  CompletableFuture<Worker> open(WorkerContext context);
}
