package roll.cluster.transfer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Between a node and those who pull from it: passes bytes on, until a connection has passed as many
 * as are allowed; then it breaks the connection, or keeps it and is silent.
 */
final class FakeNode implements AutoCloseable {
  private final ServerSocketChannel server = ServerSocketChannel.open();
  private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();
  private final InetSocketAddress to;
  private final AtomicLong left;
  private final AtomicLong passed = new AtomicLong();
  private final boolean silent;

  FakeNode(InetSocketAddress to, long bytes, boolean silent) throws IOException {
    this.to = to;
    this.left = new AtomicLong(bytes);
    this.silent = silent;
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    Thread.ofVirtual().start(this::accept);
  }

  InetSocketAddress address() throws IOException {
    return (InetSocketAddress) server.getLocalAddress();
  }

  /** Bytes that were passed on to those who pull. */
  long passed() {
    return passed.get();
  }

  private void accept() {
    try {
      while (true) {
        SocketChannel asking = server.accept();
        SocketChannel answering = SocketChannel.open(to);
        open.add(asking);
        open.add(answering);
        Thread.ofVirtual().start(() -> pass(asking, answering, false));
        Thread.ofVirtual().start(() -> pass(answering, asking, true));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void pass(SocketChannel from, SocketChannel into, boolean counted) {
    ByteBuffer bytes = ByteBuffer.allocate(1 << 12);
    try (from;
        into) {
      while (from.read(bytes) >= 0) {
        if (counted && left.addAndGet(-bytes.position()) < 0) {
          if (silent) {
            Thread.sleep(60_000);
          }
          left.set(Long.MAX_VALUE);
          return;
        }
        bytes.flip();
        while (bytes.hasRemaining()) {
          into.write(bytes);
        }
        passed.addAndGet(counted ? bytes.limit() : 0);
        bytes.clear();
      }
    } catch (IOException e) {
      // one of the two has closed it
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (SocketChannel channel : open) {
      channel.close();
    }
  }
}
