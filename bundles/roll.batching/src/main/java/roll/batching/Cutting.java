package roll.batching;

import java.util.Arrays;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.config.SequencePacking;
import roll.api.config.WorkerConfig;
import roll.api.strategy.TokenBatch;

/** How a batch is cut into micro-batches; what comes of it depends on the batch alone. */
@ProviderType
public sealed interface Cutting {
  /** Most tokens of a micro-batch that a frozen model scores without a budget of its own. */
  int MOST_FROZEN = 4096;

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
    SequencePacking packing = worker.budgets().packing();
    if (packing != null) {
      return new Packed(most, packing.minTrain(), packing.balanced());
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
    SequencePacking packing = worker.budgets().packing();
    if (packing != null) {
      return new Packed(most, packing.minInfer(), packing.balanced());
    }
    return most > 0 ? new Tokens(most) : otherwise;
  }

  /**
   * As {@code worker}, which does not train, is told to score samples of at most {@code
   * sequenceLength} tokens.
   */
  static Cutting frozen(WorkerConfig worker, int sequenceLength) {
    int most = frozenTokens(worker.inferBatchSize(), worker.budgets().infer(), sequenceLength);
    return scoring(worker, new Tokens(most));
  }

  /**
   * Most tokens of a micro-batch that is scored by a frozen model, padding counted; a single sample
   * fits in any case.
   *
   * @param samples how many of the longest samples may be that long together, up to 4,096 tokens
   * @param budget tokens, in place of that; 0 for none
   */
  static int frozenTokens(int samples, int budget, int sequenceLength) {
    long asked = (long) Math.max(1, samples) * sequenceLength;
    int most = budget > 0 ? budget : (int) Math.min(asked, MOST_FROZEN);
    return Math.max(most, sequenceLength);
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
