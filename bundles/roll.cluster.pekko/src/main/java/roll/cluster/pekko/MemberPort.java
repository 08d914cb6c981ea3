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
 * The port of members, before Pekko's own, which keeps every connection for as long as the other
 * side likes. Here a connection that has not begun like a member's within ten seconds is closed,
 * and there are 64 such connections at most: beyond that the oldest is closed. Bytes go on as they
 * are, so TLS is between the two Pekkos.
 */
final class MemberPort implements AutoCloseable {
  static final int STRANGERS = 64;
  static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int BACKLOG = 128;
  private static final int BUFFER = 1 << 15;

  private final ServerSocket server;
  private final InetSocketAddress inside;
  private final boolean tls;
  private final Duration patience;
  private final Thread accepting;
  private final Set<Passage> strangers = new LinkedHashSet<>();
  private final Set<Passage> all = ConcurrentHashMap.newKeySet();

  /** One connection, and where it is passed on to. */
  private static final class Passage {
    private final Socket outer;
    private final Socket inner = new Socket();

    /** Completes when it is no stranger any more, or has ended; fails when it is one for long. */
    private final CompletableFuture<Boolean> known = new CompletableFuture<>();

    Passage(Socket outer) {
      this.outer = outer;
    }

    void close() {
      for (Socket socket : new Socket[] {outer, inner}) {
        try {
          socket.close();
        } catch (IOException e) {
          // it is closed
        }
      }
    }
  }

  private MemberPort(
      ServerSocket server, InetSocketAddress inside, boolean tls, Duration patience) {
    this.server = server;
    this.inside = inside;
    this.tls = tls;
    this.patience = patience;
    this.accepting = Thread.ofVirtual().name("roll.cluster port").start(this::accept);
  }

  /**
   * Listens at {@code at}, and passes on what comes.
   *
   * @param inside where Pekko listens, as soon as it does
   * @param tls whether members talk TLS
   * @param patience with strangers
   * @throws IOException if {@code at} cannot be listened at
   */
  static MemberPort open(
      InetSocketAddress at, InetSocketAddress inside, boolean tls, Duration patience)
      throws IOException {
    ServerSocket server = new ServerSocket();
    try {
      server.setReuseAddress(true);
      server.bind(at, BACKLOG);
    } catch (IOException e) {
      server.close();
      throw e;
    }
    return new MemberPort(server, inside, tls, patience);
  }

  /** A port of loopback that nobody listens at. */
  static InetSocketAddress free() throws IOException {
    InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
    try (ServerSocket free = new ServerSocket(0, 1, loopback)) {
      return new InetSocketAddress(loopback, free.getLocalPort());
    }
  }

  /** Its number, which the system has chosen if it was 0. */
  int number() {
    return server.getLocalPort();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Passage passage = new Passage(server.accept());
        all.add(passage);
        enter(passage);
        Thread.ofVirtual().name("roll.cluster passage").start(() -> pass(passage));
      } catch (IOException e) {
        pause(); // no files left, for example
      }
    }
    all.forEach(Passage::close);
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

  private void enter(Passage passage) {
    Passage oldest = null;
    synchronized (strangers) {
      strangers.add(passage);
      if (strangers.size() > STRANGERS) {
        oldest = strangers.iterator().next();
        strangers.remove(oldest);
      }
    }
    if (oldest != null) {
      oldest.close();
    }
    var unused =
        passage
            .known
            .orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)
            .exceptionallyAsync(
                _ -> {
                  leave(passage);
                  passage.close();
                  return false;
                },
                Thread::startVirtualThread);
  }

  /** It is no stranger any more. */
  private void leave(Passage passage) {
    synchronized (strangers) {
      strangers.remove(passage);
    }
    passage.known.complete(true);
  }

  private void pass(Passage passage) {
    MemberGreeting greeting = new MemberGreeting(tls);
    byte[] bytes = new byte[BUFFER];
    try {
      passage.outer.setTcpNoDelay(true);
      InputStream in = passage.outer.getInputStream();
      int read = in.read(bytes);
      if (read < 0) {
        return;
      }
      passage.inner.setTcpNoDelay(true);
      passage.inner.connect(inside);
      Thread back = Thread.ofVirtual().name("roll.cluster passage").start(() -> answer(passage));
      OutputStream out = passage.inner.getOutputStream();
      for (boolean known = false; read >= 0; read = in.read(bytes)) {
        if (!known && greeting.shown(bytes, read)) {
          known = true;
          leave(passage);
        }
        out.write(bytes, 0, read);
      }
      passage.inner.shutdownOutput();
      var unused = back.join(patience); // for the last that Pekko says
    } catch (IOException e) {
      // it ends
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      leave(passage);
      all.remove(passage);
      passage.close();
    }
  }

  /** Pekko ends connections that are none of a member; so do we then. */
  private static void answer(Passage passage) {
    try {
      passage.inner.getInputStream().transferTo(passage.outer.getOutputStream());
    } catch (IOException e) {
      // it ends
    } finally {
      passage.close();
    }
  }

  /** Nobody comes in any more, all connections end, and its number is free when this returns. */
  @Override
  public void close() {
    try {
      server.close();
      accepting.join();
    } catch (IOException e) {
      // it listens no more
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    all.forEach(Passage::close);
  }
}
