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
 * Session with a server of the Model Context Protocol, revision 2025-06-18, over a program of its
 * own or HTTP, for calls of its tools. Thread-safe.
 *
 * <p>The session ends when the server ends, violates the protocol, or answers nothing for the
 * timeout. A {@link PeerException} that is {@link PeerException#refused refused} does not end it.
 */
public final class McpSession implements AutoCloseable {
  private static final String VERSION = "2025-06-18";
  private static final int MAX_PAGES = 100;
  private static final int MAX_TOOLS = 1000;

  private final McpTransport wire;
  private final Duration patience;
  private final AtomicLong ids = new AtomicLong();
  private volatile long heard = System.nanoTime();

  private McpSession(McpTransport wire, Duration patience) {
    this.wire = wire;
    this.patience = patience;
  }

  /** Returns {@code place} with the default path {@code /mcp} if it has none. */
  public static ServerEndpoint address(ServerEndpoint place) {
    URI url = place.url();
    String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
    return url.getRawPath().isEmpty()
        ? new ServerEndpoint(url.resolve("/mcp" + query), place.headers())
        : place;
  }

  /**
   * Opens an MCP session.
   *
   * @param start timeout of the start
   * @param patience timeout of every answer
   * @throws PeerException if that fails
   */
  public static McpSession open(
      PeerEndpoint place, PeerConnections connections, Duration start, Duration patience) {
    McpTransport wire =
        place instanceof ServerEndpoint address
            ? new McpHttp(address, connections.client())
            : new McpStdio(connections.open(place), patience);
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
   * Lists the tools, each with a name and an {@code inputSchema}.
   *
   * @throws PeerException if that fails
   */
  public List<JsonObject> tools() {
    List<JsonObject> tools = new ArrayList<>();
    JsonObject params = new JsonObject();
    for (int pages = 0; pages < MAX_PAGES; pages++) {
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
      if (tools.size() > MAX_TOOLS) {
        break;
      }
      if (!(page.get("nextCursor") instanceof JsonPrimitive next) || next.getAsString().isEmpty()) {
        return tools;
      }
      params = new JsonObject();
      params.add("cursor", next);
    }
    throw said(
        "has a list of tools of more than %d pages or %d tools".formatted(MAX_PAGES, MAX_TOOLS));
  }

  /**
   * Calls the tool {@code name}; a rejection by the server is a result too.
   *
   * @throws PeerException if the server has ended, is late, or its answer is malformed
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
