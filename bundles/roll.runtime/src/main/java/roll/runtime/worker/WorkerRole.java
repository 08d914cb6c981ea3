package roll.runtime.worker;

import java.util.concurrent.CompletableFuture;
import org.osgi.annotation.versioning.ConsumerType;

/** A role of the pipeline: which phases it takes part in, and what it does in them. */
@ConsumerType
public interface WorkerRole {
  /** A worker of this role; opens its session on the strategy the configuration names. */
  CompletableFuture<Worker> open(WorkerContext context);
}
