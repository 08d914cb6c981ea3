package roll.strategy.local_train;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import roll.api.config.TrainingConfig;
import roll.api.strategy.LossFunction;
import roll.api.strategy.Scores;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
import roll.api.strategy.UpdateReport;
import roll.api.strategy.Weights;
import roll.torch.Accumulation;
import roll.torch.AdamW;
import roll.torch.Decoder;
import roll.torch.Device;
import roll.torch.ModelFolder;
import roll.torch.Models;
import roll.torch.Parameters;
import roll.torch.Scorer;

/** One model, its gradients and its optimizer on one device. Owns all three. */
final class LocalTrainSession implements TrainSession {
  /** ε of AdamW; the default of torch and of transformers. */
  private static final double EPSILON = 1e-8;

  private final Device device;
  private final TrainingConfig training;
  private final LearningRate schedule;
  private final Parameters parameters;
  private final Accumulation accumulation;
  private final Decoder decoder;
  private final AdamW optimizer;
  private final Scorer scorer;
  private final TrainFolder checkpoint;

  /**
   * Reads the weights. Only on the compute thread.
   *
   * @param trained indexes of the parameters that are trained
   */
  LocalTrainSession(
      Models models,
      Device device,
      ModelFolder folder,
      List<Integer> trained,
      LearningRate schedule,
      SessionConfig config,
      int lanes) {
    var worker = config.worker();
    this.device = device;
    this.training = worker.training();
    this.schedule = schedule;
    this.parameters = models.read(device, folder, config.seed());
    parameters.train(trained);
    int length = config.sequenceLength();
    boolean checkpointing = worker.model().checkpointing();
    this.accumulation =
        new Accumulation(device, parameters, worker.model().dtype(), length, checkpointing, lanes);
    this.decoder = new Decoder(device, folder.spec(), worker.model().dtype(), length);
    this.optimizer =
        new AdamW(
            device,
            parameters.trained().tensors(),
            new AdamW.Settings(
                training.beta1(),
                training.beta2(),
                EPSILON,
                training.weightDecay(),
                config.maxGradNorm()));
    int tokens = Math.multiplyExact(worker.inferBatchSize(), length);
    this.scorer = new Scorer(device, decoder, tokens);
    this.checkpoint =
        new TrainFolder(models, folder, worker.model().dtype(), parameters, optimizer);
  }

  @Override
  public CompletableFuture<Scores> score(TokenBatch batch) {
    return device.submit(() -> scorer.score(parameters, batch));
  }

  @Override
  public CompletableFuture<UpdateReport> update(TokenBatch batch, LossFunction loss) {
    return device.submit(() -> step(batch, loss));
  }

  private UpdateReport step(TokenBatch batch, LossFunction loss) {
    List<int[]> parts = MicroBatchPlan.of(batch, training.microBatch());
    double lossSeconds = accumulation.run(batch, parts, loss);
    double rate = schedule.at(training, optimizer.steps());
    double norm = optimizer.step(accumulation.gradients().tensors(), rate);
    parameters.version(optimizer.steps());
    return new UpdateReport(norm, rate, !Double.isFinite(norm), lossSeconds);
  }

  @Override
  public Weights weights() {
    return parameters;
  }

  @Override
  public CompletableFuture<Void> save(Path folder) {
    return device.submit(
        () -> {
          checkpoint.save(folder);
          return null;
        });
  }

  @Override
  public CompletableFuture<Void> restore(Path folder) {
    return device.submit(
        () -> {
          checkpoint.restore(folder);
          return null;
        });
  }

  /** Frees weights, gradients and moments after what was asked for. */
  @Override
  public void close() {
    device.call(
        () -> {
          optimizer.close();
          decoder.close();
          accumulation.close();
          parameters.close();
          return true;
        });
  }
}
