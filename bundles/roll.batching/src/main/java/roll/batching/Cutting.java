package roll.batching;

import java.util.Arrays;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.config.Packing;
import roll.api.config.WorkerConfig;
import roll.api.strategy.TokenBatch;

/** How a batch is cut into micro-batches; what comes of it depends on the batch alone. */
@ProviderType
public sealed interface Cutting {
  /** The samples of each micro-batch; those of which no token is scored are left out. */
  List<int[]> parts(TokenBatch batch);

  /** Whether the samples of a micro-batch lie end to end, without padding. */
  boolean packed();

  /** Tokens that are computed for the samples of {@code part}, padding counted. */
  default long computed(TokenBatch batch, int[] part) {
    int[] offsets = batch.offsets();
    var lengths = Arrays.stream(part).map(s -> offsets[s + 1] - offsets[s]);
    return packed() ? lengths.asLongStream().sum() : (long) part.length * lengths.max().orElse(0);
  }

  /** As {@code worker} is told to train. */
  static Cutting training(WorkerConfig worker) {
    int most = worker.budgets().train();
    Packing packing = worker.budgets().packing();
    if (packing != null) {
      return new Packed(most, packing.leastTrain(), packing.balanced());
    }
    return most > 0 ? new Tokens(most) : new Samples(worker.training().microBatch());
  }

  /**
   * As {@code worker} is told to score.
   *
   * @param otherwise where it is not told
   */
  static Cutting scoring(WorkerConfig worker, Cutting otherwise) {
    int most = worker.budgets().infer();
    Packing packing = worker.budgets().packing();
    if (packing != null) {
      return new Packed(most, packing.leastInfer(), packing.balanced());
    }
    return most > 0 ? new Tokens(most) : otherwise;
  }

  /**
   * So many samples at once: {@link MicroBatches#bySamples}.
   *
   * @param size how many
   */
  record Samples(int size) implements Cutting {
    @Override
    public List<int[]> parts(TokenBatch batch) {
      return MicroBatches.bySamples(batch, size);
    }

    @Override
    public boolean packed() {
      return false;
    }
  }

  /**
   * As many as fit a budget: {@link MicroBatches#byTokens}.
   *
   * @param most tokens, padding counted
   */
  record Tokens(int most) implements Cutting {
    @Override
    public List<int[]> parts(TokenBatch batch) {
      return MicroBatches.byTokens(batch, most);
    }

    @Override
    public boolean packed() {
      return false;
    }
  }

  /**
   * Without padding: {@link MicroBatches#packed}.
   *
   * @param most tokens of a micro-batch
   * @param least fewest micro-batches
   * @param balanced whether they are of nearly equal size
   */
  record Packed(int most, int least, boolean balanced) implements Cutting {
    @Override
    public List<int[]> parts(TokenBatch batch) {
      return MicroBatches.packed(batch, most, least, balanced);
    }

    @Override
    public boolean packed() {
      return true;
    }
  }
}
