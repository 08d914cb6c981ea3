package roll.strategy.hf_infer;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig;
import roll.api.memory.DeviceMemory;
import roll.api.memory.StateKind;
import roll.api.model.TokenizerLoader;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.Scores;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TokenListener;
import roll.api.strategy.Weights;
import roll.torch.Device;
import roll.torch.Ledger;
import roll.torch.huggingface.ModelFolder;
import roll.torch.model.Models;
import roll.torch.model.Parameters;
import roll.torch.model.ServedWeights;
import roll.torch.sampling.Requests;
import roll.torch.sampling.Response;

/**
 * A model on one device. It starts with the folder's weights and goes over to shared ones with
 * {@link #update}; all work runs on the device's compute thread, one call after another.
 */
final class HfInferSession implements InferSession {
  private final Device device;
  private final Requests requests;
  private final WaveSettings settings;
  private final int batchSize;
  private final ServedWeights weights;
  private final List<Integer> devices;
  private final Ledger ledger = new Ledger();
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
    this.weights = new ServedWeights(models, device, folder, config);
    this.devices = worker.devices();
    this.kernels = kernels();
    ledger.set(StateKind.PARAMETERS, weights.ownBytes());
  }

  private WaveKernels kernels() {
    Parameters parameters = weights.parameters();
    return new WaveKernels(device, parameters.spec(), weights.precision(), parameters, ledger);
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
          return weights.score(batch);
        });
  }

  @Override
  public CompletableFuture<Void> update(Weights next) {
    return device.submit(
        () -> {
          boolean adapted = weights.update(next);
          forget();
          if (adapted) {
            kernels.close();
            kernels = kernels();
          } else {
            kernels.use(weights.parameters());
          }
          ledger.set(StateKind.PARAMETERS, weights.ownBytes());
          return null;
        });
  }

  @Override
  public List<DeviceMemory> held() {
    return DeviceMemory.spread(devices, ledger.peak(0).bytes());
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
          weights.close();
          requests.close();
          return null;
        });
  }
}
