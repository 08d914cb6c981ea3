package roll.serve;

import java.util.HashMap;
import java.util.Map;
import roll.openai.request.ApiException;
import roll.runtime.serving.ClientLimits;

/** Limits the number of concurrent requests, per client and in total. */
final class RequestLimits {
  private final ClientLimits limits;
  private final Map<Object, Integer> taken = new HashMap<>();
  private int all;

  RequestLimits(ClientLimits limits) {
    this.limits = limits;
  }

  /** A counted request, until it is closed. */
  interface Permit extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Counts a request of {@code client} against the limits.
   *
   * @throws ApiException 429 if {@code client}, or all clients together, have reached the maximum
   */
  synchronized Permit take(Object client) {
    int own = taken.getOrDefault(client, 0);
    if (own >= limits.clientRequests() || all >= limits.requests()) {
      throw ApiException.busy(Math.min(limits.requests(), limits.clientRequests()));
    }
    taken.put(client, own + 1);
    all++;
    return () -> giveBack(client);
  }

  private synchronized void giveBack(Object client) {
    taken.computeIfPresent(client, (_, own) -> own == 1 ? null : own - 1);
    all--;
  }
}
