package roll.core.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import roll.api.config.WorkerConfig;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.Sampling;
import roll.api.strategy.SessionConfig;
import roll.runtime.config.RunConfig;
import roll.testkit.ExampleRunConfigs;
import roll.testkit.InMemoryPluginRegistry;

/** Whether a strategy can do what a reward model is for. */
@NullMarked
class ScoringStrategyTest {
  /** A strategy that generates, and scores by a head if {@code scoresByHead}. */
  private record Strategy(boolean scoresByHead) implements InferStrategy {
    @Override
    public InferSession open(SessionConfig config) {
      throw new UnsupportedOperationException();
    }
  }

  /** A run that asks for log-probs of scaled logits does not get others. */
  @Test
  void aStrategyThatTakesLogitsAsTheyAreIsRefused() {
    RunConfig run = ExampleRunConfigs.small(Path.of("folder"), 1);
    InMemoryPluginRegistry shelf =
        new InMemoryPluginRegistry().with("roll.strategy", "unigram", new Strategy(false));
    WorkerConfig worker = run.roles().actorInfer();
    StrategyChecks checks = new StrategyChecks(shelf);
    assertEquals(List.of(), checks.check(run, "actor_infer", worker));
    WorkerConfig scaled = ExampleRunConfigs.with(worker, worker.model().withTemperature(0.5));
    assertEquals(
        "actor_infer.strategy_args.strategy_name: 'unigram' does not divide logits by a"
            + " temperature, as scale_logits_by_temperature asks; the stock strategies do",
        userError(() -> checks.check(run, "actor_infer", scaled)));
  }

  /** A run that asks for the same bits does not get others. */
  @Test
  void aStrategyThatDependsOnTheBatchIsRefused() {
    RunConfig run = ExampleRunConfigs.small(Path.of("folder"), 1);
    InMemoryPluginRegistry shelf =
        new InMemoryPluginRegistry().with("roll.strategy", "unigram", new Strategy(false));
    WorkerConfig worker = run.roles().actorInfer();
    WorkerConfig same = ExampleRunConfigs.with(worker, worker.model().withBatchInvariant(true));
    assertEquals(
        "actor_infer.strategy_args.strategy_name: 'unigram' is not batch-invariant, as"
            + " batch_invariant asks; vllm, hf_infer and local_train are",
        userError(() -> new StrategyChecks(shelf).check(run, "actor_infer", same)));
  }

  private static List<String> check(RunConfig run, boolean scoresByHead) {
    InMemoryPluginRegistry shelf =
        new InMemoryPluginRegistry().with("roll.strategy", "unigram", new Strategy(scoresByHead));
    String role = "reward_models.rm";
    WorkerConfig worker = Objects.requireNonNull(run.roles().byName().get(role));
    return new StrategyChecks(shelf).check(run, role, worker);
  }

  @Test
  void aStrategyWithoutHeadsIsRefusedForAModelThatScores() {
    RunConfig small = ExampleRunConfigs.small(Path.of("folder"), 1);
    RunConfig scores = ExampleRunConfigs.withRewardModel(small, "rm", null);
    RunConfig writes = ExampleRunConfigs.withRewardModel(small, "rm", Sampling.of(4));
    assertEquals(List.of(), check(scores, true));
    assertEquals(List.of(), check(writes, false));
    assertEquals(
        "reward_models.rm.strategy_args.strategy_name: 'unigram' does not score by a head, as"
            + " model_args.model_type asks; hf_infer does",
        userError(() -> check(scores, false)));
  }
}
