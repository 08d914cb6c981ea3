package roll.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the open connections: what each is waiting for, and since when. A connection whose client
 * exceeds the timeout is closed; above the maximum number, the waiting one that has been silent
 * longest is closed. So a client that sends nothing does not block others.
 */
final class ConnectionTracker implements Connection.Listener {
  private static final long STALLED = TimeUnit.SECONDS.toNanos(1);
  private static final long SLOW = TimeUnit.SECONDS.toNanos(5);

  private final HttpLimits limits;
  private final Map<EndPoint, Peer> open = new LinkedHashMap<>();

  /**
   * A client connection with its state.
   *
   * @param client its client, see {@link #client(Connection)}
   * @param state what it is waiting for
   * @param since start of the wait, by {@link System#nanoTime}
   * @param heard last arrival of data, by {@link System#nanoTime}
   */
  private record Peer(Object client, State state, long since, long heard) {
    static Peer of(Object client, State state) {
      long now = System.nanoTime();
      return new Peer(client, state, now, now);
    }

    boolean waiting() {
      return state != State.WORK;
    }
  }

  /**
   * The party a connection is waiting for: a request of the client, the rest of a body, or the
   * server.
   */
  private enum State {
    CLIENT,
    BODY,
    WORK
  }

  ConnectionTracker(HttpLimits limits) {
    this.limits = limits;
  }

  /** Returns the transport connection below TLS. */
  private static EndPoint transport(Connection connection) {
    EndPoint end = connection.getEndPoint();
    while (end instanceof EndPoint.Wrapper wrapper) {
      end = wrapper.unwrap();
    }
    return end;
  }

  /** Returns the client at the other end of {@code connection}. */
  static Object client(Connection connection) {
    return client(transport(connection));
  }

  /** Returns the address of {@code end}, in IPv6 its first 64 bits, which identify a network. */
  private static Object client(EndPoint end) {
    if (end.getRemoteSocketAddress() instanceof InetSocketAddress socket) {
      InetAddress address = socket.getAddress();
      byte[] bytes = address.getAddress();
      return bytes.length == 4 ? address : Arrays.toString(Arrays.copyOf(bytes, 8));
    }
    return "";
  }

  @Override
  public void onOpened(Connection connection) {
    if (connection.getEndPoint() instanceof EndPoint.Wrapper) {
      return; // the connection below TLS is already counted
    }
    EndPoint end = connection.getEndPoint();
    EndPoint victim;
    synchronized (this) {
      open.put(end, Peer.of(client(end), State.CLIENT));
      victim = tooMany(client(end));
      if (victim != null) {
        open.remove(victim);
      }
    }
    if (victim != null) {
      victim.close();
    }
  }

  @Override
  public synchronized void onClosed(Connection connection) {
    open.remove(transport(connection));
  }

  /** Starts a wait for the client. */
  void waitFor(Connection connection) {
    set(connection, State.CLIENT);
  }

  /** Starts a wait for the rest of a body. */
  void waitForBody(Connection connection) {
    set(connection, State.BODY);
  }

  /** Marks the server as working: the client waits. */
  void work(Connection connection) {
    set(connection, State.WORK);
  }

  /** Records that data has arrived. */
  synchronized void heard(Connection connection) {
    open.computeIfPresent(
        transport(connection),
        (_, peer) -> new Peer(peer.client(), peer.state(), peer.since(), System.nanoTime()));
  }

  /** Closes {@code connection} at once. */
  void close(Connection connection) {
    transport(connection).close();
  }

  private synchronized void set(Connection connection, State state) {
    open.computeIfPresent(transport(connection), (_, peer) -> Peer.of(peer.client(), state));
  }

  /**
   * Returns the connection to close if {@code client}, or all clients, have too many; null if not.
   */
  private @Nullable EndPoint tooMany(Object client) {
    long own = open.values().stream().filter(peer -> peer.client().equals(client)).count();
    if (own > limits.clientConnections()) {
      return longest(peer -> peer.client().equals(client));
    }
    return open.size() > limits.connections() ? longest(_ -> true) : null;
  }

  /**
   * Returns the waiting connection of {@code among} that has been silent longest; null if none
   * waits.
   */
  private @Nullable EndPoint longest(Predicate<Peer> among) {
    long now = System.nanoTime();
    return open.entrySet().stream()
        .filter(entry -> entry.getValue().waiting() && among.test(entry.getValue()))
        .max(Comparator.comparingLong(entry -> now - entry.getValue().heard()))
        .map(Map.Entry::getKey)
        .orElse(null);
  }

  /**
   * Closes a connection whose body is stalled for one second or incomplete after five.
   *
   * @return whether there was such a connection
   */
  boolean closeSlowBody() {
    EndPoint slow;
    synchronized (this) {
      long now = System.nanoTime();
      slow =
          longest(
              peer ->
                  peer.state() == State.BODY
                      && (now - peer.heard() > STALLED || now - peer.since() > SLOW));
      if (slow == null) {
        return false;
      }
      open.remove(slow);
    }
    slow.close();
    return true;
  }

  /** Closes the connections whose client has exceeded the timeout. */
  void closeOverdue() {
    List<EndPoint> overdue = new ArrayList<>();
    synchronized (this) {
      long now = System.nanoTime();
      open.forEach(
          (end, peer) -> {
            if (peer.waiting() && now - peer.since() > limits.patience().toNanos()) {
              overdue.add(end);
            }
          });
      overdue.forEach(open::remove);
    }
    overdue.forEach(EndPoint::close);
  }

  /** Returns the number of open connections. */
  synchronized int count() {
    return open.size();
  }
}
