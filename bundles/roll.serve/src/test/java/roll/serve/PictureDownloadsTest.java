package roll.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import roll.runtime.serving.Serving;

/** Pictures that the server downloads from other hosts. */
class PictureDownloadsTest extends VisionServerTestBase {
  private final HttpServer elsewhere;

  PictureDownloadsTest() throws IOException {
    elsewhere = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    serve("/small.png", SMALL.data());
    serve("/huge.png", new byte[(16 << 20) + 1]);
    elsewhere.createContext(
        "/away",
        exchange -> {
          exchange.getResponseHeaders().add("Location", "/small.png");
          exchange.sendResponseHeaders(302, -1);
          exchange.close();
        });
    elsewhere.createContext("/slow.png", exchange -> {});
    elsewhere.start();
  }

  @AfterEach
  void stop() {
    elsewhere.stop(0);
  }

  private void serve(String path, byte[] body) {
    elsewhere.createContext(
        path,
        exchange -> {
          exchange.sendResponseHeaders(200, body.length);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
          } catch (IOException e) {
            exchange.close(); // the server stops reading
          }
        });
  }

  private String here(String path) {
    return "http://localhost:" + elsewhere.getAddress().getPort() + path;
  }

  @Test
  void remotePicturesComeFromAllowedHosts() {
    client.ask(CHAT, user(shown(here("/small.png"))));
    assertEquals(List.of(SMALL), asked().pictures());
    String place = "Invalid 'messages[0].content[0].image_url.url': ";
    refused(
        place + "this server fetches no pictures from '127.0.0.1'.",
        user(shown(here("/small.png").replace("localhost", "127.0.0.1"))));
    refused(place + "'localhost' answered 404.", user(shown(here("/gone.png"))));
    refused(place + "'localhost' answered 302.", user(shown(here("/away"))));
    refused(
        place + "no picture of at most 16 MiB can be fetched from 'localhost'.",
        user(shown(here("/huge.png"))));
    refused(
        place + "'localhost' did not give it within 10 seconds.", user(shown(here("/slow.png"))));
  }

  @Test
  void withoutHostsNothingIsFetched() {
    try (Serving other = serving(seeing(List.of()), TEMPLATE);
        OpenAiClient asking = new OpenAiClient(other.address().getPort(), null)) {
      refused(
          asking,
          "Invalid 'messages[0].content[0].image_url.url': this server fetches no pictures; send it"
              + " as a data URL.",
          user(shown(here("/small.png"))));
    }
  }
}
