package roll.cluster.inference.codec;

import java.util.List;

/**
 * A strategy that a node offers.
 *
 * @param number of the service, at that node
 * @param names by which a configuration may call it, the canonical one first
 * @param bundle that has it, with its version
 */
public record StrategyOffer(long number, List<String> names, String bundle) {
  /** With at least one name. */
  public StrategyOffer {
    names = List.copyOf(names);
    if (names.isEmpty()) {
      throw new IllegalArgumentException("a strategy without a name");
    }
  }

  /** Writes all of it. */
  public static void write(ByteWriter out, StrategyOffer offer) {
    out.int64(offer.number).list(offer.names, ByteWriter::text).text(offer.bundle);
  }

  /** As {@link #write} wrote it. */
  public static StrategyOffer read(ByteReader in) {
    return new StrategyOffer(in.int64(), in.list(ByteReader::text), in.text());
  }
}
