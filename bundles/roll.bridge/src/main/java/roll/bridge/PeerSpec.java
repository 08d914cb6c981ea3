package roll.bridge;

import com.google.gson.JsonObject;
import java.time.Duration;

/**
 * Peers that are alike, and how they are treated. Equal ones share their peers.
 *
 * @param place where they are
 * @param hello the first request to each, which it answers when it is ready
 * @param peers how many there are at most, each for many episodes
 * @param startTimeout until the first request is answered
 * @param timeout how long a peer may be without any answer while some are due
 * @param restarts how often in a row one is started anew that ended before anything was finished
 */
public record PeerSpec(
    PeerEndpoint place,
    JsonObject hello,
    int peers,
    Duration startTimeout,
    Duration timeout,
    int restarts) {
  /** A copy of what may change. */
  public PeerSpec {
    hello = hello.deepCopy();
  }

  /** A copy. */
  @Override
  public JsonObject hello() {
    return hello.deepCopy();
  }
}
