package roll.http;

import java.time.Duration;

/**
 * What clients may take of a listener.
 *
 * @param connections open at once; one more closes the one that has waited longest for its client
 * @param clientConnections the same of one client: an IPv4 address, or the first 64 bits of an IPv6
 *     address
 * @param patience how long a request may take to arrive, its body included, how long a connection
 *     may be idle, and how long a client may take for the rest of an answer
 * @param body most bytes of one body
 * @param bodies most bytes of all bodies that are held at once
 */
public record HttpLimits(
    int connections, int clientConnections, Duration patience, int body, int bodies) {
  /** 1024 connections, 512 of one client; 30 s; 16 MiB a body, 64 MiB together. */
  public static HttpLimits standard() {
    return new HttpLimits(1024, 512, Duration.ofSeconds(30), 16 << 20, 64 << 20);
  }
}
