package roll.bridge;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Lines as text messages of a WebSocket. */
final class WebSocketTransport implements Transport {
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final int LONGEST = 32 << 20;

  private final HttpClient client;
  private final CompletableFuture<Listener> listener = new CompletableFuture<>();
  private @Nullable WebSocket socket;

  private WebSocketTransport(HttpClient client) {
    this.client = client;
  }

  /**
   * A connection with the server at {@code place}.
   *
   * @throws IOException if it is not there, or speaks no WebSocket
   */
  static WebSocketTransport connect(AddressPlace place) throws IOException, InterruptedException {
    HttpClient client = HttpClient.newBuilder().connectTimeout(CONNECT).build();
    WebSocketTransport transport = new WebSocketTransport(client);
    WebSocket.Builder builder = client.newWebSocketBuilder().connectTimeout(CONNECT);
    place.headers().forEach(builder::header);
    try {
      transport.socket = builder.buildAsync(place.url(), transport.new Incoming()).get();
      return transport;
    } catch (ExecutionException e) {
      client.shutdownNow();
      throw new IOException(String.valueOf(e.getCause()), e);
    } catch (InterruptedException e) {
      client.shutdownNow();
      throw e;
    }
  }

  @Override
  public void open(Listener told) {
    listener.complete(told);
  }

  @Override
  public void send(String line) throws IOException, InterruptedException {
    WebSocket open = socket;
    if (open == null) {
      throw new IOException("it is not connected");
    }
    try {
      WebSocket _ = open.sendText(line, true).get();
    } catch (ExecutionException e) {
      throw new IOException(String.valueOf(e.getCause()), e);
    }
  }

  @Override
  public void close() {
    WebSocket open = socket;
    if (open != null) {
      open.abort();
    }
    client.shutdownNow();
  }

  /** What comes; a message may come in parts. */
  private final class Incoming implements WebSocket.Listener {
    private final StringBuilder message = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      message.append(part);
      if (message.length() > LONGEST) {
        tell(told -> told.ended("wrote a message of more than " + (LONGEST >> 20) + " MiB"));
      } else if (last) {
        String whole = message.toString();
        message.setLength(0);
        tell(told -> whole.lines().forEach(told::line));
      }
      from.request(1);
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int status, String reason) {
      tell(told -> told.ended("closed the connection with status " + status + " " + reason));
      return null;
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
      tell(told -> told.ended("lost the connection: " + error));
    }

    private void tell(Consumer<Listener> what) {
      listener.thenAccept(what).exceptionally(_ -> null);
    }
  }
}
