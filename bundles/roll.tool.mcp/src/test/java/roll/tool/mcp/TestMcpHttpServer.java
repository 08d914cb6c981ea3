package roll.tool.mcp;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server of streamable HTTP written without the SDK: the tools add and broken, page by page. */
final class TestMcpHttpServer implements AutoCloseable {
  final List<String> methods = Collections.synchronizedList(new ArrayList<>());
  final List<String> keys = Collections.synchronizedList(new ArrayList<>());

  /** Whether it answers nothing but messages. */
  volatile boolean silent;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final HttpServer server;

  private final String listing;
  private final String answer;

  TestMcpHttpServer(int port) throws IOException {
    this(port, "", "");
  }

  /**
   * One that lists and answers what none may.
   *
   * @param listing in the place of every page of its list; empty for its own
   * @param answer in the place of every answer; empty for its own
   */
  TestMcpHttpServer(int port, String listing, String answer) throws IOException {
    this.listing = listing;
    this.answer = answer;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.setExecutor(threads);
    server.createContext("/tools/mcp", this::handle);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  String url() {
    return "http://localhost:" + port() + "/tools/mcp";
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!exchange.getRequestMethod().equals("POST")) {
        if (silent) {
          waitForClose();
        }
        exchange.sendResponseHeaders(exchange.getRequestMethod().equals("GET") ? 405 : 200, -1);
        return;
      }
      keys.add(String.valueOf(exchange.getRequestHeaders().getFirst("X-Key")));
      JsonObject message =
          JsonParser.parseString(
                  new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8))
              .getAsJsonObject();
      String method = message.get("method").getAsString();
      methods.add(method);
      if (!message.has("id")) {
        exchange.sendResponseHeaders(202, -1);
        return;
      }
      JsonObject answer = new JsonObject();
      answer.addProperty("jsonrpc", "2.0");
      answer.add("id", message.get("id"));
      JsonObject params = message.has("params") ? message.getAsJsonObject("params") : answer;
      answer(method, params, answer);
      byte[] bytes = answer.toString().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.getResponseHeaders().set("Mcp-Session-Id", "s1");
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private void waitForClose() {
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void answer(String method, JsonObject params, JsonObject answer) {
    String hostile =
        switch (method) {
          case "tools/list" -> listing;
          case "tools/call" -> this.answer;
          default -> "";
        };
    if (!hostile.isEmpty()) {
      answer.add("result", json(hostile));
      return;
    }
    switch (method) {
      case "initialize" ->
          answer.add(
              "result",
              json(
                  "{'protocolVersion':"
                      + params.get("protocolVersion")
                      + ",'capabilities':{'tools':{}},'serverInfo':{'name':'t','version':'1'}}"));
      case "tools/list" ->
          answer.add(
              "result",
              params.has("cursor")
                  ? json("{'tools':[{'name':'broken','inputSchema':{'type':'object'}}]}")
                  : json(
                      "{'tools':[{'name':'add','description':'Adds.','inputSchema':{'type':"
                          + "'object','properties':{'a':{'type':'integer'},'b':{'type':'number'}},"
                          + "'required':['a','b']}}],'nextCursor':'2'}"));
      case "tools/call" -> call(params, answer);
      default -> answer.add("result", new JsonObject());
    }
  }

  private static void call(JsonObject params, JsonObject answer) {
    if (!params.get("name").getAsString().equals("add")) {
      answer.add("error", json("{'code':-32602,'message':'it is broken'}"));
      return;
    }
    JsonObject arguments = params.getAsJsonObject("arguments");
    double sum = arguments.get("a").getAsDouble() + arguments.get("b").getAsDouble();
    JsonArray content = new JsonArray();
    content.add(json("{'type':'text','text':'" + sum + "'}"));
    content.add(json("{'type':'image','data':'AA==','mimeType':'image/png'}"));
    JsonObject result = new JsonObject();
    result.add("content", content);
    answer.add("result", result);
  }

  private static JsonElement json(String text) {
    return JsonParser.parseString(text.replace('\'', '"'));
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
