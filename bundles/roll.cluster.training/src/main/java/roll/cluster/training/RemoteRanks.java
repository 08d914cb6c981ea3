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
import roll.api.memory.SessionMemory;
import roll.api.rank.RanksLostException;
import roll.api.strategy.TokenBatch;
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

  private static final RecordCodec BATCH = RecordCodec.of(TokenBatch.class);

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

  /** A command for remote ranks, which receives its sequence number. */
  private interface Command<T> {
    CompletableFuture<RankAnswer<T>> to(RankHost host, long number);
  }

  private <T> CompletableFuture<T> command(Command<T> command) {
    long number = lastCommand.incrementAndGet();
    CompletableFuture<T> answer = calls.value(command.to(calls.host(RankCalls.LONG), number));
    running.put(number, answer);
    return answer.whenComplete((_, _) -> running.remove(number));
  }

  @Override
  public CompletableFuture<Double> accumulate(TokenBatch batch, MicroBatchLoss loss) {
    this.loss = loss;
    calls.checkSize(BATCH, batch); // a command that cannot be sent must not take a number
    return command((host, number) -> host.accumulate(key, number, batch))
        .whenComplete((_, _) -> this.loss = null);
  }

  @Override
  public CompletableFuture<Boolean> step(OptimizerStep step) {
    return command((host, number) -> host.step(key, number, step));
  }

  @Override
  public CompletableFuture<ScoredTokens> score(TokenBatch batch, int count, boolean adapted) {
    calls.checkSize(BATCH, batch); // a command that cannot be sent must not take a number
    return command((host, number) -> host.score(key, number, batch, count, adapted));
  }

  @Override
  public CompletableFuture<Boolean> publish() {
    return command((host, number) -> host.publish(key, number));
  }

  /** The parameters are sent from rank to rank. */
  @Override
  public CompletableFuture<Boolean> gather(StateRange run, MemorySegment numbers) {
    return command((host, number) -> host.gather(key, number, run));
  }

  @Override
  public CompletableFuture<Boolean> scatter(StateRange run, MemorySegment numbers) {
    return command((host, number) -> host.scatter(key, number, run));
  }

  @Override
  public List<SessionMemory> peakMemory() {
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
