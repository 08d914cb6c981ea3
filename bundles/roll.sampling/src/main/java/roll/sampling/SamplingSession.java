package roll.sampling;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import roll.api.memory.DeviceMemory;
import roll.api.memory.MemoryKind;
import roll.api.model.TokenizerLoader;
import roll.api.scoring.Distributions;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.Scores;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TokenListener;
import roll.api.strategy.Weights;
import roll.huggingface.ModelFolder;
import roll.torch.Device;
import roll.torch.MemoryLedger;
import roll.torch.model.InferenceWeights;
import roll.torch.model.Models;

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
  protected final InferenceWeights weights;

  /** What the model saw; closed with the session. Null where it cannot see. */
  protected final @Nullable PictureFeatures pictures;

  /** Counts the bytes that this session holds. */
  protected final MemoryLedger ledger = new MemoryLedger();

  private final List<Integer> devices;
  private long counted;

  /**
   * What a session is made of.
   *
   * @param models where weights are read
   * @param tokenizers loads its tokenizer, if it comes to that
   * @param device where it computes
   * @param folder of the model
   * @param config what it is opened with
   */
  public record Setup(
      Models models,
      TokenizerLoader tokenizers,
      Device device,
      ModelFolder folder,
      SessionConfig config) {}

  /**
   * A session whose sequences may be as long as the model. Only on the compute thread.
   *
   * @param sequences how many it writes at once
   */
  protected SamplingSession(Setup setup, int sequences) {
    this(
        setup,
        sequences,
        setup.folder().spec().maxPositions(),
        "max_position_embeddings of " + setup.folder().path());
  }

  /**
   * The same of a session with limits of its own.
   *
   * @param longest most tokens of prompt and response
   * @param limit what says so, for messages
   */
  protected SamplingSession(Setup setup, int sequences, int longest, String limit) {
    ModelFolder folder = setup.folder();
    SessionConfig config = setup.config();
    this.device = setup.device();
    this.weights = new InferenceWeights(setup.models(), device, folder, config);
    PictureCatalog catalog = PictureCatalog.of(folder.spec(), weights.patches());
    this.requests = new Requests(folder, setup.tokenizers(), catalog, longest, limit);
    this.devices = config.worker().devices();
    this.pictures =
        catalog == null
            ? null
            : new PictureFeatures(
                device,
                catalog,
                weights::features,
                ledger,
                PictureFeatures.most(folder.spec(), sequences, config.sequenceLength()));
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
    ledger.add(MemoryKind.PARAMETERS, weights.ownBytes() - counted);
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
  public final List<DeviceMemory> peakMemory() {
    return device.observed(DeviceMemory.spread(devices, ledger.peak(0).bytes()));
  }

  @Override
  public final void close() {
    device.call(
        () -> {
          release();
          if (pictures != null) {
            pictures.close();
          }
          weights.close();
          requests.close();
          return null;
        });
  }
}
