package roll.ui.web;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.http.Exchange;
import roll.http.HttpLimits;
import roll.http.HttpListener;
import roll.http.HttpListenerConfig;
import roll.http.HttpService;

/** Subscribers over real connections, and the cost of a slow one. */
@Timeout(60)
class EventStreamTest {
  private static final Duration LOOK = Duration.ofMillis(20);
  private static final Duration PATIENCE = Duration.ofMillis(500);

  private final Map<String, EventStream.RunState> runs = new LinkedHashMap<>();
  private final List<Socket> sockets = new ArrayList<>();
  private long services = 7;
  private int looks;
  private EventStream stream;
  private HttpListener listener;

  @AfterEach
  void close() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    if (stream != null) {
      stream.close();
      listener.close();
    }
  }

  @Test
  void whoConnectsIsToldOfLiveRunsAndOfChangesOnly() throws Exception {
    put("a", "{\"step\":1}", true);
    put("b", "{\"step\":9}", false);
    start(200);
    BufferedReader reader = reader();
    assertEquals("retry: 2000", next(reader));
    assertEquals("event: services data: 7", event(reader));
    assertEquals("event: run data: {\"step\":1}", event(reader));
    put("a", "{\"step\":2}", true);
    assertEquals("event: run data: {\"step\":2}", event(reader));
    put("b", "{\"step\":10}", false);
    assertEquals("event: run data: {\"step\":10}", event(reader), "of another process");
    put("c", "{\"step\":0}", true);
    assertEquals("event: run data: {\"step\":0}", event(reader), "a new one");
    set(8);
    assertEquals("event: services data: 8", event(reader));
  }

  @Test
  void theFirstRunOfAnEmptySystemIsToldToo() throws Exception {
    start(200);
    BufferedReader reader = reader();
    assertEquals("retry: 2000", next(reader));
    assertEquals("event: services data: 7", event(reader));
    put("a", "{\"step\":1}", false);
    assertEquals("event: run data: {\"step\":1}", event(reader));
  }

  @Test
  void whereThereIsNothingToSayACommentIs() throws Exception {
    start(200);
    BufferedReader reader = reader();
    next(reader);
    event(reader);
    assertEquals(":", next(reader));
    assertEquals(":", next(reader));
  }

  /**
   * Fifty subscribers, one of which does not read: the others get their events, and it is
   * disconnected.
   */
  @Test
  void oneThatDoesNotReadIsCutOffAndInNobodysWay() throws Exception {
    put("a", "{}", true);
    start(200);
    Socket stuck = connect();
    List<BufferedReader> others = new ArrayList<>();
    for (int i = 1; i < 50; i++) {
      others.add(reader());
    }
    for (BufferedReader other : others) {
      next(other);
      event(other);
      event(other);
    }
    awaitReaders(50);
    String padding = "x".repeat(1 << 20);
    for (int step = 1; stream.subscribers() == 50; step++) {
      String told = "{\"step\":" + step + ",\"text\":\"" + padding + "\"}";
      put("a", told, true);
      for (BufferedReader other : others) {
        String said = event(other);
        assertEquals("event: run data: " + told, said);
      }
    }
    assertEquals(49, stream.subscribers());
    put("a", "{\"step\":0}", true);
    for (BufferedReader other : others) {
      assertEquals("event: run data: {\"step\":0}", event(other));
    }
    assertFalse(stuck.isClosed());
  }

  @Test
  void nobodyLooksWhileNobodyReads() throws Exception {
    start(200);
    Thread.sleep(10 * LOOK.toMillis());
    assertEquals(0, looks());
    Socket reader = connect();
    await().until(() -> looks() >= 3);
    reader.close();
    put("a", "{}", false); // the writer finds out by the next thing it writes
    await()
        .until(
            () -> {
              put("a", "{\"n\":" + System.nanoTime() + "}", false);
              return stream.subscribers() == 0;
            });
    Thread.sleep(5 * LOOK.toMillis());
    int before = looks();
    Thread.sleep(10 * LOOK.toMillis());
    assertEquals(before, looks());
  }

  @Test
  void thereAreNoMoreReadersThanAllowed() throws Exception {
    start(2);
    reader();
    reader();
    awaitReaders(2);
    BufferedReader third = reader(false);
    assertTrue(third.readLine().startsWith("HTTP/1.1 429 "));
  }

  @Test
  void theEndOfTheListenerEndsAll() throws Exception {
    start(200);
    BufferedReader reader = reader();
    next(reader);
    awaitReaders(1);
    listener.close();
    assertEquals(0, stream.subscribers());
    while (reader.readLine() != null) {
      // earlier events are not repeated
    }
  }

  private void start(int most) throws IOException {
    stream =
        new EventStream(
            this::seen,
            this::number,
            new EventStream.Times(LOOK, Duration.ofMillis(300), PATIENCE, most));
    HttpService service =
        new HttpService() {
          @Override
          public void answer(Exchange exchange) throws IOException, InterruptedException {
            stream.serve(exchange);
          }

          @Override
          public String refusal(int status, String message) {
            return message;
          }
        };
    listener =
        HttpListener.start(
            new HttpListenerConfig(
                InetAddress.getLoopbackAddress(), 0, List.of(), null, HttpLimits.standard()),
            service);
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.address().getPort());
    sockets.add(socket);
    socket.setSoTimeout(20_000);
    socket
        .getOutputStream()
        .write("GET / HTTP/1.0\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private BufferedReader reader() throws IOException {
    return reader(true);
  }

  /** A reader, behind the head of the answer if that is to be passed over. */
  private BufferedReader reader(boolean behindHead) throws IOException {
    BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(connect().getInputStream(), StandardCharsets.UTF_8));
    while (behindHead && !reader.readLine().isEmpty()) {
      // the head
    }
    return reader;
  }

  /** The next line that is not empty. */
  private static String next(BufferedReader reader) throws IOException {
    String line = reader.readLine();
    while (line != null && line.isEmpty()) {
      line = reader.readLine();
    }
    return String.valueOf(line);
  }

  /** The next event, comments passed over. */
  private static String event(BufferedReader reader) throws IOException {
    String line = next(reader);
    while (line.equals(":")) {
      line = next(reader);
    }
    return line + " " + next(reader);
  }

  private void awaitReaders(int readers) {
    await().until(() -> stream.subscribers() == readers);
  }

  private synchronized void put(String id, String json, boolean live) {
    runs.put(id, new EventStream.RunState(id, json, live));
  }

  private synchronized void set(long number) {
    services = number;
  }

  private synchronized List<EventStream.RunState> seen() {
    looks++;
    return List.copyOf(runs.values());
  }

  private synchronized long number() {
    return services;
  }

  private synchronized int looks() {
    return looks;
  }
}
