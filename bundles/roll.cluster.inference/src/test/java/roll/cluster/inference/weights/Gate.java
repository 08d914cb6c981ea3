package roll.cluster.inference.weights;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Between a node that serves weights and those that pull: passes on so many bytes; the rest when it
 * is opened. Its connections can be cut.
 */
final class Gate implements AutoCloseable {
  private final ServerSocketChannel server = ServerSocketChannel.open();
  private final Set<SocketChannel> connections = ConcurrentHashMap.newKeySet();
  private final InetSocketAddress to;
  private final AtomicLong left;
  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch opened = new CountDownLatch(1);

  Gate(int port, long bytes) throws IOException {
    this.to = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port);
    this.left = new AtomicLong(bytes);
    server.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
    Thread.ofVirtual().start(this::accept);
  }

  int port() throws IOException {
    return ((InetSocketAddress) server.getLocalAddress()).getPort();
  }

  /** Waits until the bytes have passed. */
  void awaitReached() throws InterruptedException {
    reached.await();
  }

  /** Passes all bytes from now on. */
  void open() {
    opened.countDown();
  }

  /** Breaks all connections; others can be made. */
  void cut() throws IOException {
    for (SocketChannel connection : connections) {
      connection.close();
    }
    connections.clear();
  }

  private void accept() {
    try {
      while (true) {
        SocketChannel asking = server.accept();
        SocketChannel answering = SocketChannel.open(to);
        connections.add(asking);
        connections.add(answering);
        Thread.ofVirtual().start(() -> pass(asking, answering, false));
        Thread.ofVirtual().start(() -> pass(answering, asking, true));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void pass(SocketChannel from, SocketChannel into, boolean counted) {
    ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
    try (from;
        into) {
      while (from.read(bytes) >= 0) {
        if (counted && left.addAndGet(-bytes.position()) < 0) {
          reached.countDown();
          opened.await();
        }
        bytes.flip();
        while (bytes.hasRemaining()) {
          into.write(bytes);
        }
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
    open();
    server.close();
    cut();
  }
}
