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
 * The open connections: what each waits for, and since when. One that lets the server wait too long
 * is closed; where there are too many, the one of these that has heard nothing for longest goes. So
 * a client that sends nothing is in nobody's way.
 */
final class Connections implements Connection.Listener {
  private static final long STALLED = TimeUnit.SECONDS.toNanos(1);
  private static final long SLOW = TimeUnit.SECONDS.toNanos(5);

  private final HttpLimits limits;
  private final Map<EndPoint, Peer> open = new LinkedHashMap<>();

  /**
   * One connection.
   *
   * @param client whose it is
   * @param state what it waits for
   * @param since when, by {@link System#nanoTime}
   * @param heard when its client last sent a part of what is waited for
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

  /** What is waited for: the client's next word, the rest of a body, or the server. */
  private enum State {
    CLIENT,
    BODY,
    WORK
  }

  Connections(HttpLimits limits) {
    this.limits = limits;
  }

  /** The connection below TLS. */
  private static EndPoint transport(Connection connection) {
    EndPoint end = connection.getEndPoint();
    while (end instanceof EndPoint.Wrapper wrapper) {
      end = wrapper.unwrap();
    }
    return end;
  }

  /** Whose {@code connection} is. */
  static Object client(Connection connection) {
    return client(transport(connection));
  }

  /** An address, of IPv6 the part that a network is given. */
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
      return; // that below TLS was counted
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

  /** From now on the client is waited for, with new patience. */
  void waitFor(Connection connection) {
    set(connection, State.CLIENT);
  }

  /** From now on the rest of a body is waited for. */
  void waitForBody(Connection connection) {
    set(connection, State.BODY);
  }

  /** From now on the client waits. */
  void work(Connection connection) {
    set(connection, State.WORK);
  }

  /** A part of what is waited for has come. */
  synchronized void heard(Connection connection) {
    open.computeIfPresent(
        transport(connection),
        (_, peer) -> new Peer(peer.client(), peer.state(), peer.since(), System.nanoTime()));
  }

  /** Closes it at once. */
  void close(Connection connection) {
    transport(connection).close();
  }

  private synchronized void set(Connection connection, State state) {
    open.computeIfPresent(transport(connection), (_, peer) -> Peer.of(peer.client(), state));
  }

  /** What is to be closed where {@code client}, or all together, have too many. */
  private @Nullable EndPoint tooMany(Object client) {
    long own = open.values().stream().filter(peer -> peer.client().equals(client)).count();
    if (own > limits.clientConnections()) {
      return longest(peer -> peer.client().equals(client));
    }
    return open.size() > limits.connections() ? longest(_ -> true) : null;
  }

  /** That which has heard nothing for longest. */
  private @Nullable EndPoint longest(Predicate<Peer> among) {
    long now = System.nanoTime();
    return open.entrySet().stream()
        .filter(entry -> entry.getValue().waiting() && among.test(entry.getValue()))
        .max(Comparator.comparingLong(entry -> now - entry.getValue().heard()))
        .map(Map.Entry::getKey)
        .orElse(null);
  }

  /**
   * Closes a connection whose body does not come: for a second nothing of it, or for five seconds
   * not all.
   *
   * @return whether there was one
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

  /** Closes those whose client was waited for long enough. */
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

  /** How many are open. */
  synchronized int count() {
    return open.size();
  }
}
