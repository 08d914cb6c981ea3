package roll.bridge.mcp;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import roll.bridge.PeerConnections;
import roll.bridge.PeerEndpoint;
import roll.bridge.PeerException;
import roll.bridge.ServerEndpoint;

/**
 * A session with a server of the Model Context Protocol, revision 2025-06-18: over a program of its
 * own, or HTTP. Its tools are called, by any number of threads at once, and nothing else is asked
 * of it.
 *
 * <p>It ends when the server has gone or breaks the protocol, and when it answers nothing at all
 * for as long as an answer may take. A {@link PeerException} that is {@link PeerException#refused
 * refused} leaves it as it is.
 */
public final class McpSession implements AutoCloseable {
  private static final String VERSION = "2025-06-18";
  private static final int MOST_PAGES = 100;
  private static final int MOST_TOOLS = 1000;

  private final McpTransport wire;
  private final Duration patience;
  private final AtomicLong ids = new AtomicLong();
  private volatile long heard = System.nanoTime();

  private McpSession(McpTransport wire, Duration patience) {
    this.wire = wire;
    this.patience = patience;
  }

  /** The address of a server: {@code /mcp} where {@code place} has no path. */
  public static ServerEndpoint address(ServerEndpoint place) {
    URI url = place.url();
    String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
    return url.getRawPath().isEmpty()
        ? new ServerEndpoint(url.resolve("/mcp" + query), place.headers())
        : place;
  }

  /**
   * A new one.
   *
   * @param start how long it may take to begin
   * @param patience how long any answer may take
   * @throws PeerException if there is no such server
   */
  public static McpSession open(
      PeerEndpoint place, PeerConnections dialogues, Duration start, Duration patience) {
    McpTransport wire =
        place instanceof ServerEndpoint address
            ? new McpHttp(address, dialogues.client())
            : new McpStdio(dialogues.open(place), patience);
    McpSession session = new McpSession(wire, patience);
    try {
      session.shakeHands(start);
      return session;
    } catch (RuntimeException e) {
      wire.close();
      throw e;
    }
  }

  private void shakeHands(Duration start) {
    JsonObject client = new JsonObject();
    client.addProperty("name", "roll");
    client.addProperty("version", "1");
    JsonObject params = new JsonObject();
    params.addProperty("protocolVersion", VERSION);
    params.add("capabilities", new JsonObject());
    params.add("clientInfo", client);
    JsonObject server = result(request("initialize", params), start);
    wire.agreed(server.get("protocolVersion") instanceof JsonPrimitive v ? v.getAsString() : "");
    JsonObject _ = send(JsonRpc.of("notifications/initialized", new JsonObject()), patience);
  }

  /**
   * Its tools, each with a name and an {@code inputSchema}.
   *
   * @throws PeerException if it lists none
   */
  public List<JsonObject> tools() {
    List<JsonObject> tools = new ArrayList<>();
    JsonObject params = new JsonObject();
    for (int pages = 0; pages < MOST_PAGES; pages++) {
      JsonObject page = result(request("tools/list", params), patience);
      if (!(page.get("tools") instanceof JsonArray listed)) {
        throw said("lists no tools");
      }
      for (JsonElement tool : listed) {
        if (!(tool instanceof JsonObject one
            && one.get("name") instanceof JsonPrimitive name
            && !name.getAsString().isBlank())) {
          throw said("lists a tool without a name");
        }
        tools.add(one);
      }
      if (tools.size() > MOST_TOOLS) {
        break;
      }
      if (!(page.get("nextCursor") instanceof JsonPrimitive next) || next.getAsString().isEmpty()) {
        return tools;
      }
      params = new JsonObject();
      params.add("cursor", next);
    }
    throw said(
        "has a list of tools of more than %d pages or %d tools".formatted(MOST_PAGES, MOST_TOOLS));
  }

  /**
   * What the tool {@code name} answers; that the server refuses the call is an answer too.
   *
   * @throws PeerException if the server has gone, is late, or says what is no answer
   */
  public McpResult call(String name, JsonObject arguments) {
    JsonObject params = new JsonObject();
    params.addProperty("name", name);
    params.add("arguments", arguments);
    JsonObject answer = send(request("tools/call", params), patience);
    if (answer.get("error") instanceof JsonObject error) {
      return McpResult.refused(message(error));
    }
    return McpResult.of(object(answer));
  }

  private JsonObject request(String method, JsonObject params) {
    JsonObject request = JsonRpc.of(method, params);
    request.addProperty("id", ids.incrementAndGet());
    return request;
  }

  private JsonObject result(JsonObject request, Duration time) {
    JsonObject answer = send(request, time);
    if (answer.get("error") instanceof JsonObject error) {
      throw PeerException.refused(wire.shown() + ": " + message(error));
    }
    return object(answer);
  }

  private JsonObject send(JsonObject message, Duration time) {
    long sent = System.nanoTime();
    Future<JsonObject> answer = wire.send(message, time);
    try {
      JsonObject given = answer.get(time.toNanos(), TimeUnit.NANOSECONDS);
      heard = System.nanoTime();
      return given;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof PeerException failed
          ? failed
          : wire.end("failed: " + e.getCause());
    } catch (TimeoutException e) {
      String late = "has not answered for " + time.toMillis() / 1e3 + " s";
      throw heard - sent > 0 ? said(late) : wire.end(late);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw PeerException.refused("interrupted while " + wire.shown() + " was asked");
    } finally {
      answer.cancel(true);
    }
  }

  private JsonObject object(JsonObject answer) {
    if (answer.get("result") instanceof JsonObject result) {
      return result;
    }
    throw said("answered without a result");
  }

  private static String message(JsonObject error) {
    return error.get("message") instanceof JsonPrimitive text
        ? text.getAsString()
        : error.toString();
  }

  private PeerException said(String what) {
    return PeerException.refused(wire.shown() + " " + what);
  }

  @Override
  public void close() {
    wire.close();
  }
}
