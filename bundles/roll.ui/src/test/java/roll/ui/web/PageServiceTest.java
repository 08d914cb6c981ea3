package roll.ui.web;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.AccessDeniedException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.http.HttpLimits;
import roll.http.HttpListener;
import roll.http.HttpListenerConfig;

@Timeout(60)
class PageServiceTest {
  private static final Router ROUTER =
      new Router(
          Map.of(
              "GET /api/denied",
              _ -> {
                throw new AccessDeniedException("/runs/a/notes.json");
              },
              "GET /api/full",
              _ -> {
                throw new IOException("No space left on device");
              }));

  /** The browser cannot tell a closed connection from a process that has ended. */
  @Test
  void aFileThatCannotBeReadOrWrittenIsNamed() throws Exception {
    EventStream events = new EventStream(List::of, () -> 0, EventStream.Times.defaults());
    PageService service =
        new PageService(ROUTER, new AccessControl(null, "secret", false, false), events);
    HttpListenerConfig config =
        new HttpListenerConfig(
            InetAddress.getLoopbackAddress(), 0, List.of(), null, HttpLimits.standard());
    try (service;
        HttpListener listener = HttpListener.start(config, service);
        HttpClient client = HttpClient.newHttpClient()) {
      URI address = URI.create("http://127.0.0.1:" + listener.address().getPort());
      assertEquals(
          "500 {\"error\":\"java.nio.file.AccessDeniedException: /runs/a/notes.json\"}",
          get(client, address.resolve("/api/denied")));
      assertEquals(
          "500 {\"error\":\"java.io.IOException: No space left on device\"}",
          get(client, address.resolve("/api/full")));
    }
  }

  private static String get(HttpClient client, URI address) throws Exception {
    HttpResponse<String> answer =
        client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
    return answer.statusCode() + " " + answer.body();
  }
}
