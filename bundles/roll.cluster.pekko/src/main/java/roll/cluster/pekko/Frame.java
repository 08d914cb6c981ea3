package roll.cluster.pekko;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A message of the protocol between members.
 *
 * @param kind type of the message
 * @param epoch epoch of its sender
 * @param from uid of the sending member
 * @param to uid of the receiving member; another one may have taken over its address
 * @param call number of the call that it is, or refers to
 * @param floor all calls of the sender to this receiver with a lower number are finished; 0 in an
 *     answer
 * @param topic empty in all but calls
 * @param body message of the caller, answer, or text of a failure
 */
record Frame(
    Kind kind, long epoch, long from, long to, long call, long floor, String topic, byte[] body) {
  /** Types of frames, in the order of their codes. */
  enum Kind {
    /** Call of a handler, which is answered. */
    CALL,
    ANSWER,
    /** The handler failed; the body is the message. */
    FAILURE,
    /** Frame kind: the call has an old epoch. */
    STALE,
    /** The receiver of the frame is no longer a member. */
    GONE,
    /** No handler is registered for the topic, which is the body. */
    NO_HANDLER,
    /**
     * Frame kind: query whether a call was received, and for its answer, which may have been lost.
     */
    QUERY,
    /** Frame kind: the queried call was not received. */
    NOT_RECEIVED,
    /** The caller no longer needs the answer to the call. */
    RELEASE
  }

  private static final List<Kind> CODES = List.of(Kind.values());

  byte[] encode() {
    byte[] name = topic.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(1 + 5 * Long.BYTES + Short.BYTES + name.length + body.length)
        .put((byte) CODES.indexOf(kind))
        .putLong(epoch)
        .putLong(from)
        .putLong(to)
        .putLong(call)
        .putLong(floor)
        .putShort((short) name.length)
        .put(name)
        .put(body)
        .array();
  }

  /** Reads the output of {@link #encode}; throws an unchecked exception for malformed bytes. */
  static Frame decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    Kind kind = CODES.get(in.get());
    long epoch = in.getLong();
    long from = in.getLong();
    long to = in.getLong();
    long call = in.getLong();
    long floor = in.getLong();
    byte[] name = new byte[in.getShort()];
    in.get(name);
    byte[] body = new byte[in.remaining()];
    in.get(body);
    return new Frame(
        kind, epoch, from, to, call, floor, new String(name, StandardCharsets.UTF_8), body);
  }

  /** Returns an answer to this frame. */
  Frame answer(Kind kind, long epoch, byte[] body) {
    return new Frame(kind, epoch, to, from, call, 0, "", body);
  }

  /** Returns an answer whose body is {@code text}. */
  Frame answer(Kind kind, long epoch, String text) {
    return answer(kind, epoch, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the body of the frame as text. */
  String text() {
    return new String(body, StandardCharsets.UTF_8);
  }
}
