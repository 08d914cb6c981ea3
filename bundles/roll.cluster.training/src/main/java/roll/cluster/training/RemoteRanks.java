package roll.cluster.training;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.memory.DeviceMemory;
import roll.api.rank.RanksLostException;
import roll.api.strategy.TokenBatch;
import roll.cluster.inference.codec.MeasurementCodec;
import roll.cluster.inference.codec.ScoreCodec;
import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;
import roll.torch.collective.RankFailure;
import roll.torch.parallel.shard.RankShares;
import roll.torch.parallel.world.MicroBatchLoss;
import roll.torch.parallel.world.OptimizerStep;
import roll.torch.parallel.world.RankProcess;
import roll.torch.parallel.world.ScoredCells;
import roll.torch.training.TrainState.Kind;

/** Ranks on another node. */
final class RemoteRanks implements RankProcess {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteRanks.class);

  /** How many runs of numbers are under way at once. */
  private static final int WINDOW = 4;

  /** Seconds in which a node that was told that others have failed ends its work. */
  private static final long PATIENCE = 20;

  private final RankCalls calls;
  private final RankKey key;
  private final AtomicLong order;
  private final RankShares shares;
  private final Runnable closed;
  private final Map<Long, CompletableFuture<?>> running = new ConcurrentHashMap<>();
  private volatile @Nullable MicroBatchLoss loss;

  /**
   * Ranks that were opened there.
   *
   * @param order the number of the last command to that node, of all sessions
   * @param shares what of the model they have
   * @param closed called when they are closed
   */
  RemoteRanks(RankCalls calls, RankKey key, AtomicLong order, RankShares shares, Runnable closed) {
    this.calls = calls;
    this.key = key;
    this.order = order;
    this.shares = shares;
    this.closed = closed;
  }

  /** The loss of the step in progress, or null. */
  @Nullable MicroBatchLoss loss() {
    return loss;
  }

  /** What does not fit a message takes no number, for the node would wait for it. */
  private <T> CompletableFuture<T> command(
      String topic, Function<ByteWriter, ByteWriter> content, Function<ByteReader, T> how) {
    byte[] fits = calls.bytes(content.apply(key.message().int64(0)));
    long number = order.incrementAndGet();
    byte[] message = content.apply(key.message().int64(number)).toBytes();
    if (fits.length != message.length) {
      throw new IllegalStateException("a message of changing length");
    }
    CompletableFuture<T> answer = calls.ask(topic, message, RankCalls.LONG, how);
    running.put(number, answer);
    return answer.whenComplete((_, _) -> running.remove(number));
  }

  @Override
  public CompletableFuture<Double> accumulate(TokenBatch batch, MicroBatchLoss loss) {
    this.loss = loss;
    return command(
            TrainingTopics.ACCUMULATE, to -> to.of(batch, ScoreCodec::write), ByteReader::float64)
        .whenComplete((_, _) -> this.loss = null);
  }

  @Override
  public CompletableFuture<Boolean> step(OptimizerStep step) {
    return command(TrainingTopics.STEP, to -> to.of(step, OrderCodec::write), _ -> true);
  }

  @Override
  public CompletableFuture<ScoredCells> score(TokenBatch batch, int count) {
    return command(
        TrainingTopics.SCORE,
        to -> to.int32(count).of(batch, ScoreCodec::write),
        ColumnCodec::scored);
  }

  @Override
  public CompletableFuture<Boolean> publish() {
    return command(TrainingTopics.PUBLISH, to -> to, _ -> true);
  }

  /** A run that is under way. */
  private record Moving(StateRun run, long from, CompletableFuture<byte[]> bytes) {
    MemorySegment part(MemorySegment all) {
      return all.asSlice(from * Float.BYTES, run.count() * Float.BYTES);
    }
  }

  private interface Move {
    CompletableFuture<byte[]> begin(StateRun run, MemorySegment part);
  }

  private void move(
      Kind kind, int parameter, long first, MemorySegment all, Move move, boolean back) {
    Deque<Moving> moving = new ArrayDeque<>();
    long count = all.byteSize() / Float.BYTES;
    for (long at = 0; at < count; at += StateRun.MOST) {
      StateRun run = new StateRun(kind, parameter, first + at, Math.min(StateRun.MOST, count - at));
      if (run.there(shares) > 0) {
        if (moving.size() == WINDOW) {
          end(moving.remove(), all, back);
        }
        MemorySegment part = all.asSlice(at * Float.BYTES, run.count() * Float.BYTES);
        moving.add(new Moving(run, at, move.begin(run, part)));
      }
    }
    moving.forEach(each -> end(each, all, back));
  }

  private void end(Moving moving, MemorySegment all, boolean back) {
    byte[] packed = RankCalls.await(moving.bytes());
    if (back) {
      moving.run().unpack(shares, packed, moving.part(all));
    }
  }

  @Override
  public void read(Kind kind, int parameter, long first, MemorySegment target) {
    move(
        kind,
        parameter,
        first,
        target,
        (run, _) ->
            calls.ask(
                TrainingTopics.READ,
                key.message().of(run, StateRun::write).toBytes(),
                RankCalls.SHORT,
                ByteReader::bytes),
        true);
  }

  @Override
  public void write(Kind kind, int parameter, long first, MemorySegment source) {
    move(
        kind,
        parameter,
        first,
        source,
        (run, part) ->
            calls.ask(
                TrainingTopics.WRITE,
                key.message().of(run, StateRun::write).bytes(run.pack(shares, part)).toBytes(),
                RankCalls.SHORT,
                _ -> new byte[0]),
        false);
  }

  @Override
  public List<DeviceMemory> held() {
    return RankCalls.await(
        calls.ask(
            TrainingTopics.HELD,
            key.message().toBytes(),
            RankCalls.SHORT,
            MeasurementCodec::devices));
  }

  /** Tells the node; an answer that does not come then is not waited for. */
  @Override
  public void abort(Throwable cause) {
    String why = String.valueOf(cause.getMessage());
    calls
        .membership()
        .send(calls.member(), TrainingTopics.ABORT, key.message().text(why).toBytes());
    CompletableFuture.delayedExecutor(PATIENCE, TimeUnit.SECONDS)
        .execute(
            () ->
                running.forEach(
                    (_, answer) ->
                        answer.completeExceptionally(
                            new RankFailure("node " + calls.member() + " does not answer"))));
  }

  /** Closes the ranks there; a node that is lost has closed them. */
  @Override
  public void close() {
    try {
      RankCalls.await(
          calls.ask(TrainingTopics.CLOSE, key.message().toBytes(), RankCalls.SHORT, _ -> true));
    } catch (RanksLostException e) {
      LOG.debug("nothing to close", e);
    } catch (RuntimeException e) {
      LOG.warn("ranks {} were not closed: {}", key, e.getMessage());
    } finally {
      closed.run();
    }
  }
}
