package roll.batching;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.config.SequencePacking;
import roll.api.config.WorkerConfig;
import roll.api.strategy.TokenBatch;

/** The division of a batch into micro-batches, a function of the batch alone. */
@ProviderType
public sealed interface Cutting
    permits Cutting.Samples, Cutting.Tokens, Cutting.Packed, SharedPrefixes {
  /** Maximum tokens of a micro-batch that a frozen model scores, without a configured budget. */
  int MOST_FROZEN = 4096;

  /** Returns the samples of each micro-batch; samples without scored tokens are omitted. */
  List<int[]> parts(TokenBatch batch);

  /** Returns whether the samples of a micro-batch are packed in one row. */
  boolean packed();

  /** Returns the prefixes that samples of {@code part} have in common, or null without sharing. */
  default @Nullable PrefixTree tree(TokenBatch batch, int[] part) {
    return null;
  }

  /** Returns the number of tokens computed for the samples of {@code part}, including padding. */
  default long computed(TokenBatch batch, int[] part) {
    int[] offsets = batch.offsets();
    var lengths = Arrays.stream(part).map(s -> offsets[s + 1] - offsets[s]);
    return packed() ? lengths.asLongStream().sum() : (long) part.length * lengths.max().orElse(0);
  }

  /**
   * Returns the samples with a scored token in {@code count} shares of about the same work; some
   * are empty if there are fewer samples.
   */
  default List<int[]> shares(TokenBatch batch, int count) {
    int[] offsets = batch.offsets();
    int[] samples = MicroBatches.scored(batch).toArray();
    long[] sizes = Arrays.stream(samples).mapToLong(s -> offsets[s + 1] - offsets[s]).toArray();
    return SequenceBalancing.of(sizes, count).stream()
        .map(share -> Arrays.stream(share).map(i -> samples[i]).toArray())
        .toList();
  }

  /** Returns the share of the tokens of {@code parts} that common prefixes save, 0 to 1. */
  default double shared(TokenBatch batch, List<int[]> parts) {
    return 0;
  }

  /** Returns the division that {@code worker} configures for training. */
  static Cutting training(WorkerConfig worker) {
    int most = worker.budgets().train();
    SequencePacking packing = worker.budgets().packing();
    if (packing != null) {
      return new Packed(most, packing.minTrain(), packing.balanced());
    }
    return most > 0 ? new Tokens(most) : new Samples(worker.training().microBatch());
  }

  /**
   * Returns the division that {@code worker} configures for scoring.
   *
   * @param otherwise default
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
   * Returns the division of a frozen {@code worker} for scoring samples of at most {@code
   * sequenceLength} tokens.
   */
  static Cutting frozen(WorkerConfig worker, int sequenceLength) {
    int most = frozenTokens(worker.inferBatchSize(), worker.budgets().infer(), sequenceLength);
    return scoring(worker, new Tokens(most));
  }

  /**
   * Returns the maximum tokens of a micro-batch that a frozen model scores, including padding; a
   * single sample always fits.
   *
   * @param samples maximum number of samples of the maximum length, up to 4,096 tokens together
   * @param budget token budget instead; 0 for none
   */
  static int frozenTokens(int samples, int budget, int sequenceLength) {
    long asked = (long) Math.max(1, samples) * sequenceLength;
    int most = budget > 0 ? budget : (int) Math.min(asked, MOST_FROZEN);
    return Math.max(most, sequenceLength);
  }

  /**
   * A fixed number of samples ({@link MicroBatches#bySamples}).
   *
   * @param size number of samples
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
   * A token budget ({@link MicroBatches#byTokens}).
   *
   * @param most maximum tokens, including padding
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
   * Packed samples without padding ({@link MicroBatches#packed}).
   *
   * @param most maximum tokens of a micro-batch
   * @param least minimum number of micro-batches
   * @param balanced whether to balance their sizes
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
