package roll.bridge;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.Locale;
import java.util.Map;
import roll.api.option.UserException;

/**
 * A server that receives requests over HTTP, one or an array of them per POST, or over a WebSocket,
 * one line per message.
 *
 * @param url address with the scheme {@code http}, {@code https}, {@code ws} or {@code wss}
 * @param headers headers of every request, or of the WebSocket handshake
 */
public record ServerEndpoint(URI url, Map<String, String> headers) implements PeerEndpoint {
  /**
   * Copies the headers.
   *
   * @throws UserException if one of the headers is not allowed
   */
  public ServerEndpoint {
    headers = Map.copyOf(headers);
    HttpRequest.Builder request = HttpRequest.newBuilder();
    headers.forEach(
        (name, value) -> {
          try {
            request.setHeader(name, value);
          } catch (IllegalArgumentException e) { // its message has the value, which may be a secret
            throw new UserException(
                ("headers of %s: '%s' is not allowed; expected a header that requests may set,"
                        + " with a value of printable Latin-1 characters")
                    .formatted(url, name));
          }
        });
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
