package roll.cluster.nodes;

import java.io.IOException;
import java.util.function.Consumer;
import roll.cluster.Membership;
import roll.cluster.MembershipEnd;

/**
 * The membership of a first node. One that ends by itself is told and begun anew for as long as the
 * run lasts, so that nodes can join again. Can be used by all threads.
 */
final class FirstMembership implements AutoCloseable {
  private static final long LEAST_WAIT = 500;
  private static final long MOST_WAIT = 5_000;

  /** Begins one. */
  interface Opening {
    Membership open() throws IOException, InterruptedException;
  }

  /** Hears of memberships, of one after the other. */
  interface Follower {
    /** There is one. */
    void begun(Membership membership);

    /** It is over. */
    void over(Membership membership);
  }

  private final Opening opening;
  private final Follower follower;
  private final Consumer<String> say;

  /** Held while the follower is told. */
  private final Object turn = new Object();

  private volatile Membership present;
  private volatile boolean closed;

  private FirstMembership(
      Opening opening, Membership present, Follower follower, Consumer<String> say) {
    this.opening = opening;
    this.present = present;
    this.follower = follower;
    this.say = say;
  }

  /**
   * Begins the first one.
   *
   * @param say receives a line when one has ended, and when there is another
   */
  static FirstMembership open(Opening opening, Follower follower, Consumer<String> say)
      throws IOException, InterruptedException {
    FirstMembership first = new FirstMembership(opening, opening.open(), follower, say);
    first.begun(first.present);
    return first;
  }

  /** The present one; while there is none, the last one. */
  Membership get() {
    return present;
  }

  /** Whether it is still wanted. */
  private boolean begun(Membership next) {
    synchronized (turn) {
      if (!closed) {
        present = next;
        follower.begun(next);
        var unused = next.ended().thenAcceptAsync(this::ended, Thread::startVirtualThread);
        return true;
      }
    }
    next.close();
    return false;
  }

  private void ended(MembershipEnd end) {
    Membership last = present;
    synchronized (turn) {
      if (closed) {
        return;
      }
      follower.over(last);
    }
    say.accept(end.why() + "; it is the first node, so its membership begins anew");
    last.close();
    try {
      again();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void again() throws InterruptedException {
    String said = "";
    for (long wait = LEAST_WAIT; !closed; wait = Math.min(MOST_WAIT, 2 * wait)) {
      try {
        if (begun(opening.open())) {
          say.accept("nodes can join again");
        }
        return;
      } catch (IOException e) {
        String why = String.valueOf(e.getMessage());
        if (!why.equals(said)) {
          say.accept("no node can join: " + why);
          said = why;
        }
        Thread.sleep(wait);
      }
    }
  }

  /** Ends the present one; none begins any more. */
  @Override
  public void close() {
    synchronized (turn) {
      if (closed) {
        return;
      }
      closed = true;
      follower.over(present);
    }
    present.close();
  }
}
