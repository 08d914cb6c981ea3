package roll.batching;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig;
import roll.api.model.DecoderSpec;
import roll.api.strategy.TokenBatch;

/**
 * Computes common prefixes of samples once where that is less work than {@code plain}: samples with
 * common prefixes are in the same micro-batches, which need no more memory than those of {@code
 * plain}. Otherwise micro-batches are those of {@code plain}.
 *
 * @param plain makes micro-batches without sharing
 * @param imageToken token of pictures, or −1 for a model without vision
 * @param least minimum number of micro-batches, if there are enough samples
 */
public record SharedPrefixes(Cutting plain, int imageToken, int least) implements Cutting {
  /** Cost of a segment in tokens, beyond its own: an attention call of its own per layer. */
  private static final int SEGMENT_COST = 8;

  private static final int NO_PICTURES = -1;

  /** Maximum share of the plain work for which samples are merged. */
  private static final double WORTH = 0.95;

  /**
   * Returns the cutting for training by {@code worker}, with sharing if it is configured; adapters'
   * dropout excludes it, as it differs between samples.
   *
   * @param lanes number of micro-batches that run in parallel
   */
  public static Cutting training(WorkerConfig worker, DecoderSpec spec, int lanes) {
    Cutting plain = Cutting.training(worker);
    boolean dropout = spec.adapter() != null && spec.adapter().dropout() > 0;
    return dropout ? plain : of(plain, worker, spec, lanes);
  }

  /** Returns {@code plain} for scoring by {@code worker}, with sharing if it is configured. */
  public static Cutting scoring(Cutting plain, WorkerConfig worker, DecoderSpec spec) {
    return of(plain, worker, spec, 1);
  }

  /**
   * Returns {@code plain} for dividing a batch that sessions of {@code worker} score in parts, so
   * that common prefixes stay together; sessions know the token of pictures, the caller does not.
   */
  public static Cutting dividing(Cutting plain, WorkerConfig worker) {
    return of(plain, worker, NO_PICTURES, 1);
  }

  private static Cutting of(Cutting plain, WorkerConfig worker, DecoderSpec spec, int least) {
    int imageToken = spec.vision() == null ? NO_PICTURES : spec.vision().imageToken();
    return of(plain, worker, imageToken, least);
  }

  private static Cutting of(Cutting plain, WorkerConfig worker, int imageToken, int least) {
    int packed = plain instanceof Packed packing ? packing.least() : 1;
    return worker.budgets().sharing()
        ? new SharedPrefixes(plain, imageToken, Math.max(packed, least))
        : plain;
  }

  @Override
  public List<int[]> parts(TokenBatch batch) {
    List<int[]> parts = plain.parts(batch);
    if (parts.isEmpty()) {
      return parts;
    }
    int[] samples = parts.stream().flatMapToInt(Arrays::stream).sorted().toArray();
    PrefixTree tree = tree(batch, samples);
    return tree == null ? parts : fill(batch, samples, tree);
  }

  /**
   * Fills micro-batches in depth-first order, in which neighbors have the longest prefixes; samples
   * with the same first tokens are divided only if one micro-batch cannot hold them.
   */
  private List<int[]> fill(TokenBatch batch, int[] samples, PrefixTree tree) {
    SharedMemory memory = new SharedMemory(tree, batch, samples);
    SharedMemory empty = new SharedMemory(tree, batch, samples);
    long budget = Math.min(budget(batch, samples), Math.ceilDiv(memory.all(), least));
    List<int[]> parts = new ArrayList<>();
    List<Integer> part = new ArrayList<>();
    for (List<Integer> group : tree.groups()) {
      boolean whole = empty.fits(group, budget);
      for (List<Integer> added : whole ? List.of(group) : group.stream().map(List::of).toList()) {
        if (!part.isEmpty() && !memory.fits(added, budget)) {
          parts.add(part.stream().mapToInt(i -> i).toArray());
          part.clear();
          memory.clear();
        }
        added.forEach(memory::add);
        added.forEach(b -> part.add(samples[b]));
      }
    }
    parts.add(part.stream().mapToInt(i -> i).toArray());
    return parts;
  }

  /** Returns the maximum number of tokens of a micro-batch of {@code plain}. */
  private long budget(TokenBatch batch, int[] samples) {
    return switch (plain) {
      case Packed packed -> packed.most();
      case Tokens tokens -> tokens.most();
      case Samples(int size) -> (long) size * longest(batch, samples);
      case SharedPrefixes shared -> shared.budget(batch, samples);
    };
  }

  private static int longest(TokenBatch batch, int[] samples) {
    int[] offsets = batch.offsets();
    return Arrays.stream(samples).map(s -> offsets[s + 1] - offsets[s]).max().orElse(0);
  }

  @Override
  public @Nullable PrefixTree tree(TokenBatch batch, int[] part) {
    PrefixTree tree = PrefixTree.of(batch, part, imageToken, SEGMENT_COST);
    return saves(tree, part.length) ? tree : null;
  }

  /** Returns whether {@code tree} is clearly less work than its samples by themselves. */
  private boolean saves(PrefixTree tree, int samples) {
    long work = tree.size() + (long) SEGMENT_COST * tree.lengths().length;
    long plainCalls = packed() ? samples : 1;
    return work <= WORTH * (tree.sampleTokens() + SEGMENT_COST * plainCalls);
  }

  /** Cuts the samples in depth-first order, if balanced shares without sharing are more work. */
  @Override
  public List<int[]> shares(TokenBatch batch, int count) {
    List<int[]> balanced = plain.shares(batch, count);
    int[] samples = balanced.stream().flatMapToInt(Arrays::stream).sorted().toArray();
    PrefixTree tree = tree(batch, samples);
    if (tree == null) {
      return balanced;
    }
    List<int[]> shares = contiguous(samples, tree, count);
    return most(batch, shares) > WORTH * most(batch, balanced) ? balanced : shares;
  }

  /** Returns the most tokens that one of {@code shares} computes. */
  private long most(TokenBatch batch, List<int[]> shares) {
    return shares.stream()
        .mapToLong(share -> PrefixTree.of(batch, share, imageToken, SEGMENT_COST).size())
        .max()
        .orElse(0);
  }

  private static List<int[]> contiguous(int[] samples, PrefixTree tree, int count) {
    List<List<Integer>> shares = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      shares.add(new ArrayList<>());
    }
    for (int b : tree.depthFirst()) {
      int[] positions = tree.positions()[b];
      long end = positions[positions.length - 1];
      shares.get((int) (end * count / tree.size())).add(samples[b]);
    }
    return shares.stream()
        .map(share -> share.stream().mapToInt(i -> i).sorted().toArray())
        .toList();
  }

  @Override
  public boolean packed() {
    return plain.packed();
  }

  @Override
  public long computed(TokenBatch batch, int[] part) {
    PrefixTree tree = tree(batch, part);
    return tree == null ? plain.computed(batch, part) : tree.size();
  }

  @Override
  public double shared(TokenBatch batch, List<int[]> parts) {
    long all = 0;
    long saved = 0;
    for (int[] part : parts) {
      PrefixTree tree = PrefixTree.of(batch, part, imageToken, SEGMENT_COST);
      all += tree.sampleTokens();
      saved += saves(tree, part.length) ? tree.sampleTokens() - tree.size() : 0;
    }
    return all == 0 ? 0 : (double) saved / all;
  }
}
