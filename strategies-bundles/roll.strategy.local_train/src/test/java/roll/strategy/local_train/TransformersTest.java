package roll.strategy.local_train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.Gson;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.strategy.Gradients;
import roll.api.strategy.LossFunction;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
import roll.decoder.DecoderParameters;

/** Models written, scored and trained for a step by transformers: golden/golden.py. */
final class TransformersTest {
  /** golden.json: log-probs of all tokens but the first of each sample, before and after. */
  record Golden(
      long parameters, List<int[]> samples, double[] logProbs, double gradNorm, double[] after) {
    TokenBatch batch() {
      int[] offsets = new int[samples.size() + 1];
      for (int i = 0; i < samples.size(); i++) {
        offsets[i + 1] = offsets[i] + samples.get(i).length;
      }
      int[] tokens = samples.stream().flatMapToInt(Arrays::stream).toArray();
      boolean[] scored = new boolean[tokens.length];
      Arrays.fill(scored, true);
      Arrays.stream(offsets).limit(samples.size()).forEach(first -> scored[first] = false);
      return new TokenBatch(offsets, tokens, scored);
    }
  }

  private static Path file(String type, String name) throws URISyntaxException {
    URL found =
        Objects.requireNonNull(TransformersTest.class.getResource("golden/" + type + "/" + name));
    return Path.of(found.toURI());
  }

  /** Minus the mean log-prob of the scored tokens. */
  private static LossFunction likelihood(int count) {
    return (samples, scores) -> {
      double[] byLogProb = new double[scores.logProbs().length];
      Arrays.fill(byLogProb, -1.0 / count);
      return new Gradients(byLogProb, new double[byLogProb.length]);
    };
  }

  private static double[] logProbs(TrainSession session, TokenBatch batch) {
    double[] all = session.score(batch).join().logProbs();
    return IntStream.range(0, all.length)
        .filter(t -> batch.scored()[t])
        .mapToDouble(t -> all[t])
        .toArray();
  }

  @ParameterizedTest
  @ValueSource(strings = {"gemma", "seed_oss"})
  void logProbsAndAStepAreThoseOfTransformers(String type, @TempDir Path folder) throws Exception {
    Golden golden = new Gson().fromJson(Files.readString(file(type, "golden.json")), Golden.class);
    TokenBatch batch = golden.batch();
    try (TinyModel model = new TinyModel(folder, Files.readString(file(type, "config.json")))) {
      Files.copy(file(type, "model.safetensors"), folder.resolve("model.safetensors"));
      assertEquals(golden.parameters(), DecoderParameters.size(model.spec()));
      try (TrainSession session = model.open(Dtype.FP32, 2)) {
        assertArrayEquals(golden.logProbs(), logProbs(session, batch), 1e-5);
        LossFunction loss = likelihood(golden.logProbs().length);
        assertEquals(golden.gradNorm(), session.update(batch, loss).join().gradNorm(), 1e-5);
        assertArrayEquals(golden.after(), logProbs(session, batch), 1e-4);
      }
    }
  }
}
