package roll.cluster.transfer;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The published and the pulled versions of a node. */
final class VersionStore {
  private final Map<VersionId, PublishedVersion> held = new HashMap<>();
  private boolean closed;

  /** Returns whether the store is closed. */
  synchronized boolean closed() {
    return closed;
  }

  /**
   * Publishes a version in place of the last one; returns whether digests of that one were
   * computed.
   */
  boolean offer(PublishedVersion version, Duration linger) {
    VersionId id = version.manifest().id();
    PublishedVersion before;
    synchronized (this) {
      before = offered(id.channel());
      if (before != null && !id.follows(before.manifest().id())) {
        throw new IllegalArgumentException(id + " came after " + before.manifest().id());
      }
      if (!add(version)) {
        throw new IllegalArgumentException(id + " is here already");
      }
    }
    if (before != null) {
      before.retire(linger);
    }
    return before != null && before.digested();
  }

  private @Nullable PublishedVersion offered(String channel) {
    return held.values().stream()
        .filter(version -> version.manifest().id().channel().equals(channel))
        .filter(PublishedVersion::offered)
        .findAny()
        .orElse(null);
  }

  /** Returns whether a version of {@code channel} is published. */
  synchronized boolean offers(String channel) {
    return offered(channel) != null;
  }

  /** Adds a version that is being pulled; returns false if it is here already. */
  synchronized boolean add(PublishedVersion version) {
    if (closed) {
      version.retire(Duration.ZERO);
    }
    held.values().removeIf(PublishedVersion::dropped);
    notifyAll();
    return held.putIfAbsent(version.manifest().id(), version) == null;
  }

  /** Waits for a version; returns null after {@code millis}. */
  synchronized @Nullable PublishedVersion find(VersionId id, long millis)
      throws InterruptedException {
    return await(millis, () -> held.get(id));
  }

  /**
   * Waits for a published version that is not older than {@code least}; returns null after {@code
   * millis}.
   */
  synchronized @Nullable PublishedVersion offered(VersionId least, long millis)
      throws InterruptedException {
    return await(
        millis,
        () -> {
          PublishedVersion found = offered(least.channel());
          return found == null || least.follows(found.manifest().id()) ? null : found;
        });
  }

  private @Nullable PublishedVersion await(long millis, Supplier<@Nullable PublishedVersion> search)
      throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    for (long left = millis; ; left = (end - System.nanoTime()) / 1_000_000) {
      held.values().removeIf(PublishedVersion::dropped);
      PublishedVersion found = search.get();
      if (found != null || left <= 0 || closed) {
        return found;
      }
      wait(left);
    }
  }

  /** Retires all published and pulled versions. */
  void close() {
    List<PublishedVersion> all;
    synchronized (this) {
      closed = true;
      notifyAll();
      all = List.copyOf(held.values());
    }
    all.forEach(version -> version.retire(Duration.ZERO));
  }
}
