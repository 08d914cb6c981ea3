package roll.env.remote.mcp;

import com.google.gson.JsonObject;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import roll.bridge.AddressPlace;
import roll.bridge.PeerException;
import roll.bridge.Unreachable;

/** The transport streamable HTTP: a POST for each message, answered by JSON or by events. */
final class McpHttp implements McpWire {
  private static final long LONGEST = 32L << 20;
  private static final int SHOWN = 200;
  private static final String SESSION = "Mcp-Session-Id";

  private final AddressPlace place;
  private final HttpClient client;
  private @Nullable String session;
  private String version = "";

  /** To the server at {@code place}; nothing is sent yet. */
  McpHttp(AddressPlace place, HttpClient client) {
    this.place = place;
    this.client = client;
  }

  @Override
  public String shown() {
    return place.shown();
  }

  @Override
  public void agreed(String agreed) {
    version = agreed.matches("[\\w.-]{1,40}") ? agreed : ""; // it goes into a header
  }

  @Override
  public JsonObject ask(JsonObject request, Duration patience) {
    HttpResponse<String> response = send(post(request), patience);
    String type = response.headers().firstValue("Content-Type").orElse("");
    if (!type.startsWith("text/event-stream")) {
      JsonObject message = RpcMessages.read(shown(), response.body());
      if (RpcMessages.answers(message, request)) {
        return message;
      }
    } else {
      for (String event : response.body().split("\r?\n\r?\n", -1)) {
        String data = data(event);
        if (!data.isBlank()) {
          JsonObject message = RpcMessages.read(shown(), data);
          if (RpcMessages.answers(message, request)) {
            return message;
          }
        }
      }
    }
    throw PeerException.refused(shown() + " answered something else than it was asked");
  }

  /** The data of an event, of all its lines. */
  private static String data(String event) {
    StringBuilder data = new StringBuilder();
    for (String line : event.split("\r?\n", -1)) {
      if (line.startsWith("data:")) {
        data.append(line, "data:".length(), line.length()).append('\n');
      }
    }
    return data.toString();
  }

  @Override
  public void tell(JsonObject notification, Duration patience) {
    HttpResponse<String> _ = send(post(notification), patience);
  }

  private HttpRequest post(JsonObject message) {
    return request()
        .header("Content-Type", "application/json")
        .header("Accept", "application/json, text/event-stream")
        .POST(BodyPublishers.ofString(message.toString()))
        .build();
  }

  private HttpRequest.Builder request() {
    HttpRequest.Builder request = HttpRequest.newBuilder(place.url());
    for (Map.Entry<String, String> header : place.headers().entrySet()) {
      request.setHeader(header.getKey(), header.getValue());
    }
    if (session != null) {
      request.setHeader(SESSION, session);
    }
    if (!version.isEmpty()) {
      request.setHeader("MCP-Protocol-Version", version);
    }
    return request;
  }

  private HttpResponse<String> send(HttpRequest request, Duration patience) {
    CompletableFuture<HttpResponse<String>> asked =
        client.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofString(), LONGEST));
    try {
      HttpResponse<String> response = asked.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      if (response.statusCode() / 100 != 2) {
        String body = response.body();
        throw PeerException.refused(
            "%s answered with status %d: %s"
                .formatted(
                    shown(),
                    response.statusCode(),
                    body.substring(0, Math.min(SHOWN, body.length()))));
      }
      session = response.headers().firstValue(SESSION).orElse(session);
      return response;
    } catch (ExecutionException e) {
      throw PeerException.ended(shown() + " cannot be reached: " + Unreachable.why(e.getCause()));
    } catch (TimeoutException e) {
      throw PeerException.ended(
          "%s has not answered for %s s".formatted(shown(), patience.toMillis() / 1e3));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw PeerException.ended("interrupted while " + shown() + " was asked");
    } finally {
      asked.cancel(true);
    }
  }

  /** Lets the server forget the session; nobody waits for what it says to that. */
  @Override
  public void close() {
    if (session != null) {
      CompletableFuture<HttpResponse<Void>> _ =
          client.sendAsync(request().DELETE().build(), BodyHandlers.discarding());
    }
  }
}
