package roll.cluster.transfer.wire;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import roll.cluster.transfer.wire.TransferMessage.Absent;
import roll.cluster.transfer.wire.TransferMessage.AskChunks;
import roll.cluster.transfer.wire.TransferMessage.AskHeld;
import roll.cluster.transfer.wire.TransferMessage.AskManifest;
import roll.cluster.transfer.wire.TransferMessage.Chunk;
import roll.cluster.transfer.wire.TransferMessage.Complete;
import roll.cluster.transfer.wire.TransferMessage.Digests;
import roll.cluster.transfer.wire.TransferMessage.Head;
import roll.cluster.transfer.wire.TransferMessage.HeldChunks;
import roll.cluster.transfer.wire.TransferMessage.Hello;
import roll.cluster.transfer.wire.TransferMessage.Ping;
import roll.cluster.transfer.wire.TransferMessage.Reason;
import roll.cluster.transfer.wire.TransferMessage.Refused;
import roll.cluster.transfer.wire.TransferMessage.Welcome;

/**
 * Messages as bytes: four that say what follows is of this protocol, one for the kind, four for the
 * length, and what it says, in network order. Whatever is not exactly so is refused.
 */
public final class TransferCodec {
  /** The longest message to a node that serves. */
  public static final int ASKED = 1 << 16;

  /** The longest message from a node that serves. */
  public static final int ANSWERED = 1 << 24;

  private static final int MAGIC = 0x726f6c54;
  private static final int HEADER = 9;

  /** A message grows as it comes, so that a length alone takes no memory. */
  private static final int STEP = 1 << 16;

  private TransferCodec() {}

  /** Sends a message. */
  public static void write(Conduit to, TransferMessage message) throws IOException {
    to.write(MemorySegment.ofArray(bytes(message)));
  }

  /** A message as it is sent. */
  public static byte[] bytes(TransferMessage message) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(64);
    int kind = body(new DataOutputStream(bytes), message);
    byte[] body = bytes.toByteArray();
    ByteBuffer all = ByteBuffer.allocate(HEADER + body.length);
    all.putInt(MAGIC).put((byte) kind).putInt(body.length).put(body);
    return all.array();
  }

  private static int body(DataOutputStream to, TransferMessage message) throws IOException {
    switch (message) {
      case Hello hello -> {
        to.writeInt(hello.protocol());
        to.writeUTF(hello.run());
        to.writeUTF(hello.node());
        return 1;
      }
      case Welcome welcome -> {
        to.writeUTF(welcome.node());
        return 2;
      }
      case AskManifest ask -> {
        version(to, ask.channel(), ask.epoch(), ask.atLeast());
        to.writeInt(ask.waitMillis());
        return 3;
      }
      case Head head -> {
        to.write(head.bytes());
        return 4;
      }
      case Digests digests -> {
        to.writeInt(digests.first());
        to.write(digests.bytes());
        return 5;
      }
      case Complete complete -> {
        to.write(complete.digest());
        return 6;
      }
      case AskChunks ask -> {
        version(to, ask.channel(), ask.epoch(), ask.number());
        for (int range : ask.ranges()) {
          to.writeInt(range);
        }
        return 7;
      }
      case Chunk chunk -> {
        to.writeInt(chunk.index());
        to.writeInt(chunk.bytes());
        return 8;
      }
      case Absent absent -> {
        to.writeInt(absent.index());
        return 9;
      }
      case AskHeld ask -> {
        version(to, ask.channel(), ask.epoch(), ask.number());
        to.writeInt(ask.known());
        to.writeInt(ask.least());
        to.writeInt(ask.waitMillis());
        return 10;
      }
      case HeldChunks held -> {
        to.write(held.bits());
        return 11;
      }
      case Ping() -> {
        return 12;
      }
      case Refused refused -> {
        to.writeByte(refused.reason().number());
        to.writeUTF(refused.text());
        return 13;
      }
    }
  }

  private static void version(DataOutputStream to, String channel, long epoch, long number)
      throws IOException {
    to.writeUTF(channel);
    to.writeLong(epoch);
    to.writeLong(number);
  }

  /**
   * The next message.
   *
   * @param most bytes that it may have
   * @throws IOException if it is none, longer, or the connection ended
   */
  public static TransferMessage read(Conduit from, int most) throws IOException {
    byte[] header = new byte[HEADER];
    from.read(MemorySegment.ofArray(header), null);
    ByteBuffer fields = ByteBuffer.wrap(header);
    if (fields.getInt() != MAGIC) {
      throw new IOException("what came is no message of this protocol");
    }
    int kind = fields.get();
    int length = fields.getInt();
    if (length < 0 || length > most) {
      throw new IOException("a message of " + length + " bytes came, allowed are " + most);
    }
    ByteArrayOutputStream body = new ByteArrayOutputStream(Math.min(length, STEP));
    while (body.size() < length) {
      byte[] part = new byte[Math.min(STEP, length - body.size())];
      from.read(MemorySegment.ofArray(part), null);
      body.write(part);
    }
    return parsed(kind, body.toByteArray());
  }

  private static TransferMessage parsed(int kind, byte[] body) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(body));
    TransferMessage message =
        switch (kind) {
          case 1 -> new Hello(in.readInt(), in.readUTF(), in.readUTF());
          case 2 -> new Welcome(in.readUTF());
          case 3 -> new AskManifest(in.readUTF(), in.readLong(), in.readLong(), in.readInt());
          case 4 -> new Head(in.readAllBytes());
          case 5 -> new Digests(in.readInt(), in.readAllBytes());
          case 6 -> new Complete(in.readAllBytes());
          case 7 -> new AskChunks(in.readUTF(), in.readLong(), in.readLong(), ranges(in));
          case 8 -> new Chunk(in.readInt(), in.readInt());
          case 9 -> new Absent(in.readInt());
          case 10 ->
              new AskHeld(
                  in.readUTF(),
                  in.readLong(),
                  in.readLong(),
                  in.readInt(),
                  in.readInt(),
                  in.readInt());
          case 11 -> new HeldChunks(in.readAllBytes());
          case 12 -> new Ping();
          case 13 -> new Refused(reason(in.readUnsignedByte()), in.readUTF());
          default -> throw new IOException("a message of the unknown kind " + kind + " came");
        };
    if (in.read() >= 0) {
      throw new IOException("a message of kind " + kind + " came with more than it says");
    }
    return message;
  }

  private static int[] ranges(DataInputStream in) throws IOException {
    List<Integer> ranges = new ArrayList<>();
    while (in.available() > 0) {
      ranges.add(in.readInt());
      ranges.add(in.readInt());
    }
    return ranges.stream().mapToInt(Integer::intValue).toArray();
  }

  private static Reason reason(int number) throws IOException {
    for (Reason reason : Reason.values()) {
      if (reason.number() == number) {
        return reason;
      }
    }
    throw new IOException("a refusal for the unknown reason " + number + " came");
  }
}
