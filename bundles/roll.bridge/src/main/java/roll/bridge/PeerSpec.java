package roll.bridge;

import com.google.gson.JsonObject;
import java.time.Duration;

/**
 * Specification of a group of equal peers. Equal specifications share their peers.
 *
 * @param place endpoint
 * @param hello first request to each peer, answered when it is ready
 * @param peers maximum number of peers, each for many episodes
 * @param startTimeout timeout of the first answer
 * @param timeout maximum time without any answer while some are due
 * @param restarts maximum number of consecutive restarts of a peer that finished nothing
 */
public record PeerSpec(
    PeerEndpoint place,
    JsonObject hello,
    int peers,
    Duration startTimeout,
    Duration timeout,
    int restarts) {
  /** Creates a peer specification with an immutable copy of the request. */
  public PeerSpec {
    hello = hello.deepCopy();
  }

  /** Returns a copy of the peer specification. */
  @Override
  public JsonObject hello() {
    return hello.deepCopy();
  }
}
