package roll.strategy.local_train;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import roll.api.config.ModelConfig;
import roll.api.config.TokenBudgets;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.memory.Activity;
import roll.api.memory.StateKind;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Attention;
import roll.api.model.Rope;
import roll.api.model.VisionSpec;
import roll.api.strategy.SessionConfig;
import roll.decoder.ActivationNeed;
import roll.decoder.DecoderParameters;
import roll.testkit.TestOptions;

class LocalMemoryTest {
  /** 4 layers of width 12, two heads of 6 that share keys and values, feed-forward 20, 10 words. */
  private static final DecoderSpec SPEC =
      new DecoderSpec(
          "test",
          10,
          12,
          20,
          4,
          new Attention(2, 1, 6),
          Rope.standard(10_000, 6),
          64,
          1e-6,
          Set.of(),
          0.02);

  private static final long WEIGHTS = 120 + 4 * 1176 + 12 + 120;
  private static final List<Integer> ALL =
      IntStream.range(0, DecoderParameters.of(SPEC).size()).boxed().toList();

  @Test
  void aTrainedWeightTakesSixteenBytesOrEighteen() {
    Map<StateKind, Long> wide =
        new LocalMemory(SPEC, ALL, 1).expected(config("actor_train", Dtype.FP32, 0), Activity.REST);
    assertEquals(4 * WEIGHTS, wide.get(StateKind.PARAMETERS));
    assertEquals(4 * WEIGHTS, wide.get(StateKind.GRADIENTS));
    assertEquals(8 * WEIGHTS, wide.get(StateKind.OPTIMIZER));
    assertEquals(0, wide.get(StateKind.ACTIVATIONS));
    Map<StateKind, Long> narrow =
        new LocalMemory(SPEC, ALL, 1).expected(config("actor_train", Dtype.BF16, 0), Activity.REST);
    assertEquals(2 * WEIGHTS, narrow.get(StateKind.PARAMETERS));
    assertEquals(4 * WEIGHTS, narrow.get(StateKind.GRADIENTS));
    assertEquals(12 * WEIGHTS, narrow.get(StateKind.OPTIMIZER));
  }

  @Test
  void whatIsFrozenNeedsNoMoments() {
    Map<StateKind, Long> bytes =
        new LocalMemory(SPEC, List.of(0), 1)
            .expected(config("actor_train", Dtype.FP32, 0), Activity.REST);
    assertEquals(4 * WEIGHTS, bytes.get(StateKind.PARAMETERS));
    assertEquals(4 * 120, bytes.get(StateKind.GRADIENTS));
    assertEquals(8 * 120, bytes.get(StateKind.OPTIMIZER));
  }

  @Test
  void everyLaneHasGradientsAndActivations() {
    ActivationNeed need = new ActivationNeed(SPEC, Dtype.FP32);
    LocalMemory two = new LocalMemory(SPEC, ALL, 2);
    SessionConfig counted = config("actor_train", Dtype.FP32, 0);
    Map<StateKind, Long> training = two.expected(counted, Activity.TRAIN);
    assertEquals(2 * 4 * WEIGHTS, training.get(StateKind.GRADIENTS));
    assertEquals(2 * need.training(2 * 50, true), training.get(StateKind.ACTIVATIONS));
    assertEquals(
        need.scoring(3 * 50), two.expected(counted, Activity.SCORE).get(StateKind.ACTIVATIONS));
    SessionConfig budgeted = config("actor_train", Dtype.FP32, 70);
    assertEquals(
        2 * need.training(70, true),
        two.expected(budgeted, Activity.TRAIN).get(StateKind.ACTIVATIONS));
    assertEquals(
        need.scoring(70), two.expected(budgeted, Activity.SCORE).get(StateKind.ACTIVATIONS));
  }

  @Test
  void aFrozenTowerKeepsNothing() {
    DecoderSpec seeing = SPEC.seeing(new VisionSpec(9, 8, 2, 8, 1, 10, 3, 2, 2, 2, 8, Set.of(1)));
    SessionConfig config = config("actor_train", Dtype.FP32, 0);
    ActivationNeed need = new ActivationNeed(seeing, Dtype.FP32);
    List<Integer> every = IntStream.range(0, DecoderParameters.of(seeing).size()).boxed().toList();
    Map<StateKind, Long> whole = new LocalMemory(seeing, every, 1).expected(config, Activity.TRAIN);
    Map<StateKind, Long> frozen = new LocalMemory(seeing, ALL, 1).expected(config, Activity.TRAIN);
    assertEquals(need.training(2 * 50, true, true), whole.get(StateKind.ACTIVATIONS));
    assertEquals(need.training(2 * 50, true, false), frozen.get(StateKind.ACTIVATIONS));
    assertEquals(4 * WEIGHTS, frozen.get(StateKind.GRADIENTS));
    assertEquals(4 * DecoderParameters.size(seeing), frozen.get(StateKind.PARAMETERS));
  }

  /** Samples of at most 50 tokens, 3 scored and 2 trained at once. */
  private static SessionConfig config(String role, Dtype dtype, int budget) {
    TrainingConfig training = new TrainingConfig(0, 0, 0.9, 0.999, 2, 4, "constant", 0, 1);
    ModelConfig model = ModelConfig.of(Path.of("model"), dtype);
    WorkerConfig worker =
        new WorkerConfig(
            role,
            model,
            "native",
            "x",
            TestOptions.strategy(role, Map.of()),
            training,
            List.of(),
            3,
            new TokenBudgets(budget, budget));
    return new SessionConfig(worker, 1, 1.0, 50, true, 0);
  }
}
