package roll.runtime.worker;

import java.util.Map;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.config.WorkerConfig;
import roll.api.model.Tokenizer;
import roll.api.option.Options;
import roll.api.scoring.ScoringSession;
import roll.api.strategy.Generator;
import roll.api.strategy.InferSession;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TrainSession;
import roll.api.strategy.ValueSession;
import roll.runtime.config.RunConfig;
import roll.runtime.pipeline.RewardModel;
import roll.runtime.pipeline.Rollouts;
import roll.runtime.trace.Tracer;

/** The services of the core for a worker. */
@ProviderType
public interface WorkerContext {
  /** The whole configuration of the run. */
  RunConfig run();

  /**
   * The role's own section of the configuration; for the environment role and custom roles the
   * section of actor_infer.
   */
  WorkerConfig worker();

  /** Returns the checked {@code worker_config} of a custom role; empty for any other. */
  Options options();

  /** Opens a session on the training strategy the role's configuration names. */
  TrainSession openTraining(SessionConfig config);

  /** Opens a session with a value model on the training strategy the configuration names. */
  ValueSession openValues(SessionConfig config);

  /** Opens a session on the inference strategy the role's configuration names. */
  InferSession openInference(SessionConfig config);

  /**
   * Opens a session with a reward model on the inference strategy the configuration names; in this
   * process always.
   */
  ScoringSession openScoring(SessionConfig config);

  /** Returns the tokenizer of the role's model; the core closes it. */
  Tokenizer tokenizer();

  /** Returns the tokenizer of the policy, which may be {@link #tokenizer}; the core closes it. */
  Tokenizer policyTokenizer();

  /**
   * Generates the responses by sending {@link Task.Generate} to the role actor_infer, wherever it
   * runs. Used by the environment role only.
   */
  Generator policy();

  /** Returns the models used by rewards, by name. Used by the environment role only. */
  Map<String, RewardModel> rewardModels();

  /** The policy loss of the current step with its options; do not keep it beyond the step. */
  BoundLoss loss();

  /** Adds a line for the users who watch the run; may be called on any thread. */
  void notice(String line);

  /** Returns the service that plays episodes. */
  Rollouts rollouts();

  /** Returns the tracer of the run. */
  default Tracer tracer() {
    return Tracer.NONE;
  }
}
