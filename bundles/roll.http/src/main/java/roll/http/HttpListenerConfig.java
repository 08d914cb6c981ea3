package roll.http;

import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The address, names, certificate and limits of a listener.
 *
 * @param address local address to bind
 * @param port port to bind; 0 for any free one
 * @param names allowed values of Host besides loopback names and the address; * for any
 * @param certificate certificate for TLS; null for plain HTTP
 * @param limits limits for clients
 */
public record HttpListenerConfig(
    InetAddress address,
    int port,
    List<String> names,
    @Nullable PemFiles certificate,
    HttpLimits limits) {
  /** Creates an HTTP listener configuration with immutable copies of the names. */
  public HttpListenerConfig {
    names = List.copyOf(names);
  }
}
