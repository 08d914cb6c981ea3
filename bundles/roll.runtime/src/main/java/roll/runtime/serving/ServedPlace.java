package roll.runtime.serving;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where to listen, and for whom.
 *
 * @param host loopback, or with a key any address of this machine
 * @param port 0 for any that is free
 * @param key that every request must carry as a bearer token, or null
 * @param names that requests may call this machine by, beside those of loopback and {@code host}; *
 *     for any
 * @param certificate for TLS; null for none
 * @param limits what clients may take
 */
public record ServedPlace(
    InetAddress host,
    int port,
    @Nullable String key,
    List<String> names,
    @Nullable Certificate certificate,
    ServedLimits limits) {
  /** A place whose names nobody changes. */
  public ServedPlace {
    names = List.copyOf(names);
  }

  /** A place by its own name, without TLS, with the standard limits. */
  public ServedPlace(InetAddress host, int port, @Nullable String key, int mostRequests) {
    this(host, port, key, List.of(), null, ServedLimits.of(mostRequests));
  }

  /**
   * A certificate in PEM files.
   *
   * @param chain the certificate, then those it is signed by
   * @param key its private key, PKCS#8 without a password
   */
  public record Certificate(Path chain, Path key) {}

  /** The place without the key, which is nobody's to read. */
  @Override
  public String toString() {
    return host.getHostAddress() + ":" + port;
  }
}
