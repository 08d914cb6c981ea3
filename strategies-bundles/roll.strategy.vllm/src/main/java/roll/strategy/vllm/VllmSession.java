package roll.strategy.vllm;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
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

/**
 * A model on one device, and the engine that writes with it. It starts with the folder's weights
 * and goes over to shared ones with {@link #update}.
 */
final class VllmSession implements InferSession {
  private final Device device;
  private final Requests requests;
  private final EngineSettings settings;
  private final ServedWeights weights;
  private final Engine engine;
  private final List<Integer> devices;
  private final Ledger ledger = new Ledger();
  private StepKernels kernels;

  /** Opens the model; only on the compute thread. */
  VllmSession(
      Models models,
      TokenizerLoader tokenizers,
      Device device,
      ModelFolder folder,
      SessionConfig config,
      EngineSettings settings) {
    this.device = device;
    this.settings = settings;
    this.requests = new Requests(folder, tokenizers, settings.maxModelLength(), "max_model_len");
    this.weights = new ServedWeights(models, device, folder, config);
    this.devices = config.worker().devices();
    this.kernels = kernels();
    ledger.set(StateKind.PARAMETERS, weights.ownBytes());
    this.engine = new Engine(device, settings, kernels);
  }

  private StepKernels kernels() {
    Parameters parameters = weights.parameters();
    return new StepKernels(
        device, parameters.spec(), weights.precision(), settings, parameters, ledger);
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
          return weights.score(batch);
        });
  }

  @Override
  public CompletableFuture<Void> update(Weights next) {
    return device.submit(
        () -> {
          if (weights.update(next)) {
            StepKernels older = kernels;
            kernels = kernels();
            engine.use(kernels);
            older.close();
          } else {
            engine.use(weights.parameters());
          }
          ledger.set(StateKind.PARAMETERS, weights.ownBytes());
          return null;
        });
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

  @Override
  public List<DeviceMemory> held() {
    return DeviceMemory.spread(devices, ledger.peak(0).bytes());
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
          weights.close();
          requests.close();
          return null;
        });
  }
}
