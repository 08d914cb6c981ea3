package roll.strategy.vllm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.data.RandomStreams;
import roll.strategy.vllm.config.EngineSettings;
import roll.strategy.vllm.config.WeightFormat;
import roll.strategy.vllm.speculation.NgramProposer;

/**
 * Scheduler, pool, prefix tree and packing together, over a model of hashes: whatever the block
 * size, the pool, the budget, the chunks, the preemptions, the aborts, the changes of weights, the
 * passes of a step and the proposed tokens, every token that is drawn is the one that follows the
 * whole text.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SimulationTest {
  /** Most passes of a step. */
  private static final int AHEAD = 8;

  private static final List<Integer> STOPS = List.of(4);

  @AutoClose private final Tiny tiny = new Tiny();
  private double preemptions;
  private long shared;
  private double hits;
  private long repeated;
  private long accepted;
  private long rejected;

  @Test
  void whatIsDrawnFollowsTheWholeText() {
    int[] sizes = {1, 2, 3, 5, 16};
    for (int trial = 0; trial < 150; trial++) {
      simulate(sizes[trial % sizes.length], RandomStreams.of(5, "simulation", trial));
    }
    assertTrue(preemptions > 100, "there were no preemptions");
    assertTrue(hits > 10, "nothing was found");
    assertTrue(shared > 1000, "no prefix was shared");
    assertTrue(repeated > 1000, "no step made several passes");
    assertTrue(accepted > 50, "no proposed token was accepted");
    assertTrue(rejected > 200, "no proposed token was rejected");
  }

  private void simulate(int blockSize, RandomGenerator random) {
    int budget = 1 + random.nextInt(40);
    int most = 4 + random.nextInt(60);
    int blocks = Math.ceilDiv(most, blockSize) + random.nextInt(8);
    EngineSettings settings =
        new EngineSettings(
            blockSize,
            blocks,
            budget,
            1 + random.nextInt(Math.min(budget, 12)),
            most,
            random.nextInt(4) > 0,
            Dtype.FP32,
            false,
            1,
            WeightFormat.PLAIN,
            true,
            null,
            EngineSettings.WeightUpdate.RECOMPUTE);
    BlockPool pool = new BlockPool(blocks, blockSize, settings.prefixCaching());
    Scheduler scheduler = new Scheduler(settings, pool);
    HashModel model = new HashModel(blockSize);
    DecodeRows rows = new DecodeRows(4, AHEAD, new SharedPrefixes(blockSize, 1));
    EngineMetrics statistics = new EngineMetrics();
    List<int[]> texts = new ArrayList<>(List.of(new int[] {1}));
    int coming = 40;
    model.use(0, random);
    for (int step = 0; coming > 0 || !scheduler.isEmpty(); step++) {
      while (coming > 0 && (scheduler.isEmpty() || random.nextInt(3) == 0)) {
        coming -= come(scheduler, texts, most, random);
      }
      if (random.nextInt(30) == 0) {
        int chosen = random.nextInt(3);
        scheduler.remove(sequence -> sequence.arrival() % 3 == chosen);
      }
      if (random.nextInt(40) == 0) {
        scheduler.forget();
        rows.clear();
        model.use(step, random);
      }
      if (!scheduler.isEmpty()) {
        step(settings, scheduler, rows, model, statistics, texts, random);
      }
      assertTrue(step < 20_000, "it does not end");
    }
    assertEquals(blocks, pool.free());
    shared += model.shared;
    preemptions += statistics.metrics().getOrDefault("vllm/num_preemptions_max", 0.0);
    hits += statistics.metrics().getOrDefault("vllm/prefix_cache_hit_rate", 0.0);
  }

  /** A few samples of a text that continues one that was there, or of a new one. */
  private int come(Scheduler scheduler, List<int[]> texts, int most, RandomGenerator random) {
    int[] known = texts.get(random.nextInt(texts.size()));
    int kept = random.nextInt(Math.min(known.length, most - 2) + 1);
    int more = random.nextInt(Math.min(6, most - 2 - kept) + 1);
    int[] prompt = Arrays.copyOf(known, Math.max(1, kept + more));
    for (int i = kept; i < prompt.length; i++) {
      prompt[i] = random.nextInt(3);
    }
    int limit = 1 + random.nextInt(Math.min(20, most - prompt.length));
    int samples = 1 + random.nextInt(3);
    for (int i = 0; i < samples; i++) {
      scheduler.add(tiny.sequence(limit, random.nextLong(), STOPS, prompt));
    }
    return samples;
  }

  private void step(
      EngineSettings settings,
      Scheduler scheduler,
      DecodeRows rows,
      HashModel model,
      EngineMetrics statistics,
      List<int[]> texts,
      RandomGenerator random) {
    StepPlan plan = scheduler.plan(statistics, random.nextBoolean());
    assertFalse(plan.isEmpty());
    assertTrue(plan.tokens() <= settings.maxBatchedTokens());
    assertTrue(scheduler.running() <= settings.maxSequences());
    if (random.nextBoolean()) {
      scheduler.speculate(plan, new NgramProposer(1 + random.nextInt(6), 3, 1));
    }
    assertTrue(plan.tokens() <= settings.maxBatchedTokens());
    if (plan.followers().isEmpty() && plan.parts().stream().allMatch(rows::takes)) {
      scheduler.lookAhead(plan, 1 + random.nextInt(AHEAD));
    }
    repeated += plan.passes() - 1;
    StepInput packing =
        new StepInput(
            plan, rows, new AttentionGroups(settings.blockSize(), 1, AttentionGroups.Bounds.DENSE));
    int[][] sampled = model.run(packing);
    Drawn drawn = Drawn.of(packing.drawing(), numbers(sampled));
    int passes = sampled.length == 1 ? drawn.passes() : 1 + random.nextInt(sampled.length);
    for (int row = 0; row < drawn.sequences().size(); row++) {
      EngineRequest sequence = drawn.sequences().get(row);
      int pass = 0;
      while (pass < passes && drawn.has(pass, row) && !sequence.response().finished()) {
        if (pass > 0) {
          scheduler.advance(sequence);
        }
        int token = drawn.token(pass, row);
        assertEquals(model.next(sequence.text(), sequence.response().uniform(0)), token);
        sequence.add(token);
        sequence.response().add(token, 0, 0, 0);
        pass++;
      }
      if (sequence.proposed() > 0) {
        accepted += pass - 1;
        rejected += sequence.proposed() - pass + 1;
        sequence.accept(pass - 1);
      }
      if (sequence.response().finished()) {
        texts.add(sequence.text());
        scheduler.finish(sequence);
      }
    }
    statistics.step(plan, 0, 1, 1);
  }

  /** The same as {@code step.py} returns them, without log-probs. */
  private static double[] numbers(int[][] sampled) {
    return Arrays.stream(sampled)
        .flatMapToDouble(
            row ->
                DoubleStream.concat(
                    Arrays.stream(row).asDoubleStream(),
                    DoubleStream.of(new double[2 * row.length])))
        .toArray();
  }
}
