package roll.bridge;

import java.io.IOException;
import java.net.URI;
import java.util.Locale;
import java.util.Map;

/**
 * A server that is asked over HTTP, a request or an array of them in the body of a POST, or over a
 * WebSocket, a message for each line.
 *
 * @param url of {@code http}, {@code https}, {@code ws} or {@code wss}
 * @param headers of every request, or of the one that opens the WebSocket
 */
public record AddressPlace(URI url, Map<String, String> headers) implements PeerPlace {
  /** A copy of what may change. */
  public AddressPlace {
    headers = Map.copyOf(headers);
  }

  @Override
  public String shown() {
    return String.valueOf(url);
  }

  @Override
  public Transport connect() throws IOException, InterruptedException {
    boolean socket = url.getScheme().toLowerCase(Locale.ROOT).startsWith("ws");
    return socket ? WebSocketTransport.connect(this) : new HttpTransport(this);
  }
}
