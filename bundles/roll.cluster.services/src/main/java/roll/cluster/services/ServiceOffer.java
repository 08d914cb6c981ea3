package roll.cluster.services;

import java.util.List;
import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;

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

  /** Writes all of it. */
  public static void write(ByteWriter out, ServiceOffer offer) {
    out.int64(offer.number)
        .list(offer.names, ByteWriter::text)
        .text(offer.bundle)
        .text(offer.digest);
  }

  /** As {@link #write} wrote it. */
  public static ServiceOffer read(ByteReader in) {
    return new ServiceOffer(in.int64(), in.list(ByteReader::text), in.text(), in.text());
  }
}
