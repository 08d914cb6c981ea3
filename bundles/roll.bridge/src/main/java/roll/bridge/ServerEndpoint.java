package roll.bridge;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.Locale;
import java.util.Map;
import roll.api.option.UserException;

/**
 * A server that is asked over HTTP, a request or an array of them in the body of a POST, or over a
 * WebSocket, a message for each line.
 *
 * @param url of {@code http}, {@code https}, {@code ws} or {@code wss}
 * @param headers of every request, or of the one that opens the WebSocket
 */
public record ServerEndpoint(URI url, Map<String, String> headers) implements PeerEndpoint {
  /**
   * A copy of what may change.
   *
   * @throws UserException if a request may not have one of the headers
   */
  public ServerEndpoint {
    headers = Map.copyOf(headers);
    HttpRequest.Builder request = HttpRequest.newBuilder();
    headers.forEach(
        (name, value) -> {
          try {
            request.setHeader(name, value);
          } catch (IllegalArgumentException e) { // it has the value, which may be a key
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
