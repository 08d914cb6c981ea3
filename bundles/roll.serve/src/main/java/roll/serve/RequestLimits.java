package roll.serve;

import java.util.HashMap;
import java.util.Map;
import roll.openai.request.ApiException;
import roll.runtime.serving.ClientLimits;

/** How many requests are worked on, of each client and together. */
final class RequestLimits {
  private final ClientLimits limits;
  private final Map<Object, Integer> taken = new HashMap<>();
  private int all;

  RequestLimits(ClientLimits limits) {
    this.limits = limits;
  }

  /** One, until it is closed. */
  interface Permit extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Takes one.
   *
   * @throws ApiException 429 if {@code client}, or all together, have as many as they may
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
