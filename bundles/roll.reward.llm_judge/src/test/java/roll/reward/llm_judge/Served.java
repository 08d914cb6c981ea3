package roll.reward.llm_judge;

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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.NullMarked;

/** A real endpoint on this machine that answers as it is told and remembers what it was asked. */
@NullMarked
final class Served implements AutoCloseable {
  final List<JsonObject> bodies = Collections.synchronizedList(new ArrayList<>());
  final List<String> keys = Collections.synchronizedList(new ArrayList<>());
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;
  private Answering answering =
      (exchange, number) -> answer(exchange, 200, completion("Score: 10"));

  /** What is answered to the request {@code number}, from 1. */
  interface Answering {
    void answer(HttpExchange exchange, int number) throws IOException, InterruptedException;
  }

  Served() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/v1/chat/completions", this::handle);
    server.start();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      keys.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
      int number;
      synchronized (bodies) {
        bodies.add(JsonParser.parseString(body).getAsJsonObject());
        number = bodies.size();
      }
      answering.answer(exchange, number);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** From now on answers so. */
  void answers(Answering how) {
    answering = how;
  }

  /** From now on answers every request so. */
  void answers(int status, String body) {
    answering = (exchange, number) -> answer(exchange, status, body);
  }

  static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  static String completion(String text) {
    JsonObject message = new JsonObject();
    message.addProperty("role", "assistant");
    message.addProperty("content", text);
    return "{\"id\":\"x\",\"choices\":[{\"index\":0,\"message\":" + message + "}]}";
  }

  String address() {
    return "http://localhost:" + server.getAddress().getPort() + "/v1";
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
