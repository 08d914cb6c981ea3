package roll.cluster.transfer;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The versions that this node has: those that it offers, and those that it pulled. */
final class VersionShelf {
  private final Map<String, HeldVersion> offered = new HashMap<>();
  private final Map<VersionId, HeldVersion> held = new HashMap<>();
  private long epoch;

  /** The present epoch. */
  synchronized long epoch() {
    return epoch;
  }

  /** Offers a version in place of the one before. */
  void offer(HeldVersion version, Duration linger) {
    VersionId id = version.manifest().id();
    raise(id.epoch());
    HeldVersion before;
    synchronized (this) {
      if (id.epoch() < epoch) {
        throw new IllegalArgumentException(id + " came in epoch " + epoch);
      }
      before = offered.get(id.channel());
      if (before != null && before.manifest().id().number() >= id.number()) {
        throw new IllegalArgumentException(id + " came after " + before.manifest().id());
      }
      if (!add(version)) {
        throw new IllegalArgumentException(id + " is here already");
      }
      offered.put(id.channel(), version);
      notifyAll();
    }
    if (before != null) {
      before.retire(System.nanoTime() + linger.toNanos());
    }
  }

  /** Whether a version of {@code channel} is offered. */
  synchronized boolean offers(String channel) {
    return offered.containsKey(channel);
  }

  /** Has a version that is being pulled; false if it is here already. */
  synchronized boolean add(HeldVersion version) {
    notifyAll();
    return held.putIfAbsent(version.manifest().id(), version) == null;
  }

  /** A version that is here, if it is. */
  synchronized @Nullable HeldVersion find(VersionId id) {
    return held.get(id);
  }

  /** The same, as soon as it is here; null if the time is over. */
  synchronized @Nullable HeldVersion find(VersionId id, long millis) throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    for (long left = millis; left > 0 && !held.containsKey(id); ) {
      wait(left);
      left = (end - System.nanoTime()) / 1_000_000;
    }
    return held.get(id);
  }

  /** What is offered that will do, as soon as there is something; null if the time is over. */
  synchronized @Nullable HeldVersion await(
      String channel, long wantedEpoch, long atLeast, long millis) throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    for (long left = millis; ; left = (end - System.nanoTime()) / 1_000_000) {
      HeldVersion found = offered.get(channel);
      if (found != null
          && found.manifest().id().epoch() == wantedEpoch
          && found.manifest().id().number() >= atLeast) {
        return found;
      }
      if (left <= 0 || wantedEpoch < epoch) {
        return null;
      }
      wait(left);
    }
  }

  /** Begins an epoch, unless it has begun: what was of an older one is gone. */
  void raise(long newEpoch) {
    List<HeldVersion> old;
    synchronized (this) {
      if (newEpoch <= epoch) {
        return;
      }
      epoch = newEpoch;
      old = held.values().stream().filter(v -> v.manifest().id().epoch() < newEpoch).toList();
      notifyAll();
    }
    old.forEach(version -> retire(version, Duration.ZERO));
  }

  /** Takes a version back; see {@link Publication#retire}. */
  void retire(HeldVersion version, Duration linger) {
    synchronized (this) {
      offered.remove(version.manifest().id().channel(), version);
    }
    version.retire(System.nanoTime() + linger.toNanos());
    tick();
  }

  /** Forgets what is over. */
  void tick() {
    List<HeldVersion> all;
    synchronized (this) {
      all = List.copyOf(held.values());
    }
    long now = System.nanoTime();
    all.forEach(version -> version.tick(now));
    synchronized (this) {
      held.values().removeIf(HeldVersion::dropped);
    }
  }

  /** Ends all. */
  void clear() {
    List<HeldVersion> all;
    synchronized (this) {
      offered.clear();
      all = List.copyOf(held.values());
    }
    all.forEach(version -> retire(version, Duration.ZERO));
  }
}
