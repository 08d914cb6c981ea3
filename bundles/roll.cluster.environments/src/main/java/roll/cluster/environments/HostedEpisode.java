package roll.cluster.environments;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.env.Episode;
import roll.cluster.services.RemoteContract.Target;

/** An episode that runs on this node for another node. Its calls run one after the other. */
final class HostedEpisode implements Target<Episode> {
  private static final Logger LOG = LoggerFactory.getLogger(HostedEpisode.class);

  private final long environment;
  private final Episode episode;
  private final ReentrantLock turn = new ReentrantLock();
  private volatile boolean closed;
  private volatile @Nullable Thread running;

  /**
   * Creates the host of an episode.
   *
   * @param environment number of its environment's service
   */
  HostedEpisode(long environment, Episode episode) {
    this.environment = environment;
    this.episode = episode;
  }

  long environment() {
    return environment;
  }

  /**
   * Calls the hosted episode.
   *
   * @throws IllegalStateException if it was closed before or during the call
   */
  @Override
  public <R> R apply(Function<Episode, R> method) {
    turn.lock();
    try {
      requireOpen();
      running = Thread.currentThread();
      R answer = method.apply(episode);
      requireOpen();
      return answer;
    } finally {
      running = null;
      turn.unlock();
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the episode was closed here");
    }
  }

  /** Interrupts the running call and closes the episode when it has returned. */
  void abandon() {
    closed = true;
    Thread thread = running;
    if (thread != null) {
      thread.interrupt();
    }
    end();
  }

  /** Closes the episode when the running call has returned. */
  void end() {
    turn.lock();
    try {
      closed = true;
      episode.close();
    } catch (RuntimeException e) { // no caller is left to get it
      LOG.debug("an episode does not close", e);
    } finally {
      turn.unlock();
    }
  }
}
