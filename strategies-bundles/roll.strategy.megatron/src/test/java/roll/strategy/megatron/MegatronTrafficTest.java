package roll.strategy.megatron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.memory.SessionActivity;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
import roll.collectives.testkit.CountingCollectives;
import roll.parallel.collective.ThreadCollectives;
import roll.testkit.RankFixtures;

/** Compares estimated and actual traffic of ranks. */
class MegatronTrafficTest {
  private static final int RANKS = 4;
  private static final int SAMPLES = 16;

  private static TokenBatch batch() {
    return Tiny.RUNS.full(SAMPLES);
  }

  /** Bytes that a rank sends in {@code activity}. */
  private static double planned(Tiny tiny, SessionConfig config, SessionActivity activity) {
    return RankFixtures.planned(tiny.strategy(), config, tiny.spec(), activity, SAMPLES);
  }

  /** The sums over the columns of the head are left out of plans: here they are a few percent. */
  @ParameterizedTest
  @CsvSource({
    "1, 1, false, none",
    "2, 1, false, full",
    "2, 1, true, full",
    "2, 1, true, selective",
    "2, 1, true, none",
    "1, 2, false, full",
    "2, 2, true, full"
  })
  void asPlanned(int tensor, int pipeline, boolean sequence, String recompute) {
    CountingCollectives counted = new CountingCollectives(new ThreadCollectives(), 1024);
    Map<String, Object> options =
        RankFixtures.options(
            "tensor_model_parallel_size", tensor,
            "pipeline_model_parallel_size", pipeline,
            "sequence_parallel", sequence,
            "recompute_granularity", recompute.equals("none") ? null : recompute);
    SessionConfig config = RankFixtures.config(Tiny.RUNS.worker(RANKS, options));
    try (Tiny tiny = new Tiny();
        TrainSession session = tiny.strategy(counted).open(config)) {
      double unused = counted.sent();
      session.update(batch(), RankFixtures.flat()).join();
      double train = planned(tiny, config, SessionActivity.TRAIN);
      double sent = counted.sent() / RANKS;
      assertTrue(sent <= 1.05 * train && sent >= 0.5 * train, sent + " of " + train);
      if (pipeline == 1) {
        assertEquals(1, sent / train, 0.05);
      }
    }
  }
}
