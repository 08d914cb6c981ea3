package roll.core.role;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import roll.api.model.Tokenizer;
import roll.api.strategy.Calls;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Generator;
import roll.core.Roles;
import roll.runtime.config.RewardModelConfig;
import roll.runtime.pipeline.RewardModel;
import roll.runtime.worker.Task;
import roll.runtime.worker.TaskReply;

/** A generator that has a role generate, wherever that runs. */
record RoleGenerator(WorkerGroup workers, String role) implements Generator {
  /** The model that rewards ask by {@code name}. */
  static RewardModel model(
      WorkerGroup workers, String name, RewardModelConfig config, Tokenizer tokenizer) {
    return new RewardModel(
        config.worker().template(),
        tokenizer,
        new RoleGenerator(workers, Roles.rewardModel(name)),
        config.sampling(),
        config.sequenceLength());
  }

  @Override
  public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
    return Calls.then(workers.ask(role, new Task.Generate(requests)), TaskReply::value);
  }
}
