package roll.cluster.pekko;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * TCP proxy in front of the port of Pekko, which keeps every connection as long as the client does.
 * The proxy closes connections that have not started like those of a member within a timeout, and
 * keeps at most {@value #MAX_PENDING} of them, closing the oldest. It forwards bytes unchanged: TLS
 * is between the two Pekkos.
 */
final class MemberPort implements AutoCloseable {
  static final int MAX_PENDING = 64;
  static final Duration GREETING_TIMEOUT = Duration.ofSeconds(10);
  private static final int BACKLOG = 128;
  private static final int BUFFER_BYTES = 1 << 15;

  private final ServerSocket server;
  private final InetSocketAddress target;
  private final boolean tls;
  private final Duration timeout;
  private final Thread acceptor;
  private final Set<Connection> pending = new LinkedHashSet<>();
  private final Set<Connection> all = ConcurrentHashMap.newKeySet();

  /** A connection of a client, with the one to the target. */
  private static final class Connection {
    private final Socket client;
    private final Socket target = new Socket();

    /** Completes when the connection is no longer pending; fails after the timeout. */
    private final CompletableFuture<Boolean> admitted = new CompletableFuture<>();

    Connection(Socket client) {
      this.client = client;
    }

    void close() {
      for (Socket socket : new Socket[] {client, target}) {
        try {
          socket.close();
        } catch (IOException e) {
          // closed
        }
      }
    }
  }

  private MemberPort(ServerSocket server, InetSocketAddress target, boolean tls, Duration timeout) {
    this.server = server;
    this.target = target;
    this.tls = tls;
    this.timeout = timeout;
    this.acceptor = Thread.ofVirtual().name("roll.cluster port").start(this::accept);
  }

  /**
   * Opens the port and starts forwarding connections to Pekko.
   *
   * @param address to listen on
   * @param target address on which Pekko will listen
   * @param tls whether members use TLS
   * @param timeout for the first bytes of a connection
   * @throws IOException if it cannot listen on the address
   */
  static MemberPort open(
      InetSocketAddress address, InetSocketAddress target, boolean tls, Duration timeout)
      throws IOException {
    ServerSocket server = new ServerSocket();
    try {
      server.setReuseAddress(true);
      server.bind(address, BACKLOG);
    } catch (IOException e) {
      server.close();
      throw e;
    }
    return new MemberPort(server, target, tls, timeout);
  }

  /** Returns a loopback address with a free port. */
  static InetSocketAddress freeLoopbackAddress() throws IOException {
    InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
    try (ServerSocket free = new ServerSocket(0, 1, loopback)) {
      return new InetSocketAddress(loopback, free.getLocalPort());
    }
  }

  /** Number of the TCP port that the proxy listens at. */
  int number() {
    return server.getLocalPort();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Connection connection = new Connection(server.accept());
        all.add(connection);
        addPending(connection);
        Thread.ofVirtual().name("roll.cluster proxy").start(() -> forward(connection));
      } catch (IOException e) {
        pause(); // out of file descriptors, for example
      }
    }
    all.forEach(Connection::close);
  }

  private void pause() {
    try {
      if (!server.isClosed()) {
        TimeUnit.MILLISECONDS.sleep(100);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void addPending(Connection connection) {
    Connection oldest = null;
    synchronized (pending) {
      pending.add(connection);
      if (pending.size() > MAX_PENDING) {
        oldest = pending.iterator().next();
        pending.remove(oldest);
      }
    }
    if (oldest != null) {
      oldest.close();
    }
    var unused =
        connection
            .admitted
            .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
            .exceptionallyAsync(
                _ -> {
                  removePending(connection);
                  connection.close();
                  return false;
                },
                Thread::startVirtualThread);
  }

  private void removePending(Connection connection) {
    synchronized (pending) {
      pending.remove(connection);
    }
    connection.admitted.complete(true);
  }

  private void forward(Connection connection) {
    HandshakeDetector detector = new HandshakeDetector(tls);
    byte[] bytes = new byte[BUFFER_BYTES];
    try {
      connection.client.setTcpNoDelay(true);
      InputStream in = connection.client.getInputStream();
      int read = in.read(bytes);
      if (read < 0) {
        return;
      }
      connection.target.setTcpNoDelay(true);
      connection.target.connect(target);
      Thread back =
          Thread.ofVirtual().name("roll.cluster proxy").start(() -> forwardBack(connection));
      OutputStream out = connection.target.getOutputStream();
      for (boolean admitted = false; read >= 0; read = in.read(bytes)) {
        if (!admitted && detector.detect(bytes, read)) {
          admitted = true;
          removePending(connection);
        }
        out.write(bytes, 0, read);
      }
      connection.target.shutdownOutput();
      var unused = back.join(timeout); // for the last bytes of Pekko
    } catch (IOException e) {
      // the connection ends
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      removePending(connection);
      all.remove(connection);
      connection.close();
    }
  }

  /** Forwards from the target, and closes the connection when Pekko does. */
  private static void forwardBack(Connection connection) {
    try {
      connection.target.getInputStream().transferTo(connection.client.getOutputStream());
    } catch (IOException e) {
      // the connection ends
    } finally {
      connection.close();
    }
  }

  /** Closes all connections; the port is free when this returns. */
  @Override
  public void close() {
    try {
      server.close();
      acceptor.join();
    } catch (IOException e) {
      // closed
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    all.forEach(Connection::close);
  }
}
