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
 * What other members have opened here, each for itself: it ends when its owner closes it or is no
 * member any more, and when this is closed. Can be used by all threads.
 *
 * @param <K> what it is known by
 */
public final class Leases<K, T> implements AutoCloseable {
  private record Lease<T>(Member owner, T value) {}

  /** Ends something that nobody has any more. */
  @ConsumerType
  @FunctionalInterface
  public interface Ending<K, T> {
    /** Ends it; {@code why} is part of a sentence. */
    void end(K key, T value, String why);
  }

  private static final String LEFT = "this node has left the run";

  private final Membership membership;
  private final Ending<K, T> ending;
  private final Map<K, Lease<T>> leases = new ConcurrentHashMap<>();
  private final Registration events;
  private volatile boolean closed;

  /** None yet. */
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
   * {@code owner} has opened {@code value}, which ends at once if it is no member any more, or this
   * is closed.
   */
  public void put(K key, Member owner, T value) {
    leases.put(key, new Lease<>(owner, value));
    if (closed) {
      end(key, LEFT);
    } else if (!membership.members().contains(owner)) {
      end(key, "node " + owner + " is lost");
    }
  }

  /** What {@code from} has opened under {@code key}; null if that is nothing, or it has ended. */
  public @Nullable T get(K key, Member from) {
    Lease<T> lease = leases.get(key);
    return lease == null || lease.owner.uid() != from.uid() ? null : lease.value;
  }

  /** What was opened under {@code key}, for who ends it; null if somebody has. */
  public @Nullable T remove(K key) {
    Lease<T> lease = leases.remove(key);
    return lease == null ? null : lease.value;
  }

  /** All that is open now. */
  public Map<K, T> all() {
    Map<K, T> all = new ConcurrentHashMap<>();
    leases.forEach((key, lease) -> all.put(key, lease.value));
    return all;
  }

  /** Ends what was opened under {@code key}, if nobody has. */
  public void end(K key, String why) {
    T value = remove(key);
    if (value != null) {
      ending.end(key, value, why);
    }
  }

  /** Ends all. */
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
