package roll.runtime.worker;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.option.Option;

/** A role of the pipeline: which phases it takes part in, and what it does in them. */
@ConsumerType
public interface WorkerRole {
  /**
   * The options that a role of one's own may be given as {@code worker_config}; none by default.
   */
  default List<Option<?>> options() {
    return List.of();
  }

  /** A worker of this role; opens its session on the strategy the configuration names. */
  CompletableFuture<Worker> open(WorkerContext context);
}
