package roll.strategy.hf_infer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.Sampling;
import roll.api.strategy.Scores;
import roll.api.strategy.WeightsHandle;
import roll.torch.model.Parameters;
import roll.torch.model.WeightSource;

/** Weights that no device has as they are. */
final class WeightSourceTest {
  private static final String QWEN3 =
      """
      {"model_type": "qwen3", "hidden_size": 24, "num_attention_heads": 4, "head_dim": 6,
       "num_key_value_heads": 2, "rope_theta": 1000.0, "tie_word_embeddings": false}
      """;

  /** Weights in Java's memory. */
  private record Gathered(DecoderSpec spec, List<float[]> numbers, long version)
      implements WeightSource {
    @Override
    public void read(int index, long first, MemorySegment target) {
      MemorySegment all = MemorySegment.ofArray(numbers.get(index));
      MemorySegment.copy(all, Float.BYTES * first, target, 0, target.byteSize());
    }
  }

  @ParameterizedTest
  @EnumSource(Dtype.class)
  void areUsedAsIfTheyWereShared(Dtype dtype, @TempDir Path folder) throws IOException {
    try (RandomModel model = new RandomModel(folder, QWEN3)) {
      Parameters weights =
          model.device.call(
              () -> Parameters.random(model.device, model.models.folder(folder).spec(), 6));
      weights.version(3);
      List<float[]> numbers = new ArrayList<>();
      for (int i = 0; i < weights.tensors().size(); i++) {
        numbers.add(weights.memory(i).toArray(ValueLayout.JAVA_FLOAT));
      }
      model.device.call(
          () -> {
            if (dtype == Dtype.BF16) {
              weights.narrow(model.device);
            }
            return 0;
          });
      try (InferSession shared = Sessions.session(model, dtype);
          InferSession copied = Sessions.session(model, dtype)) {
        shared.update(weights).join();
        copied.update(new Gathered(weights.spec(), numbers, 3)).join();
        Generation expected = generate(shared);
        Generation found = generate(copied);
        assertArrayEquals(expected.tokens(), found.tokens());
        assertArrayEquals(expected.logProbs(), found.logProbs(), 0);
        assertArrayEquals(expected.weightVersions(), found.weightVersions());
        Scores scores = Sessions.score(shared);
        assertArrayEquals(scores.logProbs(), Sessions.score(copied).logProbs(), 0);
        WeightsHandle foreign = () -> 5;
        String refused =
            assertThrows(CompletionException.class, copied.update(foreign)::join)
                .getCause()
                .getMessage();
        assertEquals("weights of another compute layer: " + foreign, refused);
      }
      model.device.call(
          () -> {
            weights.close();
            return 0;
          });
    }
  }

  private static Generation generate(InferSession session) {
    return session
        .generate(
            List.of(new GenerationRequest(new int[] {3, 1, 4}, Sampling.of(30), List.of(), 1)))
        .join()
        .getFirst();
  }
}
