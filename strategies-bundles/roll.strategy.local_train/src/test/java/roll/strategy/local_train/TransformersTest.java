package roll.strategy.local_train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.Gson;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.config.ModelConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.image.Picture;
import roll.api.strategy.Gradients;
import roll.api.strategy.LossFunction;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
import roll.decoder.DecoderParameters;
import roll.huggingface.Safetensors;

/** Models written, scored and trained for a step by transformers: golden/golden.py. */
final class TransformersTest {
  private static final int IMAGE = 150;

  /**
   * golden.json: log-probs of all tokens but the first of each sample and placeholders, before and
   * after, and the files of pictures by sample.
   */
  record Golden(
      long parameters,
      List<int[]> samples,
      double[] logProbs,
      double gradNorm,
      double[] after,
      @Nullable List<List<String>> pictures) {
    TokenBatch batch(Path folder) throws IOException {
      int[] offsets = new int[samples.size() + 1];
      for (int i = 0; i < samples.size(); i++) {
        offsets[i + 1] = offsets[i] + samples.get(i).length;
      }
      int[] tokens = samples.stream().flatMapToInt(Arrays::stream).toArray();
      boolean[] scored = new boolean[tokens.length];
      for (int t = 0; t < tokens.length; t++) {
        scored[t] = tokens[t] != IMAGE;
      }
      Arrays.stream(offsets).limit(samples.size()).forEach(first -> scored[first] = false);
      List<List<Picture>> shown = new ArrayList<>();
      for (int i = 0; i < samples.size(); i++) {
        shown.add(new ArrayList<>());
        for (String name : pictures == null ? List.<String>of() : pictures.get(i)) {
          shown.get(i).add(Picture.of(Files.readAllBytes(folder.resolve(name))));
        }
      }
      return new TokenBatch(offsets, tokens, scored, shown);
    }
  }

  private static Path golden(String type) throws URISyntaxException {
    return Path.of(
        Objects.requireNonNull(TransformersTest.class.getResource("golden/" + type)).toURI());
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
  @ValueSource(strings = {"gemma", "qwen3_vl", "qwen3_vl_moe", "seed_oss"})
  void logProbsAndAStepAreThoseOfTransformers(String type, @TempDir Path folder) throws Exception {
    Path source = golden(type);
    Golden golden =
        new Gson().fromJson(Files.readString(source.resolve("golden.json")), Golden.class);
    TokenBatch batch = golden.batch(source);
    try (TinyModel model = new TinyModel(folder, Files.readString(source.resolve("config.json")))) {
      for (String name : List.of("model.safetensors", "preprocessor_config.json")) {
        if (Files.exists(source.resolve(name))) {
          Files.copy(source.resolve(name), folder.resolve(name));
        }
      }
      assertEquals(golden.parameters(), DecoderParameters.size(model.spec()));
      try (TrainSession session = model.open(Dtype.FP32, 2)) {
        assertArrayEquals(golden.logProbs(), logProbs(session, batch), 1e-5);
        LossFunction loss = likelihood(golden.logProbs().length);
        double norm = golden.gradNorm();
        assertEquals(norm, session.update(batch, loss).join().gradNorm(), 1e-5 * norm);
        assertArrayEquals(golden.after(), logProbs(session, batch), 1e-4);
        session.save(folder.resolve("saved")).join();
      }
      Path saved = folder.resolve("saved");
      assertEquals(names(source), names(saved));
      ModelConfig again = ModelConfig.of(saved, Dtype.FP32);
      try (TrainSession session = model.strategy().open(model.config(again, 2, Map.of(), 32))) {
        assertArrayEquals(golden.after(), logProbs(session, batch), 1e-4);
      }
    }
  }

  private static Set<String> names(Path folder) {
    try (Safetensors files = Safetensors.open(folder)) {
      return files.tensors().keySet();
    }
  }
}
