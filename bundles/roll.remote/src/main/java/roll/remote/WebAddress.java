package roll.remote;

import java.net.URI;
import java.util.Optional;

/** Parser of HTTP addresses. */
public final class WebAddress {
  private WebAddress() {}

  /** Parses an address with the scheme http or https and a host; empty if it is invalid. */
  public static Optional<URI> of(String text) {
    try {
      URI address = URI.create(text);
      boolean web = String.valueOf(address.getScheme()).matches("(?i)https?");
      return web && address.getHost() != null ? Optional.of(address) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
