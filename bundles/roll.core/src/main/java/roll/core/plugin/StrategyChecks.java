package roll.core.plugin;

import java.util.List;
import java.util.function.Function;
import roll.api.config.WorkerConfig;
import roll.api.memory.SessionActivity;
import roll.api.memory.SessionMemory;
import roll.api.model.DecoderSpec;
import roll.api.option.UserException;
import roll.api.plugin.Lease;
import roll.api.plugin.Plugins;
import roll.api.rank.CollectiveVolume;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TrainStrategy;
import roll.core.Roles;
import roll.runtime.config.RunConfig;
import roll.runtime.option.YamlOptions;

/** Checks the strategies of roles before anything is loaded. */
public final class StrategyChecks {
  private final Plugins plugins;

  /** Checks with the strategies among {@code plugins}. */
  public StrategyChecks(Plugins plugins) {
    this.plugins = plugins;
  }

  /**
   * Checks that the strategy of {@code role} is registered and accepts its settings; returns its
   * notices.
   *
   * @throws UserException if it is not or does not, or cannot do what {@code run} asks of it
   */
  public List<String> check(RunConfig run, String role, WorkerConfig worker) {
    boolean scoring = run.roles().scoring(role);
    return Roles.TRAINED.contains(role)
        ? check(TrainStrategy.class, worker, strategy -> notices(strategy, worker))
        : check(InferStrategy.class, worker, strategy -> notices(strategy, worker, scoring));
  }

  private static List<String> notices(TrainStrategy strategy, WorkerConfig worker) {
    divides(strategy.dividesLogits(), worker);
    invariant(strategy.batchInvariant(), worker);
    return strategy.notices(worker);
  }

  /**
   * Refuses a strategy that does not divide logits by the temperature, which would give log-probs
   * of another distribution.
   */
  private static void divides(boolean able, WorkerConfig worker) {
    if (!able && worker.model().temperature() != 1) {
      throw new UserException(
          "%s.strategy_args.strategy_name: '%s' does not divide logits by a temperature, as scale_logits_by_temperature asks; the stock strategies do"
              .formatted(worker.role(), worker.strategy()));
    }
  }

  /** Refuses a strategy whose log-probs depend on the batch where they must not. */
  private static void invariant(boolean able, WorkerConfig worker) {
    if (!able && worker.model().batchInvariant()) {
      throw new UserException(
          "%s.strategy_args.strategy_name: '%s' is not batch-invariant, as batch_invariant asks; vllm, hf_infer and local_train are"
              .formatted(worker.role(), worker.strategy()));
    }
  }

  private static List<String> notices(
      InferStrategy strategy, WorkerConfig worker, boolean scoring) {
    divides(strategy.dividesLogits(), worker);
    invariant(strategy.batchInvariant(), worker);
    if (scoring && !strategy.scoresByHead()) {
      throw new UserException(
          "%s.strategy_args.strategy_name: '%s' does not score by a head, as model_args.model_type asks; hf_infer does"
              .formatted(worker.role(), worker.strategy()));
    }
    partialRollout(strategy, worker);
    return strategy.notices(worker);
  }

  /** Refuses {@code partial_rollout} and its cache, which the run has passed on, by name. */
  private static void partialRollout(InferStrategy strategy, WorkerConfig worker) {
    List<String> declared = YamlOptions.names(strategy.options());
    for (String key : List.of("partial_rollout", "partial_rollout_cache")) {
      if (worker.strategyOptions().values().containsKey(key) && !declared.contains(key)) {
        throw new UserException(
            "%s.strategy_args.strategy_name: '%s' has no %s, since its responses always end before new weights; vllm has"
                .formatted(worker.role(), worker.strategy(), key));
      }
    }
  }

  /**
   * The declared memory of a session of the strategy of {@code role}; empty if not declared.
   *
   * @throws roll.api.option.UserException if there is no such strategy, or its options do not fit
   *     the model
   */
  public List<SessionMemory> expected(
      String role, SessionConfig config, DecoderSpec spec, SessionActivity activity) {
    WorkerConfig worker = config.worker();
    return Roles.TRAINED.contains(role)
        ? check(TrainStrategy.class, worker, s -> s.expected(config, spec, activity))
        : check(InferStrategy.class, worker, s -> s.expected(config, spec, activity));
  }

  /**
   * Returns the communication of the ranks of a session of {@code role}; empty if unknown.
   *
   * @param samples samples per pass
   * @throws roll.api.option.UserException as {@link #expected}
   */
  public List<CollectiveVolume> traffic(
      String role, SessionConfig config, DecoderSpec spec, SessionActivity activity, long samples) {
    WorkerConfig worker = config.worker();
    return Roles.TRAINED.contains(role)
        ? check(TrainStrategy.class, worker, s -> s.traffic(config, spec, activity, samples))
        : activity == SessionActivity.SCORE
            ? check(InferStrategy.class, worker, s -> s.scoringTraffic(config, spec, samples))
            : List.of();
  }

  private <S, T> List<T> check(Class<S> type, WorkerConfig worker, Function<S, List<T>> question) {
    try (Lease<S> lease = PluginRequirement.strategy(worker, type).lease(plugins)) {
      return question.apply(lease.service());
    }
  }
}
