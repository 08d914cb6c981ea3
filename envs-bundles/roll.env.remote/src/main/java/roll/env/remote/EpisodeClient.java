package roll.env.remote;

import com.google.gson.JsonObject;
import roll.api.env.EpisodeStart;

/**
 * Client of one episode on a remote server. Answers have the fields of the protocol in README.md.
 * Methods throw a {@link roll.bridge.PeerException} if the peer has ended or violates its protocol.
 * Not thread-safe.
 */
interface EpisodeClient extends AutoCloseable {
  /** Starts the episode; called once. */
  JsonObject reset(EpisodeStart start);

  /** Sends the whole response of the agent; returns the new state. */
  JsonObject step(String response);

  /** Returns a picture for users; empty if there is only that for the agent. */
  default JsonObject render() {
    return new JsonObject();
  }

  /** Reports that the episode has ended regularly. */
  default void finished() {}

  @Override
  void close();
}
