package roll.env.remote;

import com.google.gson.JsonObject;
import roll.api.env.EpisodeStart;
import roll.bridge.PeerSession;

/** A peer that plays, among others, this episode: it speaks the protocol of README.md. */
final class PeerEpisode implements EpisodeClient {
  private final PeerSession peer;
  private final JsonObject options;

  /** One that owns {@code peer}, and tells it {@code options} with its reset. */
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

  /** Lets the peer forget the episode; nobody waits for what it says to that. */
  @Override
  public void close() {
    peer.tell(PeerRequests.close(peer.name()));
    peer.close();
  }
}
