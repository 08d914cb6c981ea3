package roll.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.testkit.RawHttpClient;

/** Answers and refusals of a listener. */
class RequestsTest extends ListenerTestBase {
  private static final HttpLimits LIMITS = new HttpLimits(64, 64, LONG, 1000, 1500);

  @Test
  void aConnectionServesManyRequests() throws IOException {
    listener(LIMITS);
    RawHttpClient client = client();
    for (int i = 0; i < 3; i++) {
      client.post("/", 3).write("abc");
      String answer = read(client);
      assertTrue(answer.startsWith("HTTP/1.1 200 OK\n") && answer.endsWith("\n3"), answer);
    }
  }

  private static String read(RawHttpClient client) throws IOException {
    StringBuilder answer = new StringBuilder();
    for (String line = client.line(); !line.isEmpty(); line = client.line()) {
      answer.append(line).append('\n');
    }
    return answer.append((char) client.read()).toString();
  }

  @Test
  void tooLongBodiesAreRefusedAndTheAnswerArrives() throws IOException {
    listener(LIMITS);
    assertEquals(413, client().post("/", 100_000).write("a".repeat(100_000)).status());
    String chunked =
        "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
            + ("100\r\n" + "a".repeat(256) + "\r\n").repeat(10)
            + "0\r\n\r\n";
    assertEquals(413, client().write(chunked).status());
    assertEquals(413, client().post("/", Long.MAX_VALUE).write("a").status());
  }

  /** A stalled upload is closed to free memory; announced lengths reserve none. */
  @Test
  void allBodiesTogetherAreBounded() throws IOException {
    listener(LIMITS);
    for (int i = 0; i < 3; i++) {
      client().post("/", 1000).write("a".repeat(900));
      assertEquals(200, client().post("/", 1000).write("a".repeat(1000)).status());
    }
  }

  @Test
  void withoutRoomAClientMustRetry() throws Exception {
    listener(LIMITS);
    RawHttpClient held = client().post("/hold", 1000).write("a".repeat(1000));
    begun.await();
    assertEquals(429, client().post("/", 1000).write("a".repeat(1000)).status());
    assertEquals(200, client().post("/", 500).write("a".repeat(500)).status());
    go.countDown();
    assertEquals(200, held.status());
    assertEquals(200, client().post("/", 1000).write("a".repeat(1000)).status());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nonsense\r\n\r\n",
        "GET / HTTP/7.3\r\nHost: localhost\r\n\r\n",
        "GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /../../etc HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nHost: other\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\nabc",
      })
  void whatIsNoHttpIsTheClientsMistake(String text) throws IOException {
    listener(LIMITS);
    String answer = client().write(text).rest();
    assertTrue(answer.matches("(?s)HTTP/1.1 4\\d\\d .*\\{\"refused\":.*"), answer);
    assertEquals(200, client().get("/").status());
  }

  @Test
  void longHeadsAreRefused() throws IOException {
    listener(LIMITS);
    String path = "GET /" + "a".repeat(20_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    assertEquals(414, client().write(path).status());
    String header = "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + "a".repeat(20_000) + "\r\n\r\n";
    assertEquals(431, client().write(header).status());
  }

  @Test
  void aFailureIsNotToldToTheClient() throws IOException {
    listener(LIMITS);
    String answer = client().write("GET /broken HTTP/1.0\r\nHost: localhost\r\n\r\n").rest();
    assertTrue(answer.startsWith("HTTP/1.1 500"), answer);
    assertTrue(answer.contains("refused") && !answer.contains("IllegalState"), answer);
  }

  @Test
  void namesThatAreAllowedAreAnswered() throws IOException {
    listener(
        new HttpListenerConfig(
            InetAddress.getLoopbackAddress(), 0, List.of("GPU1.lab"), null, LIMITS));
    for (String host :
        List.of("gpu1.lab", "gpu1.LAB.:80", "LocalHost:1", "127.0.0.1", "127.9.9.9:8", "[::1]:5")) {
      assertEquals(200, ask("Host: " + host), host);
      assertEquals(200, ask("Host: " + host + "\r\nOrigin: http://" + host), host);
      assertEquals(403, ask("Host: " + host + "\r\nOrigin: http://evil.example"), host);
    }
    for (String host :
        List.of("gpu2.lab", "gpu1.lab.evil.example", "10.0.0.1", "0x7f.1", "[::2]")) {
      assertEquals(403, ask("Host: " + host), host);
    }
    // as in a request to a proxy
    assertEquals(
        403,
        client().write("GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n").status());
  }

  private int ask(String headers) throws IOException {
    return client().write("GET / HTTP/1.1\r\n" + headers + "\r\n\r\n").status();
  }

  /** An interrupted request sends no refusal, however the service reacts to the interrupt. */
  @ParameterizedTest
  @ValueSource(strings = {"/wait", "/fail"})
  void closingEndsWhatIsUnderWay(String path) throws Exception {
    HttpListener listener = listener(LIMITS);
    RawHttpClient waiting = client().get(path);
    begun.await();
    listener.close();
    assertEquals("", waiting.rest());
  }

  /**
   * A request that arrives during close() is not answered, even if close() waits for another one.
   */
  @Test
  void closingAnswersNothingNew() throws Exception {
    HttpListener listener = listener(LIMITS);
    client().get("/stay");
    begun.await();
    RawHttpClient other = client();
    assertEquals("200", status(other));
    Thread closing = Thread.ofVirtual().start(listener::close);
    String status;
    do {
      status = status(other);
    } while (status.equals("200"));
    go.countDown();
    closing.join();
    assertEquals("closed", status);
  }

  private static String status(RawHttpClient client) {
    try {
      String answer = read(client.post("/", 3).write("abc"));
      return answer.startsWith("HTTP/1.1 ") ? answer.substring(9, 12) : "closed";
    } catch (IOException e) {
      return "closed";
    }
  }

  /** The address is still known after closing, for messages. */
  @Test
  void itsAddressStaysWhatItWas() throws IOException {
    HttpListener listener = listener(HttpLimits.standard());
    InetSocketAddress open = listener.address();
    assertTrue(open.getPort() > 0);
    listener.close();
    assertEquals(open, listener.address());
  }
}
