package roll.cluster.environments.remote;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.environments.calls.EpisodeHost;
import roll.cluster.environments.calls.Outcome;
import roll.cluster.services.RemoteCalls;

/**
 * Calls into environments of one member. A thread that is interrupted waits no longer.
 *
 * @param member whose they are
 * @param host as what it is called
 */
record EnvironmentCalls(Member member, EpisodeHost host) {
  EnvironmentCalls(Membership membership, Member member) {
    this(member, EpisodeHost.CONTRACT.of(membership, member, RemoteCalls.LONG));
  }

  /**
   * The answer to {@code call}.
   *
   * @throws roll.cluster.NodeLostException if the member is lost
   * @throws roll.cluster.RemoteCallException if it does not have what is asked for
   * @throws roll.api.option.UserException if the environment threw one
   * @throws roll.cluster.environments.calls.EnvironmentFailedException if it threw anything else
   * @throws CancellationException if the thread was interrupted; the flag is set
   */
  <T> T await(CompletableFuture<Outcome<T>> call) {
    try {
      return call.get().get();
    } catch (InterruptedException e) {
      call.cancel(true);
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted in a call to " + member);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException failure
          ? failure
          : new IllegalStateException(e.getCause());
    }
  }
}
