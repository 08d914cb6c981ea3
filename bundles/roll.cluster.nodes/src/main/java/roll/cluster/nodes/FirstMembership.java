package roll.cluster.nodes;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import roll.cluster.Member;
import roll.cluster.MemberEvent;
import roll.cluster.Membership;
import roll.cluster.MembershipEnd;
import roll.cluster.Registration;

/**
 * Membership of a first node, which is reopened if it ends before the run does, so that nodes can
 * rejoin. It reports the other members to the user. Thread-safe.
 */
final class FirstMembership implements AutoCloseable {
  private final Retry.Action<Membership> opener;
  private final CurrentMembership current;
  private final boolean plain;
  private final Consumer<String> console;

  /** Held while the services over a membership are started or stopped. */
  private final Object lifecycle = new Object();

  private volatile Membership membership;
  private volatile boolean closed;

  /** Other members; guarded by this, like all that follows. */
  private final Set<Member> others = new HashSet<>();

  private @Nullable Registration listener;
  private Consumer<String> joined = _ -> {};

  private FirstMembership(
      Retry.Action<Membership> opener,
      Membership membership,
      CurrentMembership current,
      boolean plain,
      Consumer<String> console) {
    this.opener = opener;
    this.membership = membership;
    this.current = current;
    this.plain = plain;
    this.console = console;
  }

  /**
   * Opens the membership of the first node.
   *
   * @param opener opens a membership, each with an epoch of its own
   * @param current holds the membership while there is one
   * @param plain whether the user chose to run without TLS
   * @param console receives lines about what happens
   */
  static FirstMembership open(
      Retry.Action<Membership> opener,
      CurrentMembership current,
      boolean plain,
      Consumer<String> console)
      throws IOException, InterruptedException {
    FirstMembership first = new FirstMembership(opener, opener.run(), current, plain, console);
    boolean unused = first.use(first.membership);
    return first;
  }

  /** Returns the present membership, or the last one while there is none. */
  Membership get() {
    return membership;
  }

  /** Uses {@code opened} until it ends; returns false if this is closed. */
  private boolean use(Membership opened) {
    synchronized (lifecycle) {
      if (closed) {
        return false;
      }
      membership = opened;
      current.set(opened, plain, console::accept);
      follow(opened);
      var unused = opened.ended().thenAcceptAsync(this::ended, Thread::startVirtualThread);
      return true;
    }
  }

  private synchronized void follow(Membership opened) {
    listener = opened.listen(event -> changed(opened, event));
  }

  private void stop() {
    synchronized (this) {
      if (listener != null) {
        listener.close();
        listener = null;
      }
      others.clear();
    }
    current.clear(membership);
  }

  private void ended(MembershipEnd end) {
    synchronized (lifecycle) {
      if (closed) {
        return;
      }
      stop();
    }
    console.accept(end.why() + "; it is the first node, so it opens a new membership");
    membership.close();
    try {
      Retry.untilDone(this::reopen, new Reported());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reports failures that differ from the one before. */
  private final class Reported implements Consumer<IOException> {
    private String last = "";

    @Override
    public void accept(IOException failure) {
      String why = String.valueOf(failure.getMessage());
      if (!why.equals(last)) {
        console.accept("no node can join: " + why);
        last = why;
      }
    }
  }

  private boolean reopen() throws IOException, InterruptedException {
    if (closed) {
      return false;
    }
    Membership opened = opener.run();
    if (!use(opened)) {
      opened.close();
      return false;
    }
    console.accept("nodes can join again");
    return true;
  }

  /** Also passes the name of each node that joins, and of those present, to {@code consumer}. */
  synchronized void onJoin(Consumer<String> consumer) {
    joined = consumer;
    others.forEach(member -> consumer.accept(member.name()));
  }

  private synchronized void changed(Membership of, MemberEvent event) {
    if (listener == null || event.member().equals(of.self())) {
      return;
    }
    switch (event) {
      case MemberEvent.Joined(var member) -> {
        others.add(member);
        joined.accept(member.name());
        console.accept("node " + member + " joined");
      }
      case MemberEvent.Unreachable(var member) ->
          console.accept("node " + member + " does not answer");
      case MemberEvent.Reachable(var member) -> console.accept("node " + member + " answers again");
      case MemberEvent.Removed(var member, boolean lost) -> {
        others.remove(member);
        console.accept("node " + member + (lost ? " was lost" : " has left"));
      }
    }
    notifyAll();
  }

  /**
   * Waits until {@code nodes} nodes including the first one are members, at most {@code timeout};
   * reports how many are missing.
   *
   * @return present number of nodes
   */
  synchronized int await(int nodes, Duration timeout) throws InterruptedException {
    long end = System.nanoTime() + timeout.toNanos();
    int reported = -1;
    while (others.size() + 1 < nodes && System.nanoTime() < end) {
      int missing = nodes - 1 - others.size();
      if (missing != reported) {
        console.accept(
            "waiting for %d more %s: type the line above on another machine"
                .formatted(missing, missing == 1 ? "node" : "nodes"));
        reported = missing;
      }
      TimeUnit.NANOSECONDS.timedWait(this, end - System.nanoTime());
    }
    return others.size() + 1;
  }

  /** Closes the membership for good. */
  @Override
  public void close() {
    synchronized (lifecycle) {
      if (closed) {
        return;
      }
      closed = true;
      stop();
    }
    membership.close();
  }
}
