package roll.strategy.megatron;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.io.TempDir;
import roll.collectives.testkit.RankStrategyContract;

/** Sessions on several ranks, without a framework. */
class SessionTest extends RankStrategyContract {
  /** One for all tests, since its devices compile kernels once. */
  @AutoClose private static final Tiny TINY = new Tiny();

  SessionTest(@TempDir Path folder) {
    super(folder, TINY, Tiny.RUNS, MegatronTrainStrategy::new, MegatronScoringStrategy::new);
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
}
