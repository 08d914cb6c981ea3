package roll.parallel;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig;
import roll.api.memory.SessionMemory;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.batching.Cutting;
import roll.batching.SharedPrefixes;
import roll.parallel.collective.Collectives;
import roll.parallel.collective.LocalProcess;
import roll.parallel.collective.RankGroup;
import roll.parallel.shard.ParallelLayout;
import roll.parallel.world.MicroBatchLoss;
import roll.parallel.world.OptimizerStep;
import roll.parallel.world.RankProcess;
import roll.parallel.world.ScoredTokens;
import roll.parallel.world.ShardedModelSpec;
import roll.parallel.world.StateRange;
import roll.torch.ComputeFingerprint;
import roll.torch.Device;
import roll.torch.Precision;
import roll.torch.model.Decoder;
import roll.torch.vision.PicturePatches;

/** The ranks of this process, each on a {@link Device} owned by the caller. */
public final class LocalRanks implements RankProcess {
  private final ThreadedRanks ranks;
  private final StateTransfer state;
  private final ParallelLayout layout;
  private final Precision precision;
  private final List<Integer> numbers;
  private final Cutting training;
  private final Cutting scoring;

  /**
   * Creates all ranks of {@code order}, with zero weights.
   *
   * @param devices one for each rank
   * @param patches patches of pictures; null if there are no pictures
   */
  LocalRanks(
      ShardedModelSpec order,
      List<Device> devices,
      Collectives collectives,
      @Nullable PicturePatches patches) {
    this(
        order,
        devices,
        collectives,
        RankGroup.here(
            "ranks", devices.stream().limit(order.layout().ranks()).map(Device::number).toList()),
        LocalProcess.alone(),
        patches);
  }

  /**
   * Creates the ranks of {@code world} in the process of {@code site}, with zero weights, and waits
   * until they are connected to the others.
   *
   * @param order with the devices of these ranks
   * @param devices one for each rank, in their order
   * @param patches patches of pictures; null if there are no pictures
   * @throws roll.api.option.UserException if the collectives for these ranks are not installed
   * @throws roll.parallel.collective.RankFailure if they could not connect
   */
  public LocalRanks(
      ShardedModelSpec order,
      List<Device> devices,
      Collectives collectives,
      RankGroup world,
      LocalProcess site,
      @Nullable PicturePatches patches) {
    this(
        new ThreadedRanks(
            devices,
            order.spec(),
            Precision.of(order.config().worker().model()),
            order.layout(),
            order.trains(),
            collectives,
            world,
            site,
            patches),
        order.layout(),
        Precision.of(order.config().worker().model()),
        order.config().worker().devices(),
        SharedPrefixes.training(order.config().worker(), order.spec(), 1),
        scoring(order));
  }

  /**
   * Creates the ranks of this process from {@code ranks}, which it closes.
   *
   * @param numbers of their devices, or empty
   * @param training makes a rank's micro-batches for training
   * @param scoring makes a rank's micro-batches for scoring
   */
  LocalRanks(
      ThreadedRanks ranks,
      ParallelLayout layout,
      Precision precision,
      List<Integer> numbers,
      Cutting training,
      Cutting scoring) {
    this.ranks = ranks;
    this.state = new StateTransfer(ranks);
    this.layout = layout;
    this.precision = precision;
    this.numbers = numbers;
    this.training = training;
    this.scoring = scoring;
  }

  private static Cutting scoring(ShardedModelSpec order) {
    WorkerConfig worker = order.config().worker();
    Cutting plain = Cutting.scoring(worker, new Cutting.Tokens(tokens(order.config())));
    return SharedPrefixes.scoring(plain, worker, order.spec());
  }

  /** Returns the maximum tokens of a micro-batch that a rank scores. */
  static int tokens(SessionConfig config) {
    WorkerConfig worker = config.worker();
    return worker.budgets().infer() > 0
        ? worker.budgets().infer()
        : Math.multiplyExact(worker.inferBatchSize(), config.sequenceLength());
  }

  /**
   * Returns the common fingerprint of the ranks, which have equal devices and shares of equal
   * shapes.
   */
  ComputeFingerprint machine() {
    Rank rank = ranks.ranks().getFirst();
    Device device = rank.device();
    return device.call(
        () -> ComputeFingerprint.of(device, Decoder.linear(rank.stage().share(), precision)));
  }

  @Override
  public CompletableFuture<Double> accumulate(TokenBatch batch, MicroBatchLoss loss) {
    ShardedBatch work = ShardedBatch.of(batch, layout, training);
    return ranks
        .all(
            rank -> {
              rank.accumulate(work, loss);
              return rank.reduce();
            },
            loss::abort)
        .thenApply(List::getFirst);
  }

  @Override
  public CompletableFuture<Boolean> step(OptimizerStep step) {
    return ranks
        .all(
            rank -> {
              rank.step(step.number(), step.rate(), step.norm(), step.settings());
              rank.rest();
              return true;
            },
            failure -> {})
        .thenApply(List::getFirst);
  }

  @Override
  public CompletableFuture<ScoredTokens> score(TokenBatch batch, int count, boolean adapted) {
    ShardedBatch work = ShardedBatch.of(batch, layout, scoring);
    return ranks
        .all(
            rank -> {
              ScoredTokens scored = rank.score(work, count, adapted);
              rank.rest();
              return scored;
            },
            failure -> {})
        .thenApply(parts -> ScoredTokens.of(parts, count));
  }

  @Override
  public CompletableFuture<Boolean> publish() {
    return ranks
        .all(
            rank -> {
              rank.shards().publish();
              return true;
            },
            failure -> {})
        .thenApply(List::getFirst);
  }

  @Override
  public CompletableFuture<Boolean> gather(StateRange run, MemorySegment numbers) {
    return state.gather(run, numbers);
  }

  @Override
  public CompletableFuture<Boolean> scatter(StateRange run, MemorySegment numbers) {
    return state.scatter(run, numbers);
  }

  @Override
  public List<SessionMemory> peakMemory() {
    return IntStream.range(0, ranks.ranks().size())
        .mapToObj(r -> ranks.ranks().get(r).held(numbers.isEmpty() ? -1 : numbers.get(r)))
        .toList();
  }

  @Override
  public void abort(Throwable cause) {
    ranks.abort(cause);
  }

  @Override
  public void close() {
    state.close();
    ranks.close();
  }
}
