package roll.strategy.megatron;

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
    return 4;
  }

  /** Two stages of two ranks each. */
  @Override
  protected Map<String, Object> options() {
    return Map.of(
        "tensor_model_parallel_size", 2,
        "pipeline_model_parallel_size", 2,
        "sequence_parallel", true);
  }

  @Override
  protected double[] alone(TokenBatch batch) {
    return tiny.logProbs(batch);
  }
}
