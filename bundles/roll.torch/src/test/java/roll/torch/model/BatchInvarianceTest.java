package roll.torch.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.api.strategy.TokenBatch;
import roll.batching.Cutting;
import roll.batching.PrefixTree;
import roll.testkit.SmallDecoder;
import roll.torch.Device;
import roll.torch.MicroBatch;
import roll.torch.Precision;
import roll.torch.training.ForwardBackward;
import roll.torch.training.ParameterGradients;

/** Batch-invariant log-probs: the same bits whatever else is in the batch, in any layout. */
final class BatchInvarianceTest {
  private static final int VOCABULARY = 144;

  /** Samples that share prefixes, of 2 to 138 tokens, all of which but the first are scored. */
  private static final TokenBatch BATCH = batch();

  private static final DecoderSpec LLAMA =
      SmallDecoder.decoder(VOCABULARY, 96, 264, 2, 4, 2, Set.of(Trait.TIED_HEAD));

  private static final int[] ALL = IntStream.range(0, BATCH.samples()).toArray();

  private static TokenBatch batch() {
    List<int[]> samples =
        IntStream.range(0, 8)
            .mapToObj(
                s ->
                    IntStream.range(0, 2 + (s * s * 17) % 151)
                        .map(t -> t < 70 ? (7 * t) % 139 : (5 * s + 3 * t) % 139)
                        .toArray())
            .toList();
    int[] offsets = new int[samples.size() + 1];
    Arrays.setAll(offsets, i -> samples.stream().limit(i).mapToInt(each -> each.length).sum());
    boolean[] scored = new boolean[offsets[samples.size()]];
    Arrays.fill(scored, true);
    IntStream.of(offsets).filter(i -> i < scored.length).forEach(i -> scored[i] = false);
    return new TokenBatch(offsets, samples.stream().flatMapToInt(IntStream::of).toArray(), scored);
  }

  /** For all tests, since a device compiles kernels once. */
  @AutoClose private static final Device ONE_THREAD = Device.cpu(1);

  @AutoClose private static final Device TWO_THREADS = Device.cpu(2);

  /** The layers of Qwen2 with one key head for seven, of Llama, of Qwen3, and of Gemma. */
  static Stream<Arguments> models() {
    DecoderSpec qwen2 =
        SmallDecoder.decoder(VOCABULARY, 112, 304, 2, 7, 1, Set.of(Trait.QUERY_KEY_VALUE_BIAS));
    DecoderSpec qwen3 =
        SmallDecoder.decoder(VOCABULARY, 64, 176, 2, 2, 2, Set.of(Trait.QUERY_KEY_NORM));
    DecoderSpec gemma =
        SmallDecoder.decoder(VOCABULARY, 64, 176, 2, 2, 1, Set.of(Trait.GELU, Trait.NORM_OFFSET));
    return Stream.of(qwen2, LLAMA, qwen3, gemma)
        .flatMap(spec -> Stream.of(Dtype.values()).map(dtype -> Arguments.of(spec, dtype)));
  }

  private static Precision precision(Dtype dtype, boolean invariant) {
    return new Precision(dtype, false, 1, invariant);
  }

  private static Parameters parameters(Device device, DecoderSpec spec, Dtype dtype) {
    Parameters parameters = Parameters.random(device, spec, 3);
    if (dtype == Dtype.BF16) {
      parameters.narrow(device);
    }
    return parameters;
  }

  /** The log-probs of all tokens, 0 for the first of each sample. */
  private static double[] scored(Device device, DecoderSpec spec, Dtype dtype, Cutting cutting) {
    return device.call(
        () -> {
          try (Parameters parameters = parameters(device, spec, dtype);
              Decoder decoder = new Decoder(device, spec, precision(dtype, true), 512)) {
            return new Scorer(device, decoder, cutting).score(parameters, BATCH).logProbs();
          }
        });
  }

