package roll.strategy.hf_infer;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
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
import roll.torch.sampling.Response;

/**
 * A model on one device. It starts with the folder's weights and goes over to shared ones with
 * {@link #update}; all work runs on the device's compute thread, one call after another.
 */
final class HfInferSession implements InferSession {
  /** Padded tokens scored at once, at least. */
  private static final int SCORED = 4096;

  private final Device device;
  private final Requests requests;
  private final WaveSettings settings;
  private final int batchSize;
  private final Precision precision;
  private final int scored;

  /** Owns the folder's weights; closed once others have come. */
  private final Parameters start;

  private Parameters parameters;
  private Decoder decoder;
  private Scorer scorer;
  private WaveKernels kernels;
  private PrefixCache prefixes = PrefixCache.EMPTY;

  /** Opens the model; only on the compute thread. */
  HfInferSession(
      Models models,
      TokenizerLoader tokenizers,
      Device device,
      ModelFolder folder,
      SessionConfig config,
      WaveSettings settings) {
    WorkerConfig worker = config.worker();
    this.device = device;
    this.settings = settings;
    this.batchSize = Math.max(1, worker.inferBatchSize());
    this.requests = new Requests(folder, tokenizers);
    this.precision = Precision.of(worker.model());
    int budget = worker.budgets().infer();
    this.scored = budget > 0 ? budget : Math.max(SCORED, config.sequenceLength());
    this.start = models.map(device, folder, config.seed(), worker.model().dtype(), List.of());
    this.parameters = start;
    this.decoder = decoder(start);
    this.scorer = new Scorer(device, decoder, scored);
    this.kernels = new WaveKernels(device, start.spec(), precision, start);
  }

  private Decoder decoder(Parameters weights) {
    return new Decoder(device, weights.spec(), precision, weights.spec().maxPositions());
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
    AtomicBoolean cancelled = new AtomicBoolean();
    CompletableFuture<List<Generation>> result =
        device.submit(() -> waves(requests.responses(all, listener), cancelled::get));
    var unused = result.whenComplete((found, failure) -> cancelled.set(result.isCancelled()));
    return result;
  }

  private List<Generation> waves(List<Response> all, BooleanSupplier cancelled) {
    if (prefixes.version() != kernels.version()) {
      forget();
    }
    List<Generation> generations = new ArrayList<>(all.size());
    try (PrefixCache.Builder next = new PrefixCache.Builder(kernels.version(), settings.reuse())) {
      for (int first = 0; first < all.size(); first += batchSize) {
        List<Response> some = all.subList(first, Math.min(first + batchSize, all.size()));
        generations.addAll(
            new Wave(kernels, next, some).run(prefixes, settings.block(), cancelled));
      }
      forget();
      prefixes = next.build();
    }
    return generations;
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
          forget();
          parameters = shared;
          if (shared.spec().equals(decoder.spec())) {
            kernels.use(shared);
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
    decoder.close();
    decoder = decoder(weights);
    scorer = new Scorer(device, decoder, scored);
    kernels.close();
    kernels = new WaveKernels(device, weights.spec(), precision, weights);
  }

  private void forget() {
    prefixes.close();
    prefixes = PrefixCache.EMPTY;
  }

  @Override
  public void close() {
    device.call(
        () -> {
          forget();
          kernels.close();
          decoder.close();
          requests.close();
          start.close();
          return null;
        });
  }
}
