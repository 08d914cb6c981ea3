package roll.bridge.mcp;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.plugin.OneShotTask;
import roll.bridge.ConnectionFailures;
import roll.bridge.PeerException;
import roll.bridge.ServerEndpoint;

/** Streamable HTTP transport: a POST per message, answered by JSON or by server-sent events. */
final class McpHttp implements McpTransport {
  private static final long LONGEST = 32L << 20;
  private static final int SHOWN = 200;
  private static final Duration GOODBYE = Duration.ofSeconds(5);
  private static final String SESSION = "Mcp-Session-Id";

  /** Valid session ids, which are sent as headers. */
  private static final Predicate<String> VISIBLE = Pattern.compile("[!-~]+").asMatchPredicate();

  private final ServerEndpoint place;
  private final HttpClient client;
  private volatile @Nullable String session;
  private volatile String version = "";

  /** Creates a transport without connecting. */
  McpHttp(ServerEndpoint place, HttpClient client) {
    this.place = place;
    this.client = client;
  }

  @Override
  public String shown() {
    return place.shown();
  }

  @Override
  public void agreed(String agreed) {
    version = agreed.matches("[\\w.-]{1,40}") ? agreed : ""; // it is sent as a header
  }

  @Override
  public Future<JsonObject> send(JsonObject message, Duration patience) {
    FutureTask<JsonObject> answer = new FutureTask<>(() -> answer(message));
    Thread _ = Thread.ofVirtual().name("roll.bridge").start(new OneShotTask(answer));
    return answer;
  }

  private JsonObject answer(JsonObject message) throws InterruptedException {
    HttpResponse<Stream<String>> response = post(message);
    try (Stream<String> body = response.body()) {
      if (!message.has("id")) {
        return message;
      }
      String type = response.headers().firstValue("Content-Type").orElse("");
      Iterator<String> lines = body.iterator();
      while (lines.hasNext()) {
        String text = type.startsWith("text/event-stream") ? data(lines) : all(lines);
        if (!text.isBlank()) {
          JsonObject said = JsonRpc.read(text);
          if (JsonRpc.answered(said) == JsonRpc.id(message)) {
            return said;
          }
          if (JsonRpc.asks(said)) {
            post(JsonRpc.reply(said)).body().close();
          }
        }
      }
    } catch (UncheckedIOException e) {
      throw unreachable(e.getCause());
    } catch (IllegalArgumentException e) {
      throw PeerException.refused(shown() + " " + e.getMessage());
    }
    throw PeerException.refused(shown() + " answered something else than it was asked");
  }

  /** Returns the data lines of the next event. */
  private static String data(Iterator<String> lines) {
    StringBuilder data = new StringBuilder();
    while (lines.hasNext()) {
      String line = lines.next();
      if (line.isEmpty()) {
        break;
      }
      if (line.startsWith("data:")) {
        data.append(line, "data:".length(), line.length()).append('\n');
      }
    }
    return data.toString();
  }

  private static String all(Iterator<String> lines) {
    StringBuilder text = new StringBuilder();
    lines.forEachRemaining(line -> text.append(line).append('\n'));
    return text.toString();
  }

  private HttpResponse<Stream<String>> post(JsonObject message) throws InterruptedException {
    HttpRequest request =
        request()
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
            .POST(BodyPublishers.ofString(message.toString()))
            .build();
    try {
      HttpResponse<Stream<String>> response =
          client.send(request, BodyHandlers.limiting(BodyHandlers.ofLines(), LONGEST));
      if (response.statusCode() / 100 != 2) {
        throw refusal(response);
      }
      session = response.headers().firstValue(SESSION).filter(VISIBLE).orElse(session);
      return response;
    } catch (IOException e) {
      throw unreachable(e);
    }
  }

  private PeerException refusal(HttpResponse<Stream<String>> response) {
    try (Stream<String> body = response.body()) {
      String said = body.collect(Collectors.joining("\n"));
      return end(
          "answered with status %d: %s"
              .formatted(response.statusCode(), said.substring(0, Math.min(SHOWN, said.length()))));
    } catch (UncheckedIOException e) {
      return unreachable(e.getCause());
    }
  }

  private HttpRequest.Builder request() {
    HttpRequest.Builder request = HttpRequest.newBuilder(place.url());
    place.headers().forEach(request::setHeader);
    String begun = session;
    if (begun != null) {
      request.setHeader(SESSION, begun);
    }
    if (!version.isEmpty()) {
      request.setHeader("MCP-Protocol-Version", version);
    }
    return request;
  }

  private PeerException unreachable(@Nullable IOException why) {
    return end("cannot be reached: " + ConnectionFailures.why(why));
  }

  @Override
  public PeerException end(String why) {
    return PeerException.ended(shown() + " " + why);
  }

  /** Ends the session on the server, without waiting for the answer. */
  @Override
  public void close() {
    if (session != null) {
      CompletableFuture<HttpResponse<Void>> _ =
          client.sendAsync(request().timeout(GOODBYE).DELETE().build(), BodyHandlers.discarding());
    }
  }
}
