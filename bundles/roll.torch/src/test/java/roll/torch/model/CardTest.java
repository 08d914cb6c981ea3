package roll.torch.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.memory.MemoryKind;
import roll.api.memory.SessionMemory;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.api.strategy.Scores;
import roll.batching.Cutting;
import roll.decoder.DecoderParameters;
import roll.testkit.SmallDecoder;
import roll.torch.Cards;
import roll.torch.Device;
import roll.torch.Precision;
import roll.torch.training.AdamW;
import roll.torch.training.GradientAccumulator;
import roll.torch.training.Optimizer;

/** A card computes what the CPU does. All but the last test are skipped where there is none. */
final class CardTest {
  private static final DecoderSpec SPEC =
      SmallDecoder.decoder(
          11, 64, 96, 2, 8, 4, EnumSet.of(Trait.QUERY_KEY_VALUE_BIAS, Trait.TIED_HEAD));
  private static final AdamW.Settings SETTINGS = new AdamW.Settings(0.9, 0.999, 1e-8, 0.01, 1);

  private static Parameters random(Device device, Dtype dtype) {
    Parameters parameters = Parameters.random(device, SPEC, 3);
    if (dtype == Dtype.BF16) {
      parameters.narrow(device);
    }
    return parameters;
  }

  private static Scores scores(Device device, Dtype dtype) {
    return device.call(
        () -> {
          try (Parameters parameters = random(device, dtype);
              Decoder decoder = new Decoder(device, SPEC, Precision.of(dtype), 16)) {
            return new Scorer(device, decoder, new Cutting.Packed(100, 1, false))
                .score(parameters, SmallDecoder.batch());
          }
        });
  }

  @ParameterizedTest
  @CsvSource({"FP32, 1e-4", "BF16, 2e-2"})
  void itScoresAsTheCpuDoes(Dtype dtype, double most) {
    try (Device card = Cards.first();
        Device cpu = Device.cpu(1)) {
      Scores expected = scores(cpu, dtype);
      Scores found = scores(card, dtype);
      assertArrayEquals(expected.logProbs(), found.logProbs(), most);
      assertArrayEquals(expected.entropies(), found.entropies(), most);
    }
  }

  /** Weights after one step. */
  private static List<float[]> trained(Device device) {
    return device.call(
        () -> {
          try (Parameters parameters = random(device, Dtype.FP32);
              GradientAccumulator sum =
                  new GradientAccumulator(
                      device, parameters, Precision.of(Dtype.FP32), 8, true, 1);
              Optimizer optimizer = new Optimizer(device, parameters.trained(), SETTINGS)) {
            sum.run(SmallDecoder.batch(), new Cutting.Samples(2), (samples, columns) -> columns, 1);
            optimizer.step(sum.gradients().tensors(), 1e-2);
            return floats(parameters);
          }
        });
  }

  private static List<float[]> floats(Parameters parameters) {
    List<float[]> all = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      List<DecoderSpec.Parameter> every = DecoderParameters.of(SPEC);
      for (int i = 0; i < every.size(); i++) {
        MemorySegment numbers = arena.allocate(ValueLayout.JAVA_FLOAT, every.get(i).size());
        parameters.read(i, 0, numbers);
        all.add(numbers.toArray(ValueLayout.JAVA_FLOAT));
      }
    }
    return all;
  }

  @Test
  void aStepChangesWeightsAsOnTheCpu() {
    try (Device card = Cards.first();
        Device cpu = Device.cpu(1)) {
      List<float[]> expected = trained(cpu);
      List<float[]> found = trained(card);
      IntStream.range(0, expected.size())
          .forEach(i -> assertArrayEquals(expected.get(i), found.get(i), 1e-3f));
    }
  }

  @Test
  void whatIsInUseOfItIsMeasured() {
    try (Device card = Cards.first()) {
      card.call(
          () -> {
            try (Parameters parameters = random(card, Dtype.FP32)) {
              SessionMemory held =
                  card.observed(List.of(SessionMemory.each(List.of(0), Map.of()).getFirst()))
                      .getFirst();
              assertTrue(held.bytes().get(MemoryKind.RESERVED) > 1 << 20);
              assertEquals("cuda:0", card.name());
              return parameters.version();
            }
          });
    }
  }
}
