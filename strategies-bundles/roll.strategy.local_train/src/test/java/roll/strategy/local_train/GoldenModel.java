package roll.strategy.local_train;

import com.google.gson.Gson;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import roll.api.image.Picture;
import roll.api.strategy.Gradients;
import roll.api.strategy.LossFunction;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
import roll.huggingface.Safetensors;

/** A copy of a model that transformers has written, with its samples: golden/golden.py. */
final class GoldenModel implements AutoCloseable {
  private static final int IMAGE = 150;

  final Path source;
  final Golden golden;
  final TinyModel model;
  final TokenBatch batch;

  /**
   * golden.json: log-probs of all tokens but the first of each sample and placeholders, before and
   * after a step, and the files of pictures by sample.
   */
  record Golden(
      long parameters,
      List<int[]> samples,
      double[] logProbs,
      double gradNorm,
      double[] after,
      @Nullable List<List<String>> pictures) {}

  GoldenModel(String type, Path folder) throws IOException, URISyntaxException {
    this.source =
        Path.of(Objects.requireNonNull(GoldenModel.class.getResource("golden/" + type)).toURI());
    this.golden =
        new Gson().fromJson(Files.readString(source.resolve("golden.json")), Golden.class);
    this.batch = batch();
    this.model = new TinyModel(folder, Files.readString(source.resolve("config.json")));
    for (String name : List.of("model.safetensors", "preprocessor_config.json")) {
      if (Files.exists(source.resolve(name))) {
        Files.copy(source.resolve(name), folder.resolve(name));
      }
    }
  }

  private TokenBatch batch() throws IOException {
    List<int[]> samples = golden.samples();
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
      List<List<String>> pictures = golden.pictures();
      for (String name : pictures == null ? List.<String>of() : pictures.get(i)) {
        shown.get(i).add(Picture.of(Files.readAllBytes(source.resolve(name))));
      }
    }
    return new TokenBatch(offsets, tokens, scored, shown);
  }

  /** Makes a step by minus the mean log-prob of the scored tokens, and returns the norm. */
  double step(TrainSession session) {
    LossFunction loss =
        (samples, scores) -> {
          double[] byLogProb = new double[scores.logProbs().length];
          Arrays.fill(byLogProb, -1.0 / golden.logProbs().length);
          return new Gradients(byLogProb, new double[byLogProb.length]);
        };
    return session.update(batch, loss).join().gradNorm();
  }

  double[] logProbs(TrainSession session) {
    double[] all = session.score(batch).join().logProbs();
    return IntStream.range(0, all.length)
        .filter(t -> batch.scored()[t])
        .mapToDouble(t -> all[t])
        .toArray();
  }

  /** Names of the tensors in a folder or file. */
  static Set<String> names(Path weights) {
    try (Safetensors files = Safetensors.open(weights)) {
      return files.tensors().keySet();
    }
  }

  @Override
  public void close() {
    model.close();
  }
}
