package roll.strategy.vllm;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig;
import roll.api.model.TokenizerLoader;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.Scores;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TokenListener;
import roll.api.strategy.Weights;
import roll.torch.Decoder;
import roll.torch.Device;
import roll.torch.ModelFolder;
import roll.torch.Models;
import roll.torch.Parameters;
import roll.torch.Precision;
import roll.torch.Scorer;
import roll.torch.sampling.Requests;

/**
 * A model on one device, and the engine that writes with it. It starts with the folder's weights
 * and goes over to shared ones with {@link #update}.
 */
final class VllmSession implements InferSession {
  /** Padded tokens scored at once, at least. */
  private static final int SCORED = 4096;

  private final Device device;
  private final Requests requests;
  private final EngineSettings settings;
  private final Precision precision;
  private final int scored;
  private final Engine engine;

  /** Owns the folder's weights; closed once others have come. */
  private final Parameters start;

  private Parameters parameters;
  private Decoder decoder;
  private Scorer scorer;
  private StepKernels kernels;

  /** Opens the model; only on the compute thread. */
  VllmSession(
      Models models,
      TokenizerLoader tokenizers,
      Device device,
      ModelFolder folder,
      SessionConfig config,
      EngineSettings settings) {
    WorkerConfig worker = config.worker();
    this.device = device;
    this.settings = settings;
    this.requests = new Requests(folder, tokenizers, settings.maxModelLength(), "max_model_len");
    this.precision = Precision.of(worker.model());
    int budget = worker.budgets().infer();
    this.scored = budget > 0 ? budget : Math.max(SCORED, config.sequenceLength());
    this.start = models.map(device, folder, config.seed(), worker.model().dtype(), List.of());
    this.parameters = start;
    this.decoder = decoder(start);
    this.scorer = new Scorer(device, decoder, scored);
    this.kernels = kernels(start);
    this.engine = new Engine(device, settings, kernels);
  }

  private Decoder decoder(Parameters weights) {
    return new Decoder(device, weights.spec(), precision, weights.spec().maxPositions());
  }

  private StepKernels kernels(Parameters weights) {
    return new StepKernels(device, weights.spec(), precision, settings, weights);
  }

  @Override
  public boolean continuous() {
    return !settings.deterministic();
  }

  @Override
  public CompletableFuture<List<Generation>> generate(List<GenerationRequest> list) {
    return run(list, null);
  }

  @Override
  public CompletableFuture<List<Generation>> generate(
      List<GenerationRequest> list, TokenListener listener) {
    return run(list, listener);
  }

  private CompletableFuture<List<Generation>> run(
      List<GenerationRequest> list, @Nullable TokenListener listener) {
    List<GenerationRequest> all = List.copyOf(list);
    CompletableFuture<List<Generation>> result = new CompletableFuture<>();
    long begun = System.nanoTime();
    engine.add(() -> new Call(requests.responses(all, listener), result, begun), result);
    return result;
  }

  @Override
  public CompletableFuture<Scores> score(TokenBatch batch) {
    return device.submit(
        () -> {
          requests.check(batch);
          return scorer.score(parameters, batch);
        });
  }

  @Override
  public CompletableFuture<Void> update(Weights weights) {
    return device.submit(
        () -> {
          if (!(weights instanceof Parameters shared)) {
            throw new IllegalArgumentException("weights of another compute layer: " + weights);
          }
          if (!shared.spec().with(null).equals(decoder.spec().with(null))) {
            throw new IllegalArgumentException("weights of another model: " + shared.spec());
          }
          parameters = shared;
          if (shared.spec().equals(decoder.spec())) {
            engine.use(shared);
          } else {
            compile(shared);
          }
          if (shared != start) {
            start.close();
          }
          return null;
        });
  }

  /** Compiles the model anew: adapters are a part of it. */
  private void compile(Parameters weights) {
    StepKernels older = kernels;
    kernels = kernels(weights);
    engine.use(kernels);
    older.close();
    decoder.close();
    decoder = decoder(weights);
    scorer = new Scorer(device, decoder, scored);
  }

  @Override
  public CompletableFuture<Void> sleep() {
    CompletableFuture<Void> asleep = new CompletableFuture<>();
    if (settings.sleepLevel() == 0) {
      asleep.complete(null);
      return asleep;
    }
    var unused =
        device
            .submit(
                () -> {
                  engine.sleep(() -> asleep.complete(null));
                  return true;
                })
            .exceptionally(
                failure -> {
                  asleep.completeExceptionally(failure);
                  return true;
                });
    return asleep;
  }

  @Override
  public CompletableFuture<Void> wake() {
    return device.submit(
        () -> {
          kernels.wake();
          return null;
        });
  }

  @Override
  public Map<String, Double> metrics() {
    return device.call(engine::metrics);
  }

  /** The engine, for those who look into it. */
  Engine engine() {
    return engine;
  }

  @Override
  public void close() {
    device.call(
        () -> {
          engine.close();
          kernels.close();
          decoder.close();
          requests.close();
          start.close();
          return null;
        });
  }
}
