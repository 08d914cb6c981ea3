package roll.strategy.vllm;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import roll.api.strategy.EngineLoad;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.TokenListener;
import roll.sampling.DeviceInferSession;
import roll.sampling.PictureFeatures;
import roll.strategy.vllm.config.EngineSettings;
import roll.torch.model.Parameters;

/**
 * A model on one device, with the engine that generates. It starts with the folder's weights;
 * {@link #update} replaces them.
 */
final class VllmSession extends DeviceInferSession {
  private final EngineSettings settings;
  private final Engine engine;
  private ModelRunner kernels;

  /** Opens the model; only on the compute thread. */
  VllmSession(Setup setup, EngineSettings settings) {
    super(setup, settings.maxSequences(), settings.maxModelLength(), "max_model_len");
    this.settings = settings;
    this.kernels = kernels();
    this.engine = new Engine(device, settings, kernels);
  }

  private ModelRunner kernels() {
    Parameters parameters = weights.parameters();
    return new ModelRunner(
        device, parameters.spec(), weights.precision(), settings, parameters, pictures, ledger);
  }

  @Override
  public boolean continuous() {
    return !settings.deterministic();
  }

  @Override
  public CompletableFuture<EngineLoad> load() {
    return CompletableFuture.completedFuture(engine.load());
  }

  @Override
  protected CompletableFuture<List<Generation>> run(
      List<GenerationRequest> list, @Nullable TokenListener listener) {
    CompletableFuture<List<Generation>> result = new CompletableFuture<>();
    long begun = System.nanoTime();
    engine.add(() -> new RequestGroup(requests.responses(list, listener), result, begun), result);
    return result;
  }

  @Override
  protected CompletableFuture<Void> change(Runnable change) {
    if (settings.update() != EngineSettings.WeightUpdate.DRAIN) {
      return super.change(change);
    }
    CompletableFuture<Void> changed = new CompletableFuture<>();
    engine.drain(change, changed);
    return changed;
  }

  @Override
  protected boolean sharesWeights() {
    return settings.update() != EngineSettings.WeightUpdate.DRAIN;
  }

  @Override
  protected void updated(boolean anew) {
    if (anew) {
      ModelRunner older = kernels;
      kernels = kernels();
      engine.use(kernels);
      older.close();
    } else {
      engine.use(weights.parameters());
    }
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
    return device.call(
        () -> {
          Map<String, Double> metrics = engine.metrics();
          PictureFeatures.Counts counts = pictures == null ? null : pictures.counts();
          if (counts != null && counts.computed() + counts.found() > 0) {
            metrics.put("vllm/pictures_computed", (double) counts.computed());
            metrics.put("vllm/pictures_cached", (double) counts.found());
          }
          return metrics;
        });
  }

  /** Returns the engine of the session; for tests. */
  Engine engine() {
    return engine;
  }

  @Override
  protected void release() {
    engine.close();
    kernels.close();
  }
}
