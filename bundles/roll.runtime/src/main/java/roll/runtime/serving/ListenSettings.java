package roll.runtime.serving;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Address, access and limits of a server.
 *
 * @param host loopback, or with a key any address of this machine
 * @param port 0 for any that is free
 * @param key that every request must carry as a bearer token, or null
 * @param names host names that requests may use besides those of loopback and {@code host}; * for
 *     any
 * @param certificate for TLS; null for none
 * @param limits on clients
 */
public record ListenSettings(
    InetAddress host,
    int port,
    @Nullable String key,
    List<String> names,
    @Nullable Certificate certificate,
    ClientLimits limits) {
  /** Creates the listen settings with immutable copies of the names. */
  public ListenSettings {
    names = List.copyOf(names);
  }

  /** Creates the settings of a server at an address, without TLS, with the default limits. */
  public ListenSettings(InetAddress host, int port, @Nullable String key, int mostRequests) {
    this(host, port, key, List.of(), null, ClientLimits.of(mostRequests));
  }

  /**
   * A TLS certificate in PEM files.
   *
   * @param chain the certificate, then its signers
   * @param key its private key, PKCS#8 without a password
   */
  public record Certificate(Path chain, Path key) {}

  /** Returns host and port without the key, which is secret. */
  @Override
  public String toString() {
    return host.getHostAddress() + ":" + port;
  }
}
