package roll.remote;

import java.net.URI;
import java.util.Optional;

/** Addresses that requests can be sent to. */
public final class WebAddress {
  private WebAddress() {}

  /** {@code text} as an address of http or https with a host; empty if it is none. */
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
