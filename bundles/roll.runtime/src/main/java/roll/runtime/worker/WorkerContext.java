package roll.runtime.worker;

import java.util.Map;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.config.WorkerConfig;
import roll.api.model.Tokenizer;
import roll.api.option.Options;
import roll.api.strategy.Generator;
import roll.api.strategy.InferSession;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TrainSession;
import roll.api.strategy.ValueSession;
import roll.runtime.config.RunConfig;
import roll.runtime.pipeline.RewardModel;
import roll.runtime.pipeline.Rollouts;

/** What the core gives a worker. */
@ProviderType
public interface WorkerContext {
  /** The whole configuration. */
  RunConfig run();

  /**
   * The role's own part of it; for the environment role and those of one's own that of actor_infer.
   */
  WorkerConfig worker();

  /** {@code worker_config} of a role of one's own, checked; no options for any other. */
  Options options();

  /** Opens a session on the training strategy the role's configuration names. */
  TrainSession openTraining(SessionConfig config);

  /** Opens a session with a value model on the training strategy the configuration names. */
  ValueSession openValues(SessionConfig config);

  /** Opens a session on the inference strategy the role's configuration names. */
  InferSession openInference(SessionConfig config);

  /** The tokenizer of the role's model; the core closes it. */
  Tokenizer tokenizer();

  /**
   * Who writes the responses: asks the role actor_infer by {@link Task.Generate}, wherever it
   * lives. Only the environment role plays with it.
   */
  Generator policy();

  /** The models that rewards ask, by name. Only the environment role plays with them. */
  Map<String, RewardModel> rewardModels();

  /** The policy loss of the current step with its options; do not keep it over a step. */
  BoundLoss loss();

  /** The service that plays episodes. */
  Rollouts rollouts();
}
