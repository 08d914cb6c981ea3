package roll.cluster.transfer;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import roll.cluster.transfer.wire.Conduit;
import roll.cluster.transfer.wire.Sockets;

/**
 * Takes connections, each in a virtual thread of its own. Those that have not said who they are may
 * be 64; after that the oldest of them is closed.
 */
final class TransferListener implements AutoCloseable {
  private static final int STRANGERS = 64;
  private static final int BACKLOG = 128;

  private final TransferPlace place;
  private final Sockets sockets;
  private final VersionShelf shelf;
  private final DigestThreads digests;
  private final ServerSocketChannel server;
  private final InetSocketAddress address;
  private final Thread accepting;
  private final Set<Thread> sessions = ConcurrentHashMap.newKeySet();
  private final Set<Conduit> strangers = new LinkedHashSet<>();
  private final Map<String, Integer> known = new HashMap<>();

  TransferListener(TransferPlace place, Sockets sockets, VersionShelf shelf, DigestThreads digests)
      throws IOException {
    this.place = place;
    this.sockets = sockets;
    this.shelf = shelf;
    this.digests = digests;
    this.server = ServerSocketChannel.open();
    try {
      server.bind(place.at(), BACKLOG);
      address = (InetSocketAddress) server.getLocalAddress();
    } catch (IOException e) {
      server.close();
      String at = place.at().getAddress().getHostAddress() + ":" + place.at().getPort();
      throw new IOException("cannot serve weights at " + at + ": " + e.getMessage(), e);
    }
    this.accepting = Thread.ofVirtual().name("roll-transfer-" + place.node()).start(this::accept);
  }

  InetSocketAddress address() {
    return address;
  }

  private void accept() {
    while (server.isOpen()) {
      try {
        begin(server.accept());
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException e) {
        pause();
      }
    }
  }

  /** No files left, for example: what is open will end. */
  private static void pause() {
    try {
      Thread.sleep(100);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void begin(SocketChannel channel) throws IOException {
    Conduit conduit = sockets.accepted(channel);
    Conduit oldest = null;
    synchronized (this) {
      strangers.add(conduit);
      if (strangers.size() > STRANGERS) {
        oldest = strangers.iterator().next();
        strangers.remove(oldest);
      }
    }
    if (oldest != null) {
      oldest.close("others wanted to be greeted");
    }
    Thread session =
        Thread.ofVirtual().name("roll-transfer-session").unstarted(() -> serve(conduit));
    sessions.add(session);
    session.start();
  }

  private void serve(Conduit conduit) {
    try (conduit) {
      new PeerSession(place, this, conduit, shelf, digests).run();
    } finally {
      synchronized (this) {
        strangers.remove(conduit);
      }
      sessions.remove(Thread.currentThread());
    }
  }

  /** {@code conduit} is a connection of {@code node}; false if that has too many. */
  synchronized boolean enter(Conduit conduit, String node) {
    strangers.remove(conduit);
    return known.merge(node, 1, Integer::sum) <= place.limits().perNode();
  }

  /** After {@link #enter}, whatever it said. */
  synchronized void leave(String node) {
    known.computeIfPresent(node, (_, count) -> count == 1 ? null : count - 1);
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      // it listens no more
    }
  }

  /** Waits until all sessions are over; their connections are closed. */
  void join() {
    boolean interrupted = false;
    for (Thread thread : sessions) {
      interrupted |= joined(thread);
    }
    interrupted |= joined(accepting);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for a thread; whether this one was interrupted meanwhile. */
  static boolean joined(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      thread.interrupt();
      try {
        thread.join(100);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    return interrupted;
  }
}
