package roll.cluster.services;

import java.util.List;

/**
 * A service that a node offers.
 *
 * @param number service id on that node
 * @param names for configurations, the canonical one first
 * @param bundle name and version of its bundle
 * @param digest SHA-256 of the bundle's jar in hexadecimal digits; empty for a bundle of the
 *     distribution, which its version identifies
 */
public record ServiceOffer(long number, List<String> names, String bundle, String digest) {
  /** Creates an offer with at least one name. */
  public ServiceOffer {
    names = List.copyOf(names);
    if (names.isEmpty()) {
      throw new IllegalArgumentException("a service without a name");
    }
  }
}
