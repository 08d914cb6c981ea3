package roll.cluster.training;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import roll.parallel.collective.RankFailure;
import roll.parallel.collective.Rendezvous;

/** Exchange of addresses between the ranks of one model, on the coordinator. */
final class CoordinatorRendezvous implements Rendezvous {
  private final int ranks;
  private final Map<String, Exchange> exchanges = new HashMap<>();
  private @Nullable Throwable failure;

  private static final class Exchange {
    final byte[][] values;
    final CompletableFuture<List<byte[]>> all = new CompletableFuture<>();
    int count;

    Exchange(int size) {
      values = new byte[size][];
    }
  }

  /** Creates the rendezvous of a group of {@code ranks} ranks, and of its subgroups. */
  CoordinatorRendezvous(int ranks) {
    this.ranks = ranks;
  }

  @Override
  public List<byte[]> exchange(String name, int size, int index, byte[] own, Duration limit) {
    try {
      return add(name, size, index, own).get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new RankFailure(
          "%s: not all %d ranks joined within %d s".formatted(name, size, limit.toSeconds()), e);
    } catch (ExecutionException e) {
      throw RankFailure.of(e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RankFailure(name + ": interrupted", e);
    }
  }

  /** Adds the address of one rank; the result has those of all ranks when they are complete. */
  synchronized CompletableFuture<List<byte[]>> add(String name, int size, int index, byte[] own) {
    if (size < 1 || size > ranks) {
      throw new IllegalArgumentException(
          "%s: invalid group size %d (allowed: 1 to %d)".formatted(name, size, ranks));
    }
    Exchange exchange = exchanges.computeIfAbsent(name, _ -> new Exchange(size));
    if (index < 0 || index >= exchange.values.length || exchange.values[index] != null) {
      throw new IllegalArgumentException(name + ": invalid or repeated index " + index);
    }
    exchange.values[index] = own.clone();
    if (failure != null) {
      exchange.all.completeExceptionally(failure);
    } else if (++exchange.count == exchange.values.length) {
      exchanges.remove(name);
      exchange.all.complete(Arrays.asList(exchange.values));
    }
    return exchange.all;
  }

  /** Fails present and future exchanges with {@code cause}. */
  synchronized void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
    exchanges.values().forEach(exchange -> exchange.all.completeExceptionally(cause));
    exchanges.clear();
  }
}
