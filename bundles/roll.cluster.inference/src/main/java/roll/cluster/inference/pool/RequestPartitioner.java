package roll.cluster.inference.pool;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import roll.api.strategy.AsyncCalls;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;

/**
 * Divides the requests of a synchronous run into partitions. The partitions depend on the requests
 * alone; the scheduler assigns them to engines.
 */
final class RequestPartitioner {
  private final EnginePool pool;
  private final int size;
  private final AtomicLong salts = new AtomicLong();
  private List<RequestPartition> partitions = new ArrayList<>();

  /**
   * Creates an empty set of partitions.
   *
   * @param size maximum number of requests of a call in one partition
   */
  RequestPartitioner(EnginePool pool, int size) {
    this.pool = pool;
    this.size = size;
  }

  /** Part of a call: the indices of its requests. */
  private record Part(RequestPartition partition, List<Integer> numbers) {}

  /** Removes all partitions, as caches are of no use any more. */
  synchronized void end() {
    partitions = new ArrayList<>();
    pool.releasePartitions();
  }

  /** Generates the responses in the order of {@code requests}. */
  CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
    List<Part> parts = share(requests).stream().filter(part -> !part.numbers.isEmpty()).toList();
    List<CompletableFuture<List<Generation>>> asked = new ArrayList<>();
    for (Part part : parts) {
      asked.add(ask(part.partition, part.numbers.stream().map(requests::get).toList()));
    }
    return Futures.all(
        asked,
        found -> {
          Generation[] all = new Generation[requests.size()];
          for (int i = 0; i < parts.size(); i++) {
            for (int k = 0; k < parts.get(i).numbers.size(); k++) {
              all[parts.get(i).numbers.get(k)] = found.get(i).get(k);
            }
          }
          return Arrays.asList(all);
        });
  }

  private CompletableFuture<List<Generation>> ask(
      RequestPartition partition, List<GenerationRequest> requests) {
    return AsyncCalls.then(
        pool.submit(
            engine -> AsyncCalls.then(partition.ask(engine, requests), engine::counted),
            EnginePool.cost(requests),
            partition),
        generations -> {
          partition.record(requests, generations);
          return generations;
        });
  }

  /**
   * Adds each request to the partition with the longest common prefix, and among equal ones to the
   * partition with the fewest requests of this call. No partition gets more than {@link #size}.
   */
  private synchronized List<Part> share(List<GenerationRequest> requests) {
    while (partitions.size() * (long) size < requests.size()) {
      partitions.add(new RequestPartition(salts));
    }
    List<Part> parts =
        partitions.stream().map(partition -> new Part(partition, new ArrayList<>())).toList();
    for (int i = 0; i < requests.size(); i++) {
      best(parts, requests.get(i)).numbers.add(i);
    }
    return parts;
  }

  private Part best(List<Part> parts, GenerationRequest request) {
    Part best = null;
    int most = 0;
    for (Part part : parts) {
      int common = part.numbers.size() < size ? part.partition.common(request) : -1;
      boolean fewer = best == null || part.numbers.size() < best.numbers.size();
      if (common > most || (common == most && fewer)) {
        most = common;
        best = part;
      }
    }
    if (best == null) {
      throw new IllegalStateException("no partition has room");
    }
    return best;
  }
}
