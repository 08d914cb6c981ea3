package roll.cluster.services;

import java.util.List;

/**
 * A service that a node offers.
 *
 * @param number of the service, at that node
 * @param names by which a configuration may call it, the canonical one first
 * @param bundle that has it, with its version
 * @param digest SHA-256 of the bundle's jar, in hexadecimal digits; empty where name and version
 *     say enough, as those of a distribution do
 */
public record ServiceOffer(long number, List<String> names, String bundle, String digest) {
  /** With at least one name. */
  public ServiceOffer {
    names = List.copyOf(names);
    if (names.isEmpty()) {
      throw new IllegalArgumentException("a service without a name");
    }
  }
}
