package roll.core.rollout;

import java.util.Map;
import java.util.Set;
import roll.api.model.Tokenizer;
import roll.api.strategy.Generator;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RolloutConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.pipeline.PolicyModel;
import roll.runtime.pipeline.RewardModel;
import roll.runtime.pipeline.RolloutEnvs;
import roll.runtime.pipeline.RolloutRequest;

/**
 * A rollout without training that passed every check.
 *
 * @param config it follows from
 * @param purpose {@code train} or {@code val}: which levels are played
 * @param episodes how many
 * @param envs environments and who plays in them
 * @param roles that write: the policy, unless an agent plays, and the models that rewards ask
 * @param template chat format
 * @param tokenizer of the model, or one of bytes
 * @param modelNamed whether there is a model, whose context limits the length of an episode
 */
record PreparedRollout(
    LoadedConfig config,
    String purpose,
    int episodes,
    EnvManagerConfig envs,
    Set<String> roles,
    String template,
    Tokenizer tokenizer,
    boolean modelNamed) {
  private static final int DRAWN_EPISODES = 4;

  /** Returns the typed configuration of the rollout. */
  RunConfig run() {
    return config.run();
  }

  /** Returns the request to the rollout service; an agent does not use {@code policy}. */
  RolloutRequest request(Generator policy, Map<String, RewardModel> models) {
    RolloutConfig rollout = run().rollout();
    int longest = modelNamed ? run().sequenceLength() : Integer.MAX_VALUE;
    return new RolloutRequest(
        purpose,
        run().seed(),
        0,
        episodes,
        new RolloutEnvs(envs, rollout.customEnvs(), rollout.monitor(), Set.of()),
        new PolicyModel(
            template, tokenizer, policy, longest, run().roles().actorInfer().chatTemplateKwargs()),
        models,
        DRAWN_EPISODES);
  }
}
