package roll.runtime.serving;

import java.time.Duration;

/**
 * Limits on the clients of a server.
 *
 * @param requests how many are processed at once; others are rejected for a later retry
 * @param clientRequests the same per client (address)
 * @param connections how many are open at once; one more closes the connection that has been idle
 *     longest
 * @param clientConnections the same per client
 * @param patience how long a request may take to arrive, and how long a connection may be idle
 */
public record ClientLimits(
    int requests, int clientRequests, int connections, int clientConnections, Duration patience) {
  /**
   * Returns limits with as many requests per client as in total, 1024 connections, 512 per client,
   * and 30 s.
   */
  public static ClientLimits of(int requests) {
    return new ClientLimits(requests, requests, 1024, 512, Duration.ofSeconds(30));
  }
}
