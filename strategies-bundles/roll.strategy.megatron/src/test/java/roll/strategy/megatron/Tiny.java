package roll.strategy.megatron;

import java.nio.file.Path;
import java.util.Map;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.strategy.TokenBatch;
import roll.huggingface.HuggingFaceTokenizers;
import roll.model.qwen2.Qwen2Family;
import roll.parallel.ShardedModels;
import roll.parallel.collective.Collectives;
import roll.parallel.collective.ThreadCollectives;
import roll.testkit.RankRuns;
import roll.torch.Device;
import roll.torch.Devices;
import roll.torch.Precision;
import roll.torch.model.Decoder;
import roll.torch.model.Models;
import roll.torch.model.Parameters;
import roll.torch.model.Scorer;

/** The random model that plays FrozenLake: 3 layers, 6 heads. */
final class Tiny implements AutoCloseable {
  static final Path SHIPPED =
      Path.of(System.getProperty("roll.root"), "configs/models/frozen-lake-tiny");

  /** Trains it, which knows 144 words and takes 512 at once. */
  static final RankRuns RUNS = new RankRuns("megatron_train", SHIPPED, 144, 512);

  /** One thread: the tensors are too small for two. */
  private final Device device = Device.cpu(1);

  private final Devices devices = Devices.on(device);
  private final Models models = new Models(devices, new HuggingFaceTokenizers(devices));

  Tiny() {
    models.add(new Qwen2Family(), Map.of("roll.model", new String[] {"qwen2"}));
  }

  MegatronTrainStrategy strategy() {
    return strategy(new ThreadCollectives());
  }

  MegatronTrainStrategy strategy(Collectives collectives) {
    return new MegatronTrainStrategy(new ShardedModels(models, collectives));
  }

  DecoderSpec spec() {
    return models.folder(SHIPPED).spec();
  }

  MegatronInferStrategy frozen() {
    return new MegatronInferStrategy(new ShardedModels(models, new ThreadCollectives()));
  }

  /** What one device says of {@code batch} before anything is learned. */
  double[] logProbs(TokenBatch batch) {
    return device.call(
        () -> {
          var folder = models.folder(SHIPPED);
          Decoder decoder =
              new Decoder(device, folder.spec(), Precision.of(Dtype.FP32), RankRuns.LENGTH);
          try (decoder;
              Parameters parameters = models.read(device, folder, RankRuns.SEED)) {
            return new Scorer(device, decoder, 1000).score(parameters, batch).logProbs();
          }
        });
  }

  @Override
  public void close() {
    devices.close();
  }
}
