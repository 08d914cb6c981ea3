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

/** Who is a member, as this node knows, and who wants to hear of it. Can be used by all threads. */
final class Roster implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Roster.class);

  /** A member and when it was taken in, in the cluster's count. */
  private record Entry(Member member, int number) {}

  private final Map<Long, Entry> entries = new HashMap<>();
  private final Set<Long> unreachable = new HashSet<>();
  private final List<Consumer<MemberEvent>> listeners = new ArrayList<>();
  private final ExecutorService teller =
      Executors.newSingleThreadExecutor(Thread.ofVirtual().name("roll.cluster events").factory());

  synchronized void joined(Member member, int number) {
    if (entries.putIfAbsent(member.uid(), new Entry(member, number)) == null) {
      notifyAll();
      tell(new MemberEvent.Joined(member));
    }
  }

  synchronized void unreachable(long uid) {
    Entry entry = entries.get(uid);
    if (entry != null && unreachable.add(uid)) {
      tell(new MemberEvent.Unreachable(entry.member()));
    }
  }

  synchronized void reachable(long uid) {
    Entry entry = entries.get(uid);
    if (unreachable.remove(uid) && entry != null) {
      tell(new MemberEvent.Reachable(entry.member()));
    }
  }

  /** The member that is one no longer; null if it was none. */
  synchronized @Nullable Member removed(long uid, boolean lost) {
    unreachable.remove(uid);
    Entry entry = entries.remove(uid);
    if (entry == null) {
      return null;
    }
    tell(new MemberEvent.Removed(entry.member(), lost));
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

  /** The member with this uid, waited for a while: a message can be faster than the news. */
  synchronized @Nullable Member await(long uid, long millis) throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    while (!entries.containsKey(uid)) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return null;
      }
      wait(left);
    }
    Entry entry = entries.get(uid);
    return entry == null ? null : entry.member();
  }

  synchronized Registration listen(Consumer<MemberEvent> listener) {
    for (Member member : members()) {
      tell(listener, new MemberEvent.Joined(member));
    }
    for (long uid : unreachable) {
      Entry entry = entries.get(uid);
      if (entry != null) {
        tell(listener, new MemberEvent.Unreachable(entry.member()));
      }
    }
    listeners.add(listener);
    return () -> {
      synchronized (this) {
        listeners.remove(listener);
      }
    };
  }

  private void tell(MemberEvent event) {
    listeners.forEach(listener -> tell(listener, event));
  }

  private void tell(Consumer<MemberEvent> listener, MemberEvent event) {
    if (teller.isShutdown()) {
      return;
    }
    teller.execute(
        () -> {
          try {
            listener.accept(event);
          } catch (RuntimeException e) {
            LOG.warn("a listener failed at {}", event, e);
          }
        });
  }

  /** Nothing is told after what was told before. */
  @Override
  public synchronized void close() {
    teller.shutdown();
  }
}
