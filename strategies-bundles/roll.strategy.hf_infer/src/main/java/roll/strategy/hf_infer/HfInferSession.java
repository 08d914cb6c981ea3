package roll.strategy.hf_infer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.TokenListener;
import roll.sampling.DeviceInferSession;
import roll.sampling.ResponseState;
import roll.torch.model.Parameters;

/**
 * Inference session with a model on one device and generation by batches. It starts with the
 * folder's weights; {@link #update} replaces them. All work runs on the device's compute thread,
 * one call after another.
 */
final class HfInferSession extends DeviceInferSession {
  private final GenerationSettings settings;
  private final int batchSize;
  private GenerationKernels kernels;

  /** The caches of the previous call, by salt. */
  private final Map<Long, PrefixCache> prefixes = new HashMap<>();

  /** Opens the model; only on the compute thread. */
  HfInferSession(Setup setup, GenerationSettings settings) {
    this(setup, settings, Math.max(1, setup.config().worker().inferBatchSize()));
  }

  private HfInferSession(Setup setup, GenerationSettings settings, int batchSize) {
    super(setup, batchSize);
    this.settings = settings;
    this.batchSize = batchSize;
    this.kernels = kernels();
  }

  private GenerationKernels kernels() {
    Parameters parameters = weights.parameters();
    return new GenerationKernels(
        device, parameters.spec(), weights.precision(), parameters, pictures, ledger);
  }

  @Override
  protected CompletableFuture<List<Generation>> run(
      List<GenerationRequest> list, @Nullable TokenListener listener) {
    AtomicBoolean cancelled = new AtomicBoolean();
    CompletableFuture<List<Generation>> result =
        device.submit(() -> batches(requests.responses(list, listener), cancelled::get));
    var unused = result.whenComplete((found, failure) -> cancelled.set(result.isCancelled()));
    return result;
  }

  /** Runs the requests of each salt separately; returns the results in the order of all. */
  private List<Generation> batches(List<ResponseState> all, BooleanSupplier cancelled) {
    Map<Long, List<ResponseState>> bySalt = new LinkedHashMap<>();
    all.forEach(r -> bySalt.computeIfAbsent(r.cacheSalt(), salt -> new ArrayList<>()).add(r));
    bySalt.forEach((salt, responses) -> batches(salt, responses, cancelled));
    return all.stream().map(ResponseState::generation).toList();
  }

  private void batches(long salt, List<ResponseState> all, BooleanSupplier cancelled) {
    if (prefixes.values().stream().anyMatch(c -> c.version() != kernels.version())) {
      forget();
    }
    PrefixCache older = prefixes.getOrDefault(salt, PrefixCache.EMPTY);
    try (PrefixCache.Builder next = new PrefixCache.Builder(kernels.version(), settings.reuse())) {
      for (int first = 0; first < all.size(); first += batchSize) {
        List<ResponseState> some = all.subList(first, Math.min(first + batchSize, all.size()));
        new GenerationBatch(kernels, next, some).run(older, settings.block(), cancelled);
      }
      older.close();
      prefixes.put(salt, next.build());
    }
  }

  @Override
  protected void updated(boolean anew) {
    forget();
    if (anew) {
      kernels.close();
      kernels = kernels();
    } else {
      kernels.use(weights.parameters());
    }
  }

  private void forget() {
    prefixes.values().forEach(PrefixCache::close);
    prefixes.clear();
    if (pictures != null) {
      pictures.clear();
    }
  }

  @Override
  protected void release() {
    forget();
    kernels.close();
  }
}
