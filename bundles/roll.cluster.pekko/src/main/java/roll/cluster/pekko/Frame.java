package roll.cluster.pekko;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A message on its way.
 *
 * @param kind what it is
 * @param epoch of its sender; of an answer, that of the node that answered
 * @param from the member that sent it
 * @param to the member it is for: another one may listen at its address by now
 * @param call number of the call that it is, or is about
 * @param least of what the caller says: all its calls with a lower number are over
 * @param topic empty in an answer
 * @param body bytes of the caller, or text of a failure
 */
record Frame(
    Kind kind, long epoch, long from, long to, long call, long least, String topic, byte[] body) {
  /** What frames are; the code is what is sent. */
  enum Kind {
    /** A message that is answered. */
    CALL(2),
    ANSWER(3),
    /** The handler failed; the body says how. */
    FAILURE(4),
    /** The call was of an epoch that is over. */
    STALE(5),
    /** The member that the frame was for is no more. */
    GONE(6),
    /** Nobody handles the topic; the body names it. */
    UNANSWERED(7),
    /** Asks whether the call of this number has come, and for its answer, which may be lost. */
    ASKED(8),
    /** It has not come. */
    UNHEARD(9),
    /** The answer to the call of this number is needed no more. */
    TAKEN(10);

    private final byte code;

    Kind(int code) {
      this.code = (byte) code;
    }

    private static Kind of(byte code) {
      for (Kind kind : values()) {
        if (kind.code == code) {
          return kind;
        }
      }
      throw new IllegalArgumentException("frame of kind " + code);
    }
  }

  byte[] encode() {
    byte[] name = topic.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(1 + 5 * Long.BYTES + Short.BYTES + name.length + body.length)
        .put(kind.code)
        .putLong(epoch)
        .putLong(from)
        .putLong(to)
        .putLong(call)
        .putLong(least)
        .putShort((short) name.length)
        .put(name)
        .put(body)
        .array();
  }

  /** Reads what {@link #encode} wrote; throws an unchecked exception if it is something else. */
  static Frame decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    Kind kind = Kind.of(in.get());
    long epoch = in.getLong();
    long from = in.getLong();
    long to = in.getLong();
    long call = in.getLong();
    long least = in.getLong();
    byte[] name = new byte[in.getShort()];
    in.get(name);
    byte[] body = new byte[in.remaining()];
    in.get(body);
    return new Frame(
        kind, epoch, from, to, call, least, new String(name, StandardCharsets.UTF_8), body);
  }

  /** The answer to this frame, of the node that it was for. */
  Frame answer(Kind kind, long epoch, byte[] body) {
    return new Frame(kind, epoch, to, from, call, 0, "", body);
  }
}
