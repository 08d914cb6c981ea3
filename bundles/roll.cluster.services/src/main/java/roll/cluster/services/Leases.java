package roll.cluster.services;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ConsumerType;
import roll.cluster.Member;
import roll.cluster.MemberEvent;
import roll.cluster.Membership;
import roll.cluster.Registration;

/**
 * Objects that other members have opened on this node, each used by the member that opened it
 * alone. An object ends when its owner closes it or leaves the run, or when this is closed.
 * Thread-safe.
 *
 * @param <K> the type of keys
 * @param <T> the type of objects
 */
public final class Leases<K, T> implements AutoCloseable {
  private record Lease<T>(Member owner, T value) {}

  /** Ends an object whose lease is over. */
  @ConsumerType
  @FunctionalInterface
  public interface Ending<K, T> {
    /** Ends the object; {@code why} is a clause for messages. */
    void end(K key, T value, String why);
  }

  private static final String LEFT = "this node has left the run";

  private final Membership membership;
  private final Ending<K, T> ending;
  private final Map<K, Lease<T>> leases = new ConcurrentHashMap<>();
  private final Registration events;
  private volatile boolean closed;

  /** Creates an empty set of leases. */
  public Leases(Membership membership, Ending<K, T> ending) {
    this.membership = membership;
    this.ending = ending;
    this.events = membership.listen(this::happened);
  }

  private void happened(MemberEvent event) {
    if (event instanceof MemberEvent.Removed removed) {
      String why = "node " + removed.member() + " is gone";
      leases.forEach(
          (key, lease) -> {
            if (lease.owner.uid() == removed.member().uid()) {
              Thread.startVirtualThread(() -> end(key, why));
            }
          });
    }
  }

  /**
   * Adds an object of {@code owner}, which ends at once if the owner is not a member any more or
   * this is closed.
   */
  public void put(K key, Member owner, T value) {
    leases.put(key, new Lease<>(owner, value));
    if (closed) {
      end(key, LEFT);
    } else if (!membership.members().contains(owner)) {
      end(key, "node " + owner + " is lost");
    }
  }

  /** Returns the object of {@code from} under {@code key}; null if there is none. */
  public @Nullable T get(K key, Member from) {
    Lease<T> lease = leases.get(key);
    return lease == null || lease.owner.uid() != from.uid() ? null : lease.value;
  }

  /** Removes an object without ending it and returns it; null if there is none. */
  public @Nullable T remove(K key) {
    Lease<T> lease = leases.remove(key);
    return lease == null ? null : lease.value;
  }

  /** Returns all leased objects. */
  public Map<K, T> all() {
    Map<K, T> all = new ConcurrentHashMap<>();
    leases.forEach((key, lease) -> all.put(key, lease.value));
    return all;
  }

  /** Ends the object under {@code key}, if there is one. */
  public void end(K key, String why) {
    T value = remove(key);
    if (value != null) {
      ending.end(key, value, why);
    }
  }

  /** Ends all leased objects. */
  public void endAll(String why) {
    leases.keySet().forEach(key -> end(key, why));
  }

  @Override
  public void close() {
    events.close();
    closed = true;
    endAll(LEFT);
  }
}
