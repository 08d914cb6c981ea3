package roll.cluster.training;

import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;

/**
 * Which ranks a message is about.
 *
 * @param life of whoever decides: commands of another are not of the same order
 * @param session of it
 */
record RankKey(long life, long session) {
  /** A message that begins with it. */
  ByteWriter message() {
    return new ByteWriter().int64(life).int64(session);
  }

  static RankKey read(ByteReader in) {
    return new RankKey(in.int64(), in.int64());
  }
}
