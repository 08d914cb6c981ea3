package roll.core.role;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import roll.api.config.WorkerConfig;
import roll.api.model.Tokenizer;
import roll.api.strategy.AsyncCalls;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Generator;
import roll.api.strategy.Sampling;
import roll.core.Roles;
import roll.runtime.config.ModelRoles;
import roll.runtime.config.RewardModelConfig;
import roll.runtime.pipeline.RewardModel;
import roll.runtime.worker.Task;
import roll.runtime.worker.TaskReply;

/** A generator that has a role generate, wherever that runs. */
record RoleGenerator(WorkerGroup workers, String role) implements Generator {
  /** Returns the generating reward models by name. */
  static Map<String, RewardModel> models(
      WorkerGroup workers, ModelRoles roles, Function<WorkerConfig, Tokenizer> tokenizers) {
    Map<String, RewardModel> models = new LinkedHashMap<>();
    roles
        .rewardModels()
        .forEach(
            (name, model) ->
                models.put(name, model(workers, name, model, tokenizers.apply(model.worker()))));
    return models;
  }

  private static RewardModel model(
      WorkerGroup workers, String name, RewardModelConfig config, Tokenizer tokenizer) {
    String template = config.worker().template();
    String role = Roles.rewardModel(name);
    Sampling sampling = config.sampling();
    RewardModel model =
        sampling == null
            ? RewardModel.scoring(
                template, tokenizer, new RoleScorer(workers, role), config.sequenceLength())
            : new RewardModel(
                template,
                tokenizer,
                new RoleGenerator(workers, role),
                sampling,
                config.sequenceLength());
    return model.withChatTemplateKwargs(config.worker().chatTemplateKwargs());
  }

  @Override
  public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
    return AsyncCalls.then(workers.ask(role, new Task.Generate(requests)), TaskReply::value);
  }
}
