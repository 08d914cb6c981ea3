package roll.core;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import roll.api.config.RunConfig;
import roll.api.config.WorkerConfig;
import roll.api.plugin.Lease;
import roll.api.plugin.Plugins;
import roll.api.strategy.Calls;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Generator;
import roll.api.strategy.InferStrategy;
import roll.api.worker.Task;

/**
 * Who writes the responses of a run: asks actor_infer, and knows what its strategy is like.
 *
 * @param crew has the role
 * @param continuous as {@link InferStrategy#continuous}
 * @param sleeps whether it has something to free between rollouts; one that plays ahead never rests
 */
record Sampler(Crew crew, boolean continuous, boolean sleeps) implements Generator {
  /** Responses of {@code crew}; a strategy that is not there is refused when the role is opened. */
  static Sampler of(Crew crew, RunConfig run, Plugins plugins) {
    WorkerConfig worker = run.actorInfer();
    try (Lease<InferStrategy> lease =
        plugins.lease(InferStrategy.class, "roll.strategy", worker.strategy())) {
      if (lease == null) {
        return new Sampler(crew, false, false);
      }
      InferStrategy strategy = lease.service();
      boolean rests = run.schedule().asyncRatio() == 0;
      return new Sampler(crew, strategy.continuous(worker), rests && strategy.sleeps(worker));
    }
  }

  @Override
  public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
    return Calls.then(
        crew.ask("actor_infer", new Task.Generate(requests)),
        result -> Objects.requireNonNull(result.generations(), "no generations"));
  }
}
