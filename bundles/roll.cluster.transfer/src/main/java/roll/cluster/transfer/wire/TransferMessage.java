package roll.cluster.transfer.wire;

/** What two nodes say to each other, beside the bytes of chunks. Arrays are not copied. */
public sealed interface TransferMessage {
  /** The first word of whoever opened the connection. */
  record Hello(int protocol, String run, String node) implements TransferMessage {}

  /** The answer to it. */
  record Welcome(String node) implements TransferMessage {}

  /** Asks for a version of at least this number, for which to wait at most so long. */
  record AskManifest(String channel, long epoch, long atLeast, int waitMillis)
      implements TransferMessage {}

  /** The beginning of a manifest: all but the digests. */
  record Head(byte[] bytes) implements TransferMessage {}

  /** Digests of chunks from number {@code first} on, as soon as they are known. */
  record Digests(int first, byte[] bytes) implements TransferMessage {}

  /** The end of a manifest: the digest of all of it. */
  record Complete(byte[] digest) implements TransferMessage {}

  /** Asks for chunks: pairs of a first number and a count. */
  record AskChunks(String channel, long epoch, long number, int[] ranges)
      implements TransferMessage {}

  /** A chunk, whose bytes follow. */
  record Chunk(int index, int bytes) implements TransferMessage {}

  /** A chunk that was asked for and is not there. */
  record Absent(int index) implements TransferMessage {}

  /**
   * Asks which chunks are there, to be answered when there are {@code least} more than {@code
   * known}, or after the wait.
   */
  record AskHeld(String channel, long epoch, long number, int known, int least, int waitMillis)
      implements TransferMessage {}

  /** Which chunks are there: bits, as {@link java.util.BitSet#toByteArray} has them. */
  record HeldChunks(byte[] bits) implements TransferMessage {}

  /** Whoever asked is still there, and uses the version of its last manifest. */
  record Ping() implements TransferMessage {}

  /** What was asked for is refused. */
  record Refused(Reason reason, String text) implements TransferMessage {}

  /** Why. */
  enum Reason {
    /** There is no such version yet. */
    NONE(1),
    /** The version is there no more. */
    GONE(2),
    /** Whoever asked is of an older epoch. */
    STALE(3),
    /** Another run, another protocol, another name, or too many connections. */
    STRANGER(4);

    private final int number;

    Reason(int number) {
      this.number = number;
    }

    /** What stands for it in a message. */
    int number() {
      return number;
    }
  }
}
