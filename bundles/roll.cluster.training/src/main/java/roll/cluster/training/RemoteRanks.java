package roll.cluster.training;

import java.lang.foreign.MemorySegment;
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
import roll.api.image.Picture;
import roll.api.memory.DeviceMemory;
import roll.api.rank.RanksLostException;
import roll.api.strategy.TokenBatch;
import roll.cluster.inference.codec.CallPictures;
import roll.cluster.inference.codec.MeasurementCodec;
import roll.cluster.inference.codec.ScoreCodec;
import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;
import roll.parallel.collective.RankFailure;
import roll.parallel.world.MicroBatchLoss;
import roll.parallel.world.OptimizerStep;
import roll.parallel.world.RankProcess;
import roll.parallel.world.ScoredCells;
import roll.parallel.world.StateRun;

/** Ranks on another node. */
final class RemoteRanks implements RankProcess {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteRanks.class);

  /** Seconds in which a node that was told that others have failed ends its work. */
  private static final long PATIENCE = 20;

  private final RankCalls calls;
  private final RankKey key;
  private final AtomicLong order;
  private final Runnable closed;
  private final Map<Long, CompletableFuture<?>> running = new ConcurrentHashMap<>();
  private volatile @Nullable MicroBatchLoss loss;

  /**
   * Ranks that were opened there.
   *
   * @param order the number of the last command to that node, of all sessions
   * @param closed called when they are closed
   */
  RemoteRanks(RankCalls calls, RankKey key, AtomicLong order, Runnable closed) {
    this.calls = calls;
    this.key = key;
    this.order = order;
    this.closed = closed;
  }

  /** The loss of the step in progress, or null. */
  @Nullable MicroBatchLoss loss() {
    return loss;
  }

  private <T> CompletableFuture<T> command(
      String topic, Function<ByteWriter, ByteWriter> content, Function<ByteReader, T> how) {
    return command(topic, List.of(), content, how);
  }

  /**
   * Brings pictures and then a command. What does not fit a message takes no number, for the node
   * would wait for it.
   */
  private <T> CompletableFuture<T> command(
      String topic,
      List<List<Picture>> pictures,
      Function<ByteWriter, ByteWriter> content,
      Function<ByteReader, T> how) {
    byte[] fits = calls.bytes(content.apply(key.message().int64(0)));
    long number = order.incrementAndGet();
    byte[] message = content.apply(key.message().int64(number)).toBytes();
    if (fits.length != message.length) {
      throw new IllegalStateException("a message of changing length");
    }
    CompletableFuture<T> answer =
        bring(number, pictures).thenCompose(_ -> calls.ask(topic, message, RankCalls.LONG, how));
    running.put(number, answer);
    return answer.whenComplete((_, _) -> running.remove(number));
  }

  /** One message after the other. */
  private CompletableFuture<Boolean> bring(long number, List<List<Picture>> parts) {
    if (parts.isEmpty()) {
      return CompletableFuture.completedFuture(true);
    }
    byte[] part =
        key.message().int64(number).of(parts.getFirst(), CallPictures::writePart).toBytes();
    return calls
        .ask(TrainingTopics.PICTURES, part, RankCalls.LONG, _ -> true)
        .thenCompose(_ -> bring(number, parts.subList(1, parts.size())));
  }

  @Override
  public CompletableFuture<Double> accumulate(TokenBatch batch, MicroBatchLoss loss) {
    this.loss = loss;
    CallPictures pictures = CallPictures.of(batch);
    return command(
            TrainingTopics.ACCUMULATE,
            pictures.parts(),
            to -> written(to, batch, pictures),
            ByteReader::float64)
        .whenComplete((_, _) -> this.loss = null);
  }

  @Override
  public CompletableFuture<Boolean> step(OptimizerStep step) {
    return command(TrainingTopics.STEP, to -> to.of(step, OrderCodec::write), _ -> true);
  }

  @Override
  public CompletableFuture<ScoredCells> score(TokenBatch batch, int count, boolean adapted) {
    CallPictures pictures = CallPictures.of(batch);
    return command(
        TrainingTopics.SCORE,
        pictures.parts(),
        to -> written(to.int32(count).bool(adapted), batch, pictures),
        ColumnCodec::scored);
  }

  private static ByteWriter written(ByteWriter to, TokenBatch batch, CallPictures pictures) {
    ScoreCodec.write(to, batch, pictures);
    return to;
  }

  @Override
  public CompletableFuture<Boolean> publish() {
    return command(TrainingTopics.PUBLISH, to -> to, _ -> true);
  }

  /** The numbers themselves go from rank to rank. */
  @Override
  public CompletableFuture<Boolean> gather(StateRun run, MemorySegment numbers) {
    return command(TrainingTopics.GATHER, to -> to.of(run, OrderCodec::write), _ -> true);
  }

  @Override
  public CompletableFuture<Boolean> scatter(StateRun run, MemorySegment numbers) {
    return command(TrainingTopics.SCATTER, to -> to.of(run, OrderCodec::write), _ -> true);
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
