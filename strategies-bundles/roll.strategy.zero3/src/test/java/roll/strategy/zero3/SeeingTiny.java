package roll.strategy.zero3;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import roll.api.config.ModelConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.data.RandomStreams;
import roll.api.image.Picture;
import roll.api.model.DecoderSpec;
import roll.api.strategy.Gradients;
import roll.api.strategy.LossFunction;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.huggingface.HuggingFaceTokenizers;
import roll.image.FolderImageProcessors;
import roll.model.qwen2.Qwen2Family;
import roll.model.qwen2_5_vl.Qwen25VlFamily;
import roll.parallel.ShardedModels;
import roll.parallel.collective.Collectives;
import roll.parallel.collective.ThreadCollectives;
import roll.testkit.RankRuns;
import roll.testkit.SeeingModel;
import roll.torch.Device;
import roll.torch.Devices;
import roll.torch.Precision;
import roll.torch.model.Decoder;
import roll.torch.model.Models;
import roll.torch.model.Parameters;
import roll.torch.model.Scorer;

/** A folder with a small model that sees, and samples that show pictures. */
final class SeeingTiny implements AutoCloseable {
  static final int SAMPLES = 8;

  private final Device device = Device.cpu(1);
  private final Devices devices = Devices.on(device);
  private final Models models = new Models(devices, new HuggingFaceTokenizers(devices));
  private final Path folder;

  SeeingTiny(Path folder) throws IOException {
    this.folder = SeeingModel.write(folder, Tiny.SHIPPED);
    models.add(new Qwen2Family(), Map.of("roll.model", new String[] {"qwen2"}));
    models.add(new Qwen25VlFamily(), Map.of("roll.model", new String[] {"qwen2_5_vl"}));
    models.look(new FolderImageProcessors());
  }

  Path folder() {
    return folder;
  }

  DecoderSpec spec() {
    return models.folder(folder).spec();
  }

  ZeroTrainStrategy strategy() {
    return strategy(new ThreadCollectives());
  }

  ZeroTrainStrategy strategy(Collectives collectives) {
    return new ZeroTrainStrategy(new ShardedModels(models, collectives));
  }

  ZeroInferStrategy frozen() {
    return new ZeroInferStrategy(new ShardedModels(models, new ThreadCollectives()));
  }

  /** Stage 3, at which little stays on every rank. */
  static SessionConfig config(ModelConfig model, int devices) {
    RankRuns runs = new RankRuns("zero3", model.folder(), SeeingModel.VOCABULARY, 128);
    Map<String, Object> zero = Map.of("stage", 3, "stage3_param_persistence_threshold", 40);
    Map<String, Object> options = Map.of("zero_optimization", zero);
    return RankRuns.config(runs.worker("actor_train", model, devices, options));
  }

  /**
   * Samples of {@link RankRuns#LENGTH} tokens, the first {@code seeing} of which show a picture.
   */
  static TokenBatch batch(int seeing) {
    RandomGenerator random = RandomStreams.of(1, "words");
    int[] prompt = SeeingModel.prompt();
    int[] offsets = new int[SAMPLES + 1];
    Arrays.setAll(offsets, i -> i * RankRuns.LENGTH);
    int[] tokens = random.ints(offsets[SAMPLES], 0, 140).toArray();
    boolean[] scored = new boolean[tokens.length];
    List<List<Picture>> pictures = new ArrayList<>();
    for (int i = 0; i < SAMPLES; i++) {
      Arrays.fill(scored, offsets[i] + prompt.length, offsets[i + 1], true);
      if (i < seeing) {
        System.arraycopy(prompt, 0, tokens, offsets[i], prompt.length);
        pictures.add(List.of(SeeingModel.pictures().get(i % 2)));
      } else {
        pictures.add(List.of());
      }
    }
    return new TokenBatch(offsets, tokens, scored, pictures);
  }

  /** Minus the mean log-prob of the scored tokens. */
  static LossFunction likelihood(TokenBatch batch) {
    return (samples, scores) -> {
      double[] by = new double[scores.logProbs().length];
      int cell = 0;
      for (int sample : samples) {
        for (int t = batch.offsets()[sample]; t < batch.offsets()[sample + 1]; t++) {
          by[cell++] = batch.scored()[t] ? -0.01 : 0;
        }
      }
      return new Gradients(by, new double[by.length]);
    };
  }

  /** What one device says of {@code batch} before anything is learned. */
  double[] logProbs(TokenBatch batch) {
    return device.call(
        () -> {
          var opened = models.folder(folder);
          Decoder decoder =
              new Decoder(
                  device,
                  opened.spec(),
                  Precision.of(Dtype.FP32),
                  RankRuns.LENGTH,
                  models.patches(opened));
          try (decoder;
              Parameters parameters = models.read(device, opened, RankRuns.SEED)) {
            return new Scorer(device, decoder, 1000).score(parameters, batch).logProbs();
          }
        });
  }

  @Override
  public void close() {
    devices.close();
  }
}
