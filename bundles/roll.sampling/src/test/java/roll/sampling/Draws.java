package roll.sampling;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import roll.api.model.VisionSpec;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;
import roll.torch.Device;
import roll.torch.Kernels;

/** The sampling kernel by itself, on given logits. */
final class Draws implements AutoCloseable {
  private final Device device = new Device(() -> Engine.getEngine("PyTorch"), 1);
  private final Kernels kernels;

  /** Creates the sampler of a model without vision. */
  Draws() {
    this(null);
  }

  /** Creates the sampler of a model with {@code vision}. */
  Draws(@Nullable VisionSpec vision) {
    Map<String, Object> constants = new HashMap<>(SampleKernels.constants());
    constants.put("IMAGE", vision == null ? -1 : vision.imageToken());
    constants.put("VIDEO", vision == null ? -1 : vision.videoToken());
    kernels = device.call(() -> Kernels.compile(device, constants, SampleKernels.sources()));
  }

  /**
   * A row from which a token is sampled.
   *
   * @param logits of the vocabulary
   * @param sampling parameters
   * @param prompt tokens for the repetition penalty
   * @param stops stop tokens, for the minimum length
   * @param choices allowed tokens; empty for all
   */
  record Row(float[] logits, Sampling sampling, int[] prompt, int[] stops, int[] choices) {
    Row(float[] logits, Sampling sampling) {
      this(logits, sampling, new int[] {0}, new int[0], new int[0]);
    }

    private ResponseState response() {
      List<Integer> stopTokens = Arrays.stream(stops).boxed().toList();
      List<int[]> sequences = Arrays.stream(choices).mapToObj(c -> new int[] {c}).toList();
      @Nullable ChoiceTrie tree = sequences.isEmpty() ? null : ChoiceTrie.of(sequences);
      GenerationRequest request = new GenerationRequest(prompt, sampling, stopTokens, 1);
      return new ResponseState(request, null, sampling.maxNewTokens(), tree, null, null);
    }
  }

  /**
   * The sampled tokens.
   *
   * @param token of each row
   * @param logProb of each token in the sampling distribution
   */
  record Drawn(long[] token, float[] logProb) {}

  /** One token of each row, by the random number of each. */
  Drawn draw(List<Row> rows, double[] uniforms) {
    return device.call(
        () -> {
          try (NDManager owner = device.newManager()) {
            NDList settings = settings(owner, rows);
            NDArray logits = logits(owner, rows);
            NDList drawn =
                kernels.call(
                    owner,
                    "sample",
                    logits,
                    owner.create(uniforms),
                    seen(owner, settings, logits),
                    settings,
                    0);
            return new Drawn(drawn.get(0).toLongArray(), drawn.get(1).toFloatArray());
          }
        });
  }

  /** The logits of the only row before any temperature. */
  float[] processed(Row row) {
    return device.call(
        () -> {
          try (NDManager owner = device.newManager()) {
            NDList settings = settings(owner, List.of(row));
            NDArray logits = logits(owner, List.of(row));
            NDArray seen = seen(owner, settings, logits);
            return kernels
                .call(owner, "process", logits, seen, settings, 0)
                .singletonOrThrow()
                .toFloatArray();
          }
        });
  }

  /** The token that a card draws of {@code probabilities} for each of {@code uniforms}. */
  long[] exactChoices(float[] probabilities, double[] uniforms) {
    return device.call(
        () -> {
          try (NDManager owner = device.newManager()) {
            NDArray row = owner.create(probabilities, new Shape(1, probabilities.length));
            NDArray rows = row.repeat(0, uniforms.length);
            return kernels
                .call(owner, "exact_choice", rows, owner.create(uniforms))
                .singletonOrThrow()
                .toLongArray();
          }
        });
  }

  /** The settings that are not empty. */
  List<SamplerInput> given(List<Row> rows) {
    return device.call(
        () -> {
          try (NDManager owner = device.newManager()) {
            NDList settings = settings(owner, rows);
            SamplerInput[] all = SamplerInput.values();
            return IntStream.range(0, all.length)
                .filter(i -> settings.get(i).size() > 0)
                .mapToObj(i -> all[i])
                .toList();
          }
        });
  }

  private static NDList settings(NDManager owner, List<Row> rows) {
    return SamplingTensors.of(owner, rows.stream().map(Row::response).toList());
  }

  private NDArray seen(NDManager owner, NDList settings, NDArray logits) {
    return kernels
        .call(owner, "seen_tokens", settings, logits.getShape().get(1))
        .singletonOrThrow();
  }

  private static NDArray logits(NDManager owner, List<Row> rows) {
    int size = rows.getFirst().logits().length;
    float[] all = new float[rows.size() * size];
    for (int i = 0; i < rows.size(); i++) {
      System.arraycopy(rows.get(i).logits(), 0, all, i * size, size);
    }
    return owner.create(all, new Shape(rows.size(), size));
  }

  @Override
  public void close() {
    device.call(
        () -> {
          kernels.close();
          return null;
        });
    device.close();
  }
}
