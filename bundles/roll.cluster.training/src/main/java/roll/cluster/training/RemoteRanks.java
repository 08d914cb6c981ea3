package roll.cluster.training;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.image.Picture;
import roll.api.memory.DeviceMemory;
import roll.api.rank.RanksLostException;
import roll.api.strategy.TokenBatch;
import roll.cluster.inference.codec.BatchMessage;
import roll.cluster.inference.codec.CallPictures;
import roll.cluster.services.RemoteCalls;
import roll.cluster.services.codec.RecordCodec;
import roll.parallel.collective.RankFailure;
import roll.parallel.world.MicroBatchLoss;
import roll.parallel.world.OptimizerStep;
import roll.parallel.world.RankProcess;
import roll.parallel.world.ScoredTokens;
import roll.parallel.world.StateRange;

/** Ranks on another node, on the coordinator. */
final class RemoteRanks implements RankProcess {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteRanks.class);

  private static final RecordCodec BATCH = RecordCodec.of(BatchMessage.class);

  /** Time after an abort in which the node must answer open commands. */
  private static final long ABORT_SECONDS = 20;

  private final RankCalls calls;
  private final RankKey key;
  private final AtomicLong lastCommand;
  private final Runnable closed;
  private final Map<Long, CompletableFuture<?>> running = new ConcurrentHashMap<>();
  private volatile @Nullable MicroBatchLoss loss;

  /**
   * Creates a proxy.
   *
   * @param lastCommand number of the last command to that node, of all sessions
   * @param closed called when the ranks are closed
   */
  RemoteRanks(RankCalls calls, RankKey key, AtomicLong lastCommand, Runnable closed) {
    this.calls = calls;
    this.key = key;
    this.lastCommand = lastCommand;
    this.closed = closed;
  }

  /** Loss of the step in progress, or null. */
  @Nullable MicroBatchLoss loss() {
    return loss;
  }

  /** A command, which receives its number. */
  private interface Command<T> {
    CompletableFuture<RankAnswer<T>> to(RankHost host, long number);
  }

  /** Sends images and then the command. */
  private <T> CompletableFuture<T> command(List<List<Picture>> pictures, Command<T> command) {
    long number = lastCommand.incrementAndGet();
    RankHost host = calls.host(RankCalls.LONG);
    CompletableFuture<T> answer =
        CallPictures.bring(pictures, part -> calls.value(host.show(key, number, part)))
            .thenCompose(_ -> calls.value(command.to(host, number)));
    running.put(number, answer);
    return answer.whenComplete((_, _) -> running.remove(number));
  }

  /** Creates and checks a message before it takes a number, for which later commands would wait. */
  private BatchMessage message(TokenBatch batch, CallPictures pictures) {
    BatchMessage message = BatchMessage.of(batch, pictures);
    calls.checkSize(BATCH, message);
    return message;
  }

  @Override
  public CompletableFuture<Double> accumulate(TokenBatch batch, MicroBatchLoss loss) {
    this.loss = loss;
    CallPictures pictures = CallPictures.of(batch);
    List<List<Picture>> parts = pictures.parts();
    BatchMessage message = message(batch, pictures);
    return command(parts, (host, number) -> host.accumulate(key, number, message))
        .whenComplete((_, _) -> this.loss = null);
  }

  @Override
  public CompletableFuture<Boolean> step(OptimizerStep step) {
    return command(List.of(), (host, number) -> host.step(key, number, step));
  }

  @Override
  public CompletableFuture<ScoredTokens> score(TokenBatch batch, int count, boolean adapted) {
    CallPictures pictures = CallPictures.of(batch);
    List<List<Picture>> parts = pictures.parts();
    BatchMessage message = message(batch, pictures);
    return command(parts, (host, number) -> host.score(key, number, message, count, adapted));
  }

  @Override
  public CompletableFuture<Boolean> publish() {
    return command(List.of(), (host, number) -> host.publish(key, number));
  }

  /** The parameters are sent from rank to rank. */
  @Override
  public CompletableFuture<Boolean> gather(StateRange run, MemorySegment numbers) {
    return command(List.of(), (host, number) -> host.gather(key, number, run));
  }

  @Override
  public CompletableFuture<Boolean> scatter(StateRange run, MemorySegment numbers) {
    return command(List.of(), (host, number) -> host.scatter(key, number, run));
  }

  @Override
  public List<DeviceMemory> peakMemory() {
    return RemoteCalls.await(calls.value(calls.host(RankCalls.SHORT).held(key)));
  }

  /** Informs the node, and fails commands that it does not answer in time. */
  @Override
  public void abort(Throwable cause) {
    calls.host(RankCalls.SHORT).abort(key, String.valueOf(cause.getMessage()));
    CompletableFuture.delayedExecutor(ABORT_SECONDS, TimeUnit.SECONDS)
        .execute(
            () ->
                running.forEach(
                    (_, answer) ->
                        answer.completeExceptionally(
                            new RankFailure("node " + calls.member() + " does not answer"))));
  }

  /** Closes the ranks; a lost node has closed its own. */
  @Override
  public void close() {
    try {
      var unused = RemoteCalls.await(calls.value(calls.host(RankCalls.SHORT).close(key)));
    } catch (RanksLostException e) {
      LOG.debug("nothing to close", e);
    } catch (RuntimeException e) {
      LOG.warn("ranks {} were not closed: {}", key, e.getMessage());
    } finally {
      closed.run();
    }
  }
}
