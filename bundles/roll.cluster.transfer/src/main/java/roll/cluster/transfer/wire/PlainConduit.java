package roll.cluster.transfer.wire;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** Bytes in the clear, between the socket and native memory without a copy. */
final class PlainConduit extends Conduit {
  /** A part that is still in the processor's cache when its digest is computed. */
  private static final int AT_ONCE = 1 << 18;

  PlainConduit(SocketChannel channel, Deadlines deadlines) {
    super(channel, deadlines);
  }

  @Override
  void open() {}

  @Override
  public @Nullable String certified() {
    return null;
  }

  @Override
  int receive(MemorySegment target, @Nullable MessageDigest digest) throws IOException {
    ByteBuffer bytes = part(target);
    int n = channel().read(bytes);
    if (n > 0 && digest != null) {
      digest.update(bytes.flip());
    }
    return n;
  }

  @Override
  int send(MemorySegment bytes) throws IOException {
    return channel().write(part(bytes));
  }

  private static ByteBuffer part(MemorySegment of) {
    return of.asSlice(0, Math.min(AT_ONCE, of.byteSize())).asByteBuffer();
  }
}
