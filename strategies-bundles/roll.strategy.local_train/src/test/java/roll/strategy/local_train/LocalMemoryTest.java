package roll.strategy.local_train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.SmallDecoder.SPEC;
import static roll.testkit.SmallDecoder.WEIGHTS;
import static roll.testkit.SmallDecoder.config;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.memory.MemoryKind;
import roll.api.memory.SessionActivity;
import roll.api.model.DecoderSpec;
import roll.api.model.VisionSpec;
import roll.api.strategy.SessionConfig;
import roll.decoder.ActivationEstimate;
import roll.decoder.DecoderParameters;

class LocalMemoryTest {
  private static final List<Integer> ALL =
      IntStream.range(0, DecoderParameters.of(SPEC).size()).boxed().toList();

  @Test
  void aTrainedWeightTakesSixteenBytesOrEighteen() {
    Map<MemoryKind, Long> wide =
        new LocalMemory(SPEC, ALL, 1, false)
            .expected(config("actor_train", Dtype.FP32, 0), SessionActivity.REST);
    assertEquals(4 * WEIGHTS, wide.get(MemoryKind.PARAMETERS));
    assertEquals(4 * WEIGHTS, wide.get(MemoryKind.GRADIENTS));
    assertEquals(8 * WEIGHTS, wide.get(MemoryKind.OPTIMIZER));
    assertEquals(0, wide.get(MemoryKind.ACTIVATIONS));
    Map<MemoryKind, Long> narrow =
        new LocalMemory(SPEC, ALL, 1, false)
            .expected(config("actor_train", Dtype.BF16, 0), SessionActivity.REST);
    assertEquals(2 * WEIGHTS, narrow.get(MemoryKind.PARAMETERS));
    assertEquals(4 * WEIGHTS, narrow.get(MemoryKind.GRADIENTS));
    assertEquals(12 * WEIGHTS, narrow.get(MemoryKind.OPTIMIZER));
  }

  @Test
  void whatIsFrozenNeedsNoMoments() {
    Map<MemoryKind, Long> bytes =
        new LocalMemory(SPEC, List.of(0), 1, false)
            .expected(config("actor_train", Dtype.FP32, 0), SessionActivity.REST);
    assertEquals(4 * WEIGHTS, bytes.get(MemoryKind.PARAMETERS));
    assertEquals(4 * 120, bytes.get(MemoryKind.GRADIENTS));
    assertEquals(8 * 120, bytes.get(MemoryKind.OPTIMIZER));
  }

  @Test
  void everyLaneHasGradientsAndActivations() {
    ActivationEstimate need = new ActivationEstimate(SPEC, Dtype.FP32);
    LocalMemory two = new LocalMemory(SPEC, ALL, 2, false);
    SessionConfig counted = config("actor_train", Dtype.FP32, 0);
    Map<MemoryKind, Long> training = two.expected(counted, SessionActivity.TRAIN);
    assertEquals(2 * 4 * WEIGHTS, training.get(MemoryKind.GRADIENTS));
    assertEquals(2 * need.training(2 * 50, true), training.get(MemoryKind.ACTIVATIONS));
    assertEquals(
        need.scoring(3 * 50),
        two.expected(counted, SessionActivity.SCORE).get(MemoryKind.ACTIVATIONS));
    SessionConfig budgeted = config("actor_train", Dtype.FP32, 70);
    assertEquals(
        2 * need.training(70, true),
        two.expected(budgeted, SessionActivity.TRAIN).get(MemoryKind.ACTIVATIONS));
    assertEquals(
        need.scoring(70),
        two.expected(budgeted, SessionActivity.SCORE).get(MemoryKind.ACTIVATIONS));
  }

  @Test
  void aFrozenTowerKeepsNothing() {
    DecoderSpec seeing = SPEC.seeing(new VisionSpec(9, 8, 2, 8, 1, 10, 3, 2, 2, 2, 8, Set.of(1)));
    SessionConfig config = config("actor_train", Dtype.FP32, 0);
    ActivationEstimate need = new ActivationEstimate(seeing, Dtype.FP32);
    List<Integer> every = IntStream.range(0, DecoderParameters.of(seeing).size()).boxed().toList();
    Map<MemoryKind, Long> whole =
        new LocalMemory(seeing, every, 1, false).expected(config, SessionActivity.TRAIN);
    Map<MemoryKind, Long> frozen =
        new LocalMemory(seeing, ALL, 1, false).expected(config, SessionActivity.TRAIN);
    assertEquals(need.training(2 * 50, true, true), whole.get(MemoryKind.ACTIVATIONS));
    assertEquals(need.training(2 * 50, true, false), frozen.get(MemoryKind.ACTIVATIONS));
    assertEquals(4 * WEIGHTS, frozen.get(MemoryKind.GRADIENTS));
    assertEquals(4 * DecoderParameters.size(seeing), frozen.get(MemoryKind.PARAMETERS));
  }
}
