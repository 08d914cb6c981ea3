package roll.runtime.serving;

import java.time.Duration;

/**
 * What clients may take of a server.
 *
 * @param requests how many are worked on at once; more are told to come again
 * @param clientRequests the same of one client, which is an address
 * @param connections how many are open at once; one more closes the one that has waited longest for
 *     its client
 * @param clientConnections the same of one client
 * @param patience how long a request may take to arrive, and how long a connection may be idle
 */
public record ServedLimits(
    int requests, int clientRequests, int connections, int clientConnections, Duration patience) {
  /** As many requests of one client as of all; 1024 connections, 512 of one client; 30 s. */
  public static ServedLimits of(int requests) {
    return new ServedLimits(requests, requests, 1024, 512, Duration.ofSeconds(30));
  }
}
