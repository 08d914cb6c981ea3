package roll.cluster.pekko;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.Terminated;
import org.apache.pekko.io.TcpMessage;

/** Ends an actor system, in order or at once. */
final class SystemShutdown {
  private static final long LEAVE_SECONDS = 6;
  private static final long STOP_SECONDS = 4;

  /**
   * Milliseconds longer than the second that Pekko waits for the acknowledgement of its last
   * messages.
   */
  private static final long FLUSH_MILLIS = 1500;

  private final ActorSystem system;

  SystemShutdown(ActorSystem system) {
    this.system = system;
  }

  /** Waits until the system has ended, and before that, if {@code leaves}, has left the cluster. */
  void await(boolean leaves) throws InterruptedException, ExecutionException, TimeoutException {
    if (leaves) {
      CoordinatedShutdown.get(system)
          .runAll(CoordinatedShutdown.clusterLeavingReason())
          .toCompletableFuture()
          .get(LEAVE_SECONDS, TimeUnit.SECONDS);
    }
    terminate().get(STOP_SECONDS, TimeUnit.SECONDS);
  }

  /**
   * Ends the actor system; the result completes when it has ended.
   *
   * <p>When Pekko stops, its outbound control stream either fails with the transport or, if the
   * inbound one is faster, completes. The TLS stage below ignores the completion and waits for the
   * other node to close the connection, which has no reason to, and the system waits for the
   * stream. Connections that remain after the last flush are therefore aborted.
   */
  CompletableFuture<Terminated> terminate() {
    system.terminate();
    CompletableFuture<Terminated> terminated = system.getWhenTerminated().toCompletableFuture();
    var unused =
        terminated
            .copy()
            .orTimeout(FLUSH_MILLIS, TimeUnit.MILLISECONDS)
            .exceptionally(
                _ -> {
                  system
                      .actorSelection("/system/IO-TCP/selectors/*/*")
                      .tell(TcpMessage.abort(), ActorRef.noSender());
                  return null;
                });
    return terminated;
  }
}
