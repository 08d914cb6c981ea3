package roll.http;

import java.time.Duration;

/**
 * Limits of a listener for its clients.
 *
 * @param connections maximum open connections; one more closes the one that has been silent longest
 * @param clientConnections maximum open connections of a client: an IPv4 address, or the first 64
 *     bits of an IPv6 address
 * @param patience timeout of a request including its body, of an idle connection, and of the rest
 *     of an answer
 * @param body maximum bytes of a body
 * @param bodies maximum bytes of all bodies in memory
 */
public record HttpLimits(
    int connections, int clientConnections, Duration patience, int body, int bodies) {
  /**
   * Returns the defaults: 1024 connections, 512 per client; 30 s; 16 MiB per body, 64 MiB in total.
   */
  public static HttpLimits standard() {
    return new HttpLimits(1024, 512, Duration.ofSeconds(30), 16 << 20, 64 << 20);
  }
}
