package roll.strategy.zero3;

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
    super(folder, TINY, Tiny.RUNS, ZeroTrainStrategy::new, ZeroScoringStrategy::new);
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
}
