package roll.cluster.pekko;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.cluster.Member;
import roll.cluster.MemberEvent;
import roll.cluster.Registration;

/** Present members, as this node knows them, and the listeners of their changes. Thread-safe. */
final class MemberTable implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MemberTable.class);

  /** A member with its position in the order of joining. */
  private record Entry(Member member, int number) {}

  private final Map<Long, Entry> entries = new HashMap<>();
  private final Set<Long> unreachable = new HashSet<>();
  private final List<Consumer<MemberEvent>> listeners = new ArrayList<>();
  private final ExecutorService notifier =
      Executors.newSingleThreadExecutor(Thread.ofVirtual().name("roll.cluster events").factory());

  synchronized void joined(Member member, int number) {
    if (entries.putIfAbsent(member.uid(), new Entry(member, number)) == null) {
      notifyAll();
      publish(new MemberEvent.Joined(member));
    }
  }

  synchronized void unreachable(long uid) {
    Entry entry = entries.get(uid);
    if (entry != null && unreachable.add(uid)) {
      publish(new MemberEvent.Unreachable(entry.member()));
    }
  }

  synchronized void reachable(long uid) {
    Entry entry = entries.get(uid);
    if (unreachable.remove(uid) && entry != null) {
      publish(new MemberEvent.Reachable(entry.member()));
    }
  }

  /** Removes a member; returns null if {@code uid} was not a member. */
  synchronized @Nullable Member removed(long uid, boolean lost) {
    unreachable.remove(uid);
    Entry entry = entries.remove(uid);
    if (entry == null) {
      return null;
    }
    publish(new MemberEvent.Removed(entry.member(), lost));
    return entry.member();
  }

  synchronized List<Member> members() {
    return entries.values().stream()
        .sorted(Comparator.comparingInt(Entry::number))
        .map(Entry::member)
        .toList();
  }

  synchronized boolean isReachable(Member member) {
    return contains(member) && !unreachable.contains(member.uid());
  }

  synchronized boolean contains(Member member) {
    Entry entry = entries.get(member.uid());
    return entry != null && entry.member().equals(member);
  }

  /** Waits for member {@code uid}, whose message may precede the event; null after the timeout. */
  synchronized @Nullable Member await(long uid, long millis) throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    Entry entry = entries.get(uid);
    while (entry == null) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return null;
      }
      wait(left);
      entry = entries.get(uid);
    }
    return entry.member();
  }

  synchronized Registration listen(Consumer<MemberEvent> listener) {
    for (Member member : members()) {
      publish(listener, new MemberEvent.Joined(member));
      if (unreachable.contains(member.uid())) {
        publish(listener, new MemberEvent.Unreachable(member));
      }
    }
    listeners.add(listener);
    return () -> {
      synchronized (this) {
        listeners.remove(listener);
      }
    };
  }

  private void publish(MemberEvent event) {
    listeners.forEach(listener -> publish(listener, event));
  }

  private void publish(Consumer<MemberEvent> listener, MemberEvent event) {
    if (notifier.isShutdown()) {
      return;
    }
    notifier.execute(
        () -> {
          try {
            listener.accept(event);
          } catch (RuntimeException e) {
            LOG.warn("a listener failed at {}", event, e);
          }
        });
  }

  /** Ends the notification of listeners after the pending events. */
  @Override
  public synchronized void close() {
    notifier.shutdown();
  }
}
