package roll.strategy.local_train;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.IntStream;
import roll.api.data.RandomStreams;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.ValueLossFunction;

/** Critics of real families, and a loss for them. */
final class ValueModels {
  private ValueModels() {}

  /** A model of the family {@code type} in a folder of {@code folder}. */
  static TinyModel model(Path folder, String type, boolean tied) throws IOException {
    String config =
        """
        {
          "architectures": ["%sForCausalLM"],
          "model_type": "%s",
          "vocab_size": %d,
          "hidden_size": 32,
          "intermediate_size": 48,
          "num_hidden_layers": 2,
          "num_attention_heads": 4,
          "num_key_value_heads": 2,
          "head_dim": 8,
          "max_position_embeddings": 64,
          "initializer_range": 0.05,
          "tie_word_embeddings": %s,
          "my_note": 1.50
        }
        """
            .formatted(name(type), type, TinyModel.VOCABULARY, tied);
    return new TinyModel(folder.resolve("source"), config);
  }

  /** The family {@code type} as architectures name it. */
  static String name(String type) {
    return type.substring(0, 1).toUpperCase(Locale.ROOT) + type.substring(1);
  }

  /** Half the mean squared distance to {@code targets}, and its gradient. */
  static ValueLossFunction distance(TokenBatch batch, double[] targets) {
    int[] cells = scored(batch);
    return (samples, values) -> {
      double[] by = new double[values.length];
      int n = 0;
      for (int sample : samples) {
        for (int t = batch.offsets()[sample]; t < batch.offsets()[sample + 1]; t++) {
          by[n] = batch.scored()[t] ? (values[n] - targets[t]) / cells.length : 0;
          n++;
        }
      }
      return by;
    };
  }

  /** The places of the scored tokens. */
  static int[] scored(TokenBatch batch) {
    return IntStream.range(0, batch.tokens().length).filter(t -> batch.scored()[t]).toArray();
  }

  /** A random number for each token. */
  static double[] targets(TokenBatch batch) {
    var random = RandomStreams.of(1, "targets");
    return random.doubles(batch.tokens().length, -1, 1).toArray();
  }
}
