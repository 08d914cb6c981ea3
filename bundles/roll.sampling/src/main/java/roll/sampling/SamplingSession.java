package roll.sampling;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import roll.api.memory.DeviceMemory;
import roll.api.memory.StateKind;
import roll.api.scoring.Distributions;
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
import roll.torch.model.ServedWeights;

/**
 * A session that samples with a model on one device. It starts with the folder's weights and goes
 * over to those of {@link #update}. Scoring, updates and closing run on the device's compute
 * thread; how responses are generated is the subclass's.
 */
public abstract class SamplingSession implements InferSession {
  /** The device whose compute thread does all work. */
  protected final Device device;

  /** Checks what is asked; closed with the session. */
  protected final Requests requests;

  /** The weights in use; closed with the session. Only on the compute thread. */
  protected final ServedWeights weights;

  /** Counts the bytes that this session holds. */
  protected final Ledger ledger = new Ledger();

  private final List<Integer> devices;
  private long counted;

  /**
   * Only on the compute thread.
   *
   * @param requests and {@code weights} are owned by this session from now on
   */
  protected SamplingSession(
      Device device, Requests requests, ServedWeights weights, SessionConfig config) {
    this.device = device;
    this.requests = requests;
    this.weights = weights;
    this.devices = config.worker().devices();
    count();
  }

  /**
   * Generates a response to each of {@code list}, in its order. Called on any thread.
   *
   * @param list an immutable copy of what was asked
   * @param listener is told each token; null where nobody listens
   */
  protected abstract CompletableFuture<List<Generation>> run(
      List<GenerationRequest> list, @Nullable TokenListener listener);

  /**
   * {@link #weights} have changed; on the compute thread.
   *
   * @param anew whether they have other adapters, so that kernels must be compiled again
   */
  protected abstract void updated(boolean anew);

  /** Others count their copies beside what the weights themselves hold. */
  private void count() {
    ledger.add(StateKind.PARAMETERS, weights.ownBytes() - counted);
    counted = weights.ownBytes();
  }

  /** Closes what the subclass owns, before weights and requests; on the compute thread. */
  protected abstract void release();

  @Override
  public final CompletableFuture<List<Generation>> generate(List<GenerationRequest> list) {
    return run(List.copyOf(list), null);
  }

  @Override
  public final CompletableFuture<List<Generation>> generate(
      List<GenerationRequest> list, TokenListener listener) {
    return run(List.copyOf(list), listener);
  }

  @Override
  public final CompletableFuture<Scores> score(TokenBatch batch) {
    return device.submit(
        () -> {
          requests.check(batch);
          return weights.score(batch);
        });
  }

  @Override
  public final Distributions distributions() {
    return device.call(weights::distributions);
  }

  @Override
  public final CompletableFuture<Void> update(Weights next) {
    return device.submit(
        () -> {
          updated(weights.update(next));
          count();
          return null;
        });
  }

  @Override
  public final List<DeviceMemory> held() {
    return device.observed(DeviceMemory.spread(devices, ledger.peak(0).bytes()));
  }

  @Override
  public final void close() {
    device.call(
        () -> {
          release();
          weights.close();
          requests.close();
          return null;
        });
  }
}
