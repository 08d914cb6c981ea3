package roll.collectives.testkit;

import java.nio.file.Path;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.strategy.TokenBatch;
import roll.huggingface.HuggingFaceTokenizers;
import roll.parallel.ShardedModels;
import roll.parallel.collective.Collectives;
import roll.parallel.collective.ThreadCollectives;
import roll.testkit.RankFixtures;
import roll.torch.Device;
import roll.torch.Devices;
import roll.torch.Precision;
import roll.torch.model.Decoder;
import roll.torch.model.Models;
import roll.torch.model.Parameters;
import roll.torch.model.Scorer;

/** A small model for ranks that are threads, with reference results of one device. */
public class RankModels implements AutoCloseable {
  /** One thread: the tensors are too small for two. */
  private final Device device = Device.cpu(1);

  private final Devices devices = Devices.on(device);
  private final Models models = new Models(devices, new HuggingFaceTokenizers(devices));
  private final Path folder;

  /** Uses the model in {@code folder}, whose family must be added to {@link #models}. */
  public RankModels(Path folder) {
    this.folder = folder;
  }

  /** Loader of the test models. */
  public final Models models() {
    return models;
  }

  /** Folder of the model. */
  public final Path folder() {
    return folder;
  }

  /** Specification of the model. */
  public final DecoderSpec spec() {
    return models.folder(folder).spec();
  }

  /** Returns models over ranks that are threads. */
  public final ShardedModels sharded() {
    return sharded(new ThreadCollectives());
  }

  /** Returns the sharded test models over {@code collectives}. */
  public final ShardedModels sharded(Collectives collectives) {
    return new ShardedModels(models, collectives);
  }

  /** Returns the log-probs of {@code batch} in f32 on one device, with the initial weights. */
  public final double[] logProbs(TokenBatch batch) {
    return device.call(
        () -> {
          var opened = models.folder(folder);
          Decoder decoder =
              new Decoder(
                  device,
                  opened.spec(),
                  Precision.of(Dtype.FP32),
                  RankFixtures.LENGTH,
                  models.patches(opened));
          try (decoder;
              Parameters parameters = models.read(device, opened, RankFixtures.SEED)) {
            return new Scorer(device, decoder, 1000).score(parameters, batch).logProbs();
          }
        });
  }

  @Override
  public final void close() {
    devices.close();
  }
}