  @ParameterizedTest
  @MethodSource("models")
  void neighborsLayoutAndThreadsChangeNoBit(DecoderSpec spec, Dtype dtype) {
    double[] alone = scored(ONE_THREAD, spec, dtype, new Cutting.Samples(1));
    for (Device device : List.of(ONE_THREAD, TWO_THREADS)) {
      for (Cutting cutting :
          List.of(
              new Cutting.Samples(1),
              new Cutting.Samples(5),
              new Cutting.Tokens(100_000),
              new Cutting.Packed(100_000, 1, false))) {
        assertArrayEquals(alone, scored(device, spec, dtype, cutting), cutting.toString());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("models")
  void trainingComputesTheSame(DecoderSpec spec, Dtype dtype) {
    double[] alone = scored(ONE_THREAD, spec, dtype, new Cutting.Samples(1));
    PrefixTree tree = PrefixTree.of(BATCH, ALL, -1, 1);
    List<MicroBatch> layouts =
        List.of(MicroBatch.of(BATCH, ALL, true), MicroBatch.shared(BATCH, ALL, tree, 1));
    for (MicroBatch layout : layouts) {
      for (boolean checkpointing : new boolean[] {false, true}) {
        assertArrayEquals(alone, trained(spec, dtype, layout, checkpointing));
      }
    }
  }

  /** The gradients of a batch-invariant forward pass are those of any other, but for rounding. */
  @Test
  void gradientsDifferByRounding() {
    float[][] expected = gradients(false);
    float[][] found = gradients(true);
    assertEquals(expected.length, found.length);
    for (int p = 0; p < expected.length; p++) {
      double squares = 0;
      double apart = 0;
      for (int i = 0; i < expected[p].length; i++) {
        squares += expected[p][i] * expected[p][i];
        apart += Math.pow(expected[p][i] - found[p][i], 2);
      }
      assertEquals(0, Math.sqrt(apart), 1e-4 * Math.sqrt(squares), "parameter " + p);
    }
  }

  private interface Use<T> {
    T of(ForwardBackward passes, ParameterGradients gradients);
  }

  /** Uses the training passes of a model, on two threads. */
  private static <T> T training(
      DecoderSpec spec, Precision precision, boolean checkpointing, Use<T> use) {
    Device device = TWO_THREADS;
    return device.call(
        () -> {
          try (Parameters parameters = parameters(device, spec, precision.dtype());
              Decoder decoder = new Decoder(device, spec, precision, 512);
              ParameterGradients gradients = new ParameterGradients(device, parameters);
              ForwardBackward passes =
                  new ForwardBackward(
                      device, decoder, Head.of(decoder), parameters, gradients, checkpointing)) {
            return use.of(passes, gradients);
          }
        });
  }

  /** Log-probs of a training forward pass. */
  private static double[] trained(
      DecoderSpec spec, Dtype dtype, MicroBatch layout, boolean checkpointing) {
    return training(
        spec,
        precision(dtype, true),
        checkpointing,
        (passes, gradients) -> passes.forward(BATCH, layout, 0)[0]);
  }

  /** The gradients of the sum of all log-probs of Llama, and of their entropies. */
  private static float[][] gradients(boolean invariant) {
    return training(
        LLAMA,
        precision(Dtype.FP32, invariant),
        true,
        (passes, gradients) -> {
          int count = passes.forward(BATCH, MicroBatch.of(BATCH, ALL, true), 0)[0].length;
          double[] ones = new double[count];
          Arrays.fill(ones, 1);
          passes.backward(new double[][] {ones, ones});
          return gradients.tensors().stream().map(t -> t.toFloatArray()).toArray(float[][]::new);
        });
  }

  @Test
  void expertsAreRefused() {
    DecoderSpec experts =
        SmallDecoder.decoder(11, 16, 24, 2, 4, 2, Set.of()).of(new DecoderSpec.Experts(4, 2, true));
    assertEquals(
        "batch_invariant: expected false, found 'true': only for models without experts, vision"
            + " and adapters, on CPU cores",
        userError(
            () ->
                ONE_THREAD.call(
                    () -> Decoder.sources(ONE_THREAD, experts, precision(Dtype.FP32, true)))));
  }
}
