package roll.strategy.zero3;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.io.TempDir;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainStrategy;
import roll.testkit.RankFixtures;
import roll.testkit.ShardedStrategyContract;

/** Sessions on several ranks, without a framework. */
class SessionTest extends ShardedStrategyContract {
  @AutoClose private final Tiny tiny = new Tiny();

  SessionTest(@TempDir Path folder) {
    super(folder);
  }

  @Override
  protected TrainStrategy training() {
    return tiny.strategy();
  }

  @Override
  protected InferStrategy inference() {
    return tiny.frozen();
  }

  @Override
  protected RankFixtures runs() {
    return Tiny.RUNS;
  }

  @Override
  protected int devices() {
    return 2;
  }

  /** Stage 3, at which little stays on every rank, and moments and shares in files. */
  @Override
  protected Map<String, Object> options() {
    return Map.of(
        "zero_optimization",
        Map.of(
            "stage",
            3,
            "stage3_param_persistence_threshold",
            200,
            "offload_optimizer",
            Map.of("device", "cpu"),
            "offload_param",
            Map.of("device", "cpu")));
  }

  @Override
  protected double[] alone(TokenBatch batch) {
    return tiny.logProbs(batch);
  }
}
