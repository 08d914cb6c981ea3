package roll.env.remote;

import com.google.gson.JsonObject;
import roll.api.env.EpisodeStart;

/**
 * Who plays one episode, by whatever protocol. Its answers have the fields that README.md tells of.
 * Where it has gone, or says what it may not, its methods throw a {@link
 * roll.bridge.PeerException}. Used by one thread at a time.
 */
interface EpisodeClient extends AutoCloseable {
  /** Begins; called once. */
  JsonObject reset(EpisodeStart start);

  /** What the agent's whole response did. */
  JsonObject step(String response);

  /** What the world looks like, for people: nothing beside what the agent sees. */
  default JsonObject render() {
    return new JsonObject();
  }

  /** The episode went to its end. */
  default void finished() {}

  @Override
  void close();
}
