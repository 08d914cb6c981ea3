package roll.http;

import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where to listen, and for whom.
 *
 * @param address of this machine
 * @param port 0 for any that is free
 * @param names that requests may call this machine by, beside those of loopback and the address; *
 *     for any
 * @param certificate for TLS; null for none
 * @param limits what clients may take
 */
public record HttpPlace(
    InetAddress address,
    int port,
    List<String> names,
    @Nullable PemFiles certificate,
    HttpLimits limits) {
  /** A place whose names nobody changes. */
  public HttpPlace {
    names = List.copyOf(names);
  }
}
