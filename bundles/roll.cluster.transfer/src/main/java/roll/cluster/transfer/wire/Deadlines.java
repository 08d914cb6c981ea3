package roll.cluster.transfer.wire;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Closes connections that are over their limits, looking ten times a second. */
public final class Deadlines implements AutoCloseable {
  private static final long BETWEEN_MS = 100;

  private final Set<Conduit> conduits = ConcurrentHashMap.newKeySet();
  private final Thread thread;
  private volatile boolean closed;

  /** Looks at {@code also} as often. */
  public Deadlines(String name, Runnable also) {
    thread = Thread.ofVirtual().name(name).start(() -> run(also));
  }

  private void run(Runnable also) {
    try {
      while (!closed) {
        Thread.sleep(BETWEEN_MS);
        conduits.forEach(Conduit::check);
        also.run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void add(Conduit conduit) {
    conduits.add(conduit);
    if (closed) {
      conduit.close();
    }
  }

  void remove(Conduit conduit) {
    conduits.remove(conduit);
  }

  /** How many connections are open. */
  public int open() {
    return conduits.size();
  }

  /** Closes all connections, and those that come later at once. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    conduits.forEach(conduit -> conduit.close("this node's transfer was closed"));
  }
}
