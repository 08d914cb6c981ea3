package roll.cluster.environments.server;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.env.Episode;

/** An episode that another node has begun here. Its calls come one after the other. */
final class ServedEpisode {
  private static final Logger LOG = LoggerFactory.getLogger(ServedEpisode.class);

  private final long environment;
  private final Episode episode;
  private final ReentrantLock turn = new ReentrantLock();
  private volatile boolean closed;
  private volatile @Nullable Thread running;

  /**
   * One that has begun.
   *
   * @param environment number of the service that it lives on
   */
  ServedEpisode(long environment, Episode episode) {
    this.environment = environment;
    this.episode = episode;
  }

  long environment() {
    return environment;
  }

  /**
   * Asks the episode.
   *
   * @throws IllegalStateException if it was closed, also meanwhile: whoever closes it interrupts
   */
  <T> T ask(Function<Episode, T> question) {
    turn.lock();
    try {
      if (closed) {
        throw new IllegalStateException("the episode was closed here");
      }
      running = Thread.currentThread();
      T answer = question.apply(episode);
      if (closed) {
        throw new IllegalStateException("the episode was closed here");
      }
      return answer;
    } finally {
      running = null;
      turn.unlock();
    }
  }

  /** Closes it when the call that it is in has returned, which is interrupted. */
  void abandon() {
    closed = true;
    Thread thread = running;
    if (thread != null) {
      thread.interrupt();
    }
    end();
  }

  /** Closes it when the call that it is in has returned. */
  void end() {
    turn.lock();
    try {
      closed = true;
      episode.close();
    } catch (RuntimeException e) { // nobody is there to be told
      LOG.debug("an episode does not close", e);
    } finally {
      turn.unlock();
    }
  }
}
