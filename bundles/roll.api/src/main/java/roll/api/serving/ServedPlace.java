package roll.api.serving;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Where to listen.
 *
 * @param host loopback, or with a key any address of this machine
 * @param port 0 for any that is free
 * @param key that every request must carry as a bearer token, or null
 * @param mostRequests how many requests are worked on at once; more are told to come again
 */
public record ServedPlace(InetAddress host, int port, @Nullable String key, int mostRequests) {
  /** The place without the key, which is nobody's to read. */
  @Override
  public String toString() {
    return host.getHostAddress() + ":" + port;
  }
}
