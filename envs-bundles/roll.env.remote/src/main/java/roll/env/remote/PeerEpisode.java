package roll.env.remote;

import com.google.gson.JsonObject;
import roll.api.env.EpisodeStart;
import roll.bridge.PeerSession;

/** Episode of a peer that implements the protocol of README.md. */
final class PeerEpisode implements EpisodeClient {
  private final PeerSession peer;
  private final JsonObject options;

  /** Creates an episode that owns {@code peer}, and sends {@code options} with its reset. */
  PeerEpisode(PeerSession peer, JsonObject options) {
    this.peer = peer;
    this.options = options;
  }

  @Override
  public JsonObject reset(EpisodeStart start) {
    return peer.ask(PeerRequests.reset(peer.name(), start, options));
  }

  @Override
  public JsonObject step(String response) {
    return peer.ask(PeerRequests.step(peer.name(), response));
  }

  @Override
  public JsonObject render() {
    return peer.ask(PeerRequests.render(peer.name()));
  }

  @Override
  public void finished() {
    peer.finished();
  }

  /** Closes the episode without waiting for the answer. */
  @Override
  public void close() {
    peer.tell(PeerRequests.close(peer.name()));
    peer.close();
  }
}
