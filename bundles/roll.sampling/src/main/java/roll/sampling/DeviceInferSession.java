package roll.sampling;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import roll.api.memory.MemoryKind;
import roll.api.memory.SessionMemory;
import roll.api.model.TokenizerLoader;
import roll.api.option.UserException;
import roll.api.scoring.Distributions;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.Scores;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TokenListener;
import roll.api.strategy.WeightsHandle;
import roll.huggingface.ModelFolder;
import roll.torch.Device;
import roll.torch.MemoryLedger;
import roll.torch.model.InferenceWeights;
import roll.torch.model.Models;

/**
 * A session that generates and scores with a model on one device. It starts with the folder's
 * weights; {@link #update} replaces them. Scoring, updates and closing run on the device's compute
 * thread; subclasses implement generation.
 */
public abstract class DeviceInferSession implements InferSession {
  /** The device on which the session computes. */
  protected final Device device;

  /** Validates requests; closed with the session. */
  protected final RequestValidator requests;

  /** The weights in use; closed with the session. Only on the compute thread. */
  protected final InferenceWeights weights;

  /** The features of pictures; closed with the session. Null if the model has no vision. */
  protected final @Nullable PictureFeatures pictures;

  /** Counter of the memory that the session allocates. */
  protected final MemoryLedger ledger = new MemoryLedger();

  private final List<Integer> devices;
  private long counted;

  /**
   * The components of an inference session.
   *
   * @param models reads the weights
   * @param tokenizers loads the tokenizer on demand
   * @param device that computes
   * @param folder of the model
   * @param config of the session
   */
  public record Setup(
      Models models,
      TokenizerLoader tokenizers,
      Device device,
      ModelFolder folder,
      SessionConfig config) {}

  /**
   * Opens a session with the maximum sequence length of the model. Only on the compute thread.
   *
   * @param sequences maximum number of concurrent sequences
   */
  protected DeviceInferSession(Setup setup, int sequences) {
    this(
        setup,
        sequences,
        setup.folder().spec().maxPositions(),
        "max_position_embeddings of " + setup.folder().path());
  }

  /**
   * Opens an inference session with its own limits of sequences and length.
   *
   * @param longest maximum tokens of prompt and response
   * @param limit name of that limit, for messages
   */
  protected DeviceInferSession(Setup setup, int sequences, int longest, String limit) {
    ModelFolder folder = setup.folder();
    SessionConfig config = setup.config();
    this.device = setup.device();
    this.weights = new InferenceWeights(setup.models(), device, folder, config);
    PictureCatalog catalog = PictureCatalog.of(folder.spec(), weights.patches());
    this.requests = new RequestValidator(folder, setup.tokenizers(), catalog, longest, limit);
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
   * @param list immutable
   * @param listener receives each token; null for no listener
   */
  protected abstract CompletableFuture<List<Generation>> run(
      List<GenerationRequest> list, @Nullable TokenListener listener);

  /**
   * Handles a change of {@link #weights}; called on the compute thread.
   *
   * @param anew whether the adapters differ, so that kernels must be compiled again
   */
  protected abstract void updated(boolean anew);

  /** Counts the bytes of the weights; further copies are counted by their owners. */
  private void count() {
    ledger.add(MemoryKind.PARAMETERS, weights.ownBytes() - counted);
    counted = weights.ownBytes();
  }

  /**
   * Closes the resources of the subclass, before weights and requests; called on the compute
   * thread.
   */
  protected abstract void release();

  @Override
  public final CompletableFuture<List<Generation>> generate(List<GenerationRequest> list) {
    return compiled(list, null);
  }

  @Override
  public final CompletableFuture<List<Generation>> generate(
      List<GenerationRequest> list, TokenListener listener) {
    return compiled(list, listener);
  }

  /** Generates after grammars are compiled on this thread, which may take seconds. */
  private CompletableFuture<List<Generation>> compiled(
      List<GenerationRequest> list, @Nullable TokenListener listener) {
    List<GenerationRequest> all = List.copyOf(list);
    try {
      requests.compile(all);
    } catch (UserException refusal) {
      return CompletableFuture.failedFuture(refusal);
    }
    return run(all, listener);
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
  public final CompletableFuture<Void> update(WeightsHandle next) {
    return change(
        () -> {
          updated(weights.update(next, sharesWeights()));
          count();
        });
  }

  /**
   * Makes {@code change}, which switches the weights, on the compute thread: here between two of
   * its tasks.
   */
  protected CompletableFuture<Void> change(Runnable change) {
    return device.submit(
        () -> {
          change.run();
          return null;
        });
  }

  /**
   * Returns whether weights of the same device are shared, so that they change while they are
   * trained; otherwise each update copies them.
   */
  protected boolean sharesWeights() {
    return true;
  }

  @Override
  public final List<SessionMemory> peakMemory() {
    return device.observed(SessionMemory.spread(devices, ledger.peak(0).bytes()));
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
