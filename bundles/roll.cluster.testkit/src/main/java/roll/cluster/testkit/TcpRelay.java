package roll.cluster.testkit;

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
 * Forwards TCP connections to a node until its answers have had a number of bytes, all connections
 * together. Then it holds back further answers, or closes one connection and forwards all others.
 */
public final class TcpRelay implements AutoCloseable {
  private final ServerSocketChannel server = ServerSocketChannel.open();
  private final Set<SocketChannel> connections = ConcurrentHashMap.newKeySet();
  private final InetSocketAddress to;
  private final AtomicLong left;
  private final AtomicLong passed = new AtomicLong();
  private final boolean holds;
  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch opened = new CountDownLatch(1);

  /**
   * Starts the relay, on a free port of loopback.
   *
   * @param to address of the node
   * @param bytes number of bytes of answers
   * @param holds whether further answers are held back; otherwise their connection is closed
   */
  public TcpRelay(InetSocketAddress to, long bytes, boolean holds) throws IOException {
    this.to = to;
    this.left = new AtomicLong(bytes);
    this.holds = holds;
    server.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
    Thread.ofVirtual().start(this::accept);
  }

  /** Returns the address of the relay. */
  public InetSocketAddress address() throws IOException {
    return (InetSocketAddress) server.getLocalAddress();
  }

  /** Returns the number of forwarded bytes of answers. */
  public long passed() {
    return passed.get();
  }

  /** Waits until the number of bytes is reached. */
  public void awaitReached() throws InterruptedException {
    reached.await();
  }

  /** Forwards the delayed bytes, and all later ones without delay. */
  public void open() {
    opened.countDown();
  }

  /** Closes all connections; new ones can be made. */
  public void cut() throws IOException {
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

  private void pass(SocketChannel from, SocketChannel into, boolean answers) {
    ByteBuffer bytes = ByteBuffer.allocate(1 << 12);
    try (from;
        into) {
      while (from.read(bytes) >= 0) {
        if (answers && left.addAndGet(-bytes.position()) < 0) {
          reached.countDown();
          if (!holds) {
            left.set(Long.MAX_VALUE);
            return;
          }
          opened.await();
        }
        bytes.flip();
        while (bytes.hasRemaining()) {
          into.write(bytes);
        }
        passed.addAndGet(answers ? bytes.limit() : 0);
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
    cut();
    open();
  }
}
