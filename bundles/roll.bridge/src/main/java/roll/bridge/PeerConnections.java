package roll.bridge;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The {@link PeerConnection}s of one plugin, for protocols in which an episode has a program or a
 * connection of its own; all end with the plugin.
 */
public final class PeerConnections implements AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final long LONGEST = 32L << 20;
  private static final int SHOWN = 200;
  private static final int OK = 200;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT).build();
  private final Set<PeerConnection> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** Creates an empty set. */
  public PeerConnections() {}

  /** HTTP client of all connections, which does not follow redirects. */
  public HttpClient client() {
    return client;
  }

  /**
   * Opens a connection: starts a program, or opens a WebSocket.
   *
   * @throws PeerException if it cannot be started or reached; refused if the server rejected the
   *     WebSocket permanently
   */
  public PeerConnection open(PeerEndpoint place) {
    if (closed) {
      throw PeerException.ended(place.shown() + " is no longer used");
    }
    try {
      Transport transport =
          place instanceof ServerEndpoint address
              ? WebSocketTransport.connect(address, client, () -> {})
              : place.connect();
      PeerConnection begun = new PeerConnection(place.shown(), transport, open::remove);
      open.add(begun);
      if (closed) {
        begun.abort();
      }
      return begun;
    } catch (IOException e) {
      String what = place.shown() + " cannot be started or reached: " + e.getMessage();
      throw e instanceof HandshakeRefusedException answered && !answered.passes()
          ? PeerException.refused(what)
          : PeerException.ended(what);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw PeerException.ended("interrupted while " + place.shown() + " started");
    }
  }

  /**
   * Downloads {@code url} as text.
   *
   * @param patience timeout of the download
   * @throws PeerException if that fails, or it is longer than 32 MiB
   */
  public String get(URI url, Map<String, String> headers, Duration patience) {
    HttpRequest.Builder request = HttpRequest.newBuilder(url).GET();
    headers.forEach(request::setHeader);
    CompletableFuture<HttpResponse<String>> asked =
        client.sendAsync(request.build(), BodyHandlers.limiting(BodyHandlers.ofString(), LONGEST));
    try {
      HttpResponse<String> response = asked.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      String body = response.body();
      if (response.statusCode() != OK) {
        String said = body.substring(0, Math.min(SHOWN, body.length()));
        throw PeerException.refused(
            "%s answered with status %d: %s".formatted(url, response.statusCode(), said));
      }
      return body;
    } catch (ExecutionException e) {
      throw PeerException.ended(
          url + " cannot be reached: " + ConnectionFailures.why(e.getCause()));
    } catch (TimeoutException e) {
      throw PeerException.ended(
          "%s has not answered for %s s".formatted(url, patience.toMillis() / 1e3));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw PeerException.ended("interrupted while " + url + " was asked");
    } finally {
      asked.cancel(true);
    }
  }

  /** Ends all connections to peers. */
  @Override
  public void close() {
    closed = true;
    open.forEach(PeerConnection::abort);
    client.shutdownNow();
  }
}
