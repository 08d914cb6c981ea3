package roll.parallel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import roll.parallel.collective.Communicator;
import roll.parallel.shard.FloatStore;
import roll.parallel.shard.ShardMap;
import roll.parallel.world.StateRange;
import roll.torch.training.TrainState.Kind;

/**
 * Transfers numbers between the shards of this process's ranks and memory in the process of rank 0.
 * Ranks of other processes exchange messages with rank 0 in the group of all ranks, which is used
 * for nothing else. Owns the thread that transfers one range after another, and memory for one
 * message. If all ranks are in this process, it copies on the calling thread.
 */
final class StateTransfer implements AutoCloseable {
  private static final int ROOT = 0;

  private final ThreadedRanks ranks;
  private final ShardMap shares;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().name("roll-state").daemon(true).factory());
  private Arena memory = Arena.ofShared();
  private MemorySegment room = MemorySegment.NULL;

  StateTransfer(ThreadedRanks ranks) {
    this.ranks = ranks;
    this.shares = ranks.shares();
  }

  /**
   * Gathers {@code run} into {@code numbers} if rank 0 is in this process, otherwise sends the
   * numbers of this process to rank 0. Among ranks with the same numbers the first one sends.
   */
  CompletableFuture<Boolean> gather(StateRange run, MemorySegment numbers) {
    return moved(
        () -> {
          for (Rank rank : ranks.ranks()) {
            if (shares.copy(rank.number())) {
              continue;
            }
            if (rootHere()) {
              forEach(
                  rank.number(),
                  run,
                  (segment, share, from, length) ->
                      store(run.kind(), rank, segment).read(share, slice(numbers, from, length)));
            } else {
              send(
                  rank.number(),
                  run,
                  (segment, share, from, part) ->
                      store(run.kind(), rank, segment).read(share, part),
                  message -> rank.links().all().send(message, ROOT));
            }
          }
          if (rootHere()) {
            for (int other : ranks.elsewhere()) {
              if (!shares.copy(other)) {
                receive(
                    other,
                    run,
                    message -> root().receive(message, other),
                    (segment, share, from, part) -> likewise(numbers, from, part).copyFrom(part));
              }
            }
          }
        });
  }

  /**
   * Scatters {@code numbers} to all ranks if rank 0 is in this process, otherwise receives the
   * numbers of this process from rank 0.
   */
  CompletableFuture<Boolean> scatter(StateRange run, MemorySegment numbers) {
    return moved(
        () -> {
          if (rootHere()) {
            for (int other : ranks.elsewhere()) {
              send(
                  other,
                  run,
                  (segment, share, from, part) -> part.copyFrom(likewise(numbers, from, part)),
                  message -> root().send(message, other));
            }
          }
          for (Rank rank : ranks.ranks()) {
            if (rootHere()) {
              forEach(
                  rank.number(),
                  run,
                  (segment, share, from, length) ->
                      store(run.kind(), rank, segment).write(share, slice(numbers, from, length)));
            } else {
              receive(
                  rank.number(),
                  run,
                  message -> rank.links().all().receive(message, ROOT),
                  (segment, share, from, part) ->
                      store(run.kind(), rank, segment).write(share, part));
            }
          }
        });
  }

  private boolean rootHere() {
    return ranks.ranks().getFirst().number() == ROOT;
  }

  private Communicator root() {
    return ranks.ranks().getFirst().links().all();
  }

  private CompletableFuture<Boolean> moved(Runnable work) {
    if (ranks.elsewhere().isEmpty()) {
      work.run();
      return CompletableFuture.completedFuture(true);
    }
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    thread.execute(
        () -> {
          try {
            work.run();
            done.complete(true);
          } catch (Throwable failure) {
            ranks.abort(failure);
            done.completeExceptionally(failure);
          }
        });
    return done;
  }

  /** Moves a piece of a message, which begins at {@code from} in the run. */
  private interface Piece {
    void move(int segment, long share, long from, MemorySegment part);
  }

  /** Sends the concatenated pieces of {@code run} that {@code rank} has. */
  private void send(int rank, StateRange run, Piece fill, Consumer<MemorySegment> send) {
    MemorySegment message = message(rank, run);
    if (message.byteSize() > 0) {
      pieces(rank, run, message, fill);
      send.accept(message);
    }
  }

  private void receive(int rank, StateRange run, Consumer<MemorySegment> receive, Piece take) {
    MemorySegment message = message(rank, run);
    if (message.byteSize() > 0) {
      receive.accept(message);
      pieces(rank, run, message, take);
    }
  }

  private MemorySegment message(int rank, StateRange run) {
    long bytes = Float.BYTES * shares.count(rank, run.first(), run.count(), moments(run));
    if (room.byteSize() < bytes) {
      memory.close();
      memory = Arena.ofShared();
      room = memory.allocate(bytes, 64);
    }
    return room.asSlice(0, bytes);
  }

  private void pieces(int rank, StateRange run, MemorySegment message, Piece piece) {
    long[] at = {0};
    forEach(
        rank,
        run,
        (segment, share, from, length) -> {
          piece.move(segment, share, from, slice(message, at[0], length));
          at[0] += length;
        });
  }

  private void forEach(int rank, StateRange run, ShardMap.Run piece) {
    shares.forEach(rank, run.first(), run.count(), moments(run), piece);
  }

  private static boolean moments(StateRange run) {
    return run.kind() != Kind.WEIGHT;
  }

  private static MemorySegment slice(MemorySegment numbers, long from, long length) {
    return numbers.asSlice(from * Float.BYTES, length * Float.BYTES);
  }

  /** Returns the beginning of {@code numbers} with the size of {@code part}. */
  private static MemorySegment likewise(MemorySegment numbers, long from, MemorySegment part) {
    return numbers.asSlice(from * Float.BYTES, part.byteSize());
  }

  private static FloatStore store(Kind kind, Rank rank, int segment) {
    var state = rank.shards().states().get(segment);
    return switch (kind) {
      case WEIGHT -> state.share();
      case FIRST -> state.first();
      case SECOND -> state.second();
      case FIRST_SCALES, SECOND_SCALES -> throw new IllegalArgumentException("no " + kind);
    };
  }

  /** Waits for all transfers of training state between the ranks, and frees their buffer. */
  @Override
  public void close() {
    thread.close();
    memory.close();
  }
}
