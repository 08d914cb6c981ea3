package roll.core.role;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import roll.api.config.WorkerConfig;
import roll.api.plugin.Lease;
import roll.api.plugin.Plugins;
import roll.api.strategy.AsyncCalls;
import roll.api.strategy.EngineLoad;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Generator;
import roll.api.strategy.InferStrategy;
import roll.core.Roles;
import roll.runtime.config.RunConfig;
import roll.runtime.worker.Task;
import roll.runtime.worker.TaskReply;

/** Generates the responses of a run with the role actor_infer. */
final class PolicyGenerator implements Generator {
  private final WorkerGroup workers;
  private volatile boolean continuous;
  private volatile boolean sleeps;

  /** The generator of {@code workers}, whose strategy is not known yet. */
  PolicyGenerator(WorkerGroup workers) {
    this.workers = workers;
  }

  /**
   * Queries the capabilities of the strategy of {@code run}; a missing strategy is refused when its
   * role is opened.
   */
  void learn(RunConfig run, Plugins plugins) {
    WorkerConfig worker = run.roles().actorInfer();
    try (Lease<InferStrategy> lease =
        plugins.lease(InferStrategy.class, "roll.strategy", worker.strategy())) {
      boolean rests = run.schedule().asyncRatio() == 0;
      continuous = lease != null && lease.service().continuous(worker, run.repeats());
      sleeps = lease != null && rests && lease.service().sleeps(worker);
    }
  }

  /**
   * Whether the strategy batches continuously, like {@link InferStrategy#continuous(WorkerConfig,
   * boolean)}.
   */
  @Override
  public boolean continuous() {
    return continuous;
  }

  /**
   * Whether the generator has something to free between rollouts; one that plays ahead never rests.
   */
  boolean sleeps() {
    return sleeps;
  }

  @Override
  public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
    return AsyncCalls.then(
        workers.ask(Roles.ACTOR_INFER, new Task.Generate(requests)), TaskReply::value);
  }

  @Override
  public CompletableFuture<EngineLoad> load() {
    return AsyncCalls.then(workers.ask(Roles.ACTOR_INFER, new Task.Load()), TaskReply::value);
  }
}
