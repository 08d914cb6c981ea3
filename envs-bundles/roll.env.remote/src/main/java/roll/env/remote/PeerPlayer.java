package roll.env.remote;

import com.google.gson.JsonObject;
import roll.api.env.EpisodeStart;
import roll.bridge.PeerChannel;

/** A peer that plays, among others, this episode: it speaks the protocol of README.md. */
final class PeerPlayer implements EpisodePlayer {
  private final PeerChannel peer;
  private final JsonObject options;

  /** One that owns {@code peer}, and tells it {@code options} with its reset. */
  PeerPlayer(PeerChannel peer, JsonObject options) {
    this.peer = peer;
    this.options = options;
  }

  @Override
  public JsonObject reset(EpisodeStart start) {
    return peer.ask(BridgedRequests.reset(peer.name(), start, options));
  }

  @Override
  public JsonObject step(String response) {
    return peer.ask(BridgedRequests.step(peer.name(), response));
  }

  @Override
  public JsonObject render() {
    return peer.ask(BridgedRequests.render(peer.name()));
  }

  @Override
  public void finished() {
    peer.finished();
  }

  /** Lets the peer forget the episode; nobody waits for what it says to that. */
  @Override
  public void close() {
    peer.tell(BridgedRequests.close(peer.name()));
    peer.close();
  }
}
