package roll.bridge;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Transport of lines as text messages of a WebSocket. */
final class WebSocketTransport implements Transport {
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final int LONGEST = 32 << 20;

  private final Runnable end;
  private final CompletableFuture<Listener> listener = new CompletableFuture<>();
  private @Nullable WebSocket socket;

  private WebSocketTransport(Runnable end) {
    this.end = end;
  }

  /**
   * Connects to a WebSocket with an HTTP client of its own.
   *
   * @throws IOException if the server cannot be reached, or supports no WebSocket
   */
  static WebSocketTransport connect(ServerEndpoint place) throws IOException, InterruptedException {
    HttpClient client = HttpClient.newBuilder().connectTimeout(CONNECT).build();
    boolean opened = false;
    try {
      WebSocketTransport transport = connect(place, client, client::shutdownNow);
      opened = true;
      return transport;
    } finally {
      if (!opened) {
        client.shutdownNow();
      }
    }
  }

  /**
   * Connects with a shared HTTP client.
   *
   * @param end runs when it is closed
   */
  static WebSocketTransport connect(ServerEndpoint place, HttpClient client, Runnable end)
      throws IOException, InterruptedException {
    WebSocketTransport transport = new WebSocketTransport(end);
    WebSocket.Builder builder = client.newWebSocketBuilder().connectTimeout(CONNECT);
    place.headers().forEach(builder::header);
    try {
      transport.socket = builder.buildAsync(place.url(), transport.new Incoming()).get();
      return transport;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof WebSocketHandshakeException refused) {
        throw new HandshakeRefusedException(refused.getResponse().statusCode());
      }
      throw new IOException(ConnectionFailures.why(e.getCause()), e);
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
  public void finish() {
    WebSocket open = socket;
    if (open != null) {
      CompletableFuture<WebSocket> _ = open.sendClose(WebSocket.NORMAL_CLOSURE, "");
    }
  }

  @Override
  public void close() {
    WebSocket open = socket;
    if (open != null) {
      open.abort();
    }
    end.run();
  }

  /** Receives messages, which may arrive in parts. */
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
        tell(told -> told.line(whole));
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
