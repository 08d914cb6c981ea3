package roll.core;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import roll.api.model.Tokenizer;
import roll.api.strategy.Calls;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Generator;
import roll.runtime.config.RewardModelConfig;
import roll.runtime.pipeline.RewardModel;
import roll.runtime.worker.Task;

/** Who writes by asking a role for it, wherever that lives. */
record Asked(Crew crew, String role) implements Generator {
  /** The model that rewards ask by {@code name}. */
  static RewardModel model(Crew crew, String name, RewardModelConfig config, Tokenizer tokenizer) {
    return new RewardModel(
        config.worker().template(),
        tokenizer,
        new Asked(crew, Roles.rewardModel(name)),
        config.sampling(),
        config.sequenceLength());
  }

  @Override
  public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
    return Calls.then(
        crew.ask(role, new Task.Generate(requests)),
        result -> Objects.requireNonNull(result.generations(), "no generations"));
  }
}
