package roll.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.TestHttpServer.answer;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.testkit.TestHttpServer;

/** Against a real server on this machine. */
@Timeout(60)
class RetryingClientTest {
  private final CountDownLatch end = new CountDownLatch(1);
  private final TestHttpServer server = new TestHttpServer("/ask", "done");

  RetryingClientTest() throws IOException {}

  @AfterEach
  void close() {
    end.countDown();
    server.close();
  }

  private String post(double timeout, int retries) throws RequestFailure, InterruptedException {
    URI address = URI.create(server.address() + "/ask");
    try (RetryingClient client =
        new RetryingClient(new RetryingClient.Limits(timeout, retries, 0.001, 0.01))) {
      return client.post(address, Map.of("X-Key", "k"), "{\"ü\": \"🐧\"}");
    }
  }

  private RequestFailure failure(double timeout, int retries) {
    return assertThrows(RequestFailure.class, () -> post(timeout, retries));
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 429, 500, 502, 503, 504})
  void whatMayPassIsTriedAgain(int status) throws Exception {
    server.answers(
        (exchange, number) -> answer(exchange, number < 3 ? status : 200, "answer " + number));
    assertEquals("answer 3", post(20, 3));
    assertEquals(3, server.bodies().size());
    assertEquals(
        List.of("application/json"), server.headers("Content-Type").stream().distinct().toList());
    assertEquals(List.of("k"), server.headers("X-Key").stream().distinct().toList());
    assertEquals(List.of("{\"ü\": \"🐧\"}"), server.bodies().stream().distinct().toList());
  }

  @Test
  void triesAreCounted() {
    server.answers((exchange, number) -> answer(exchange, 503, " is\n\tloading "));
    RequestFailure last = failure(20, 2);
    assertEquals("answered 503, 3 times", last.getMessage());
    assertEquals("answered 503: is loading, 3 times", last.told(last.body()));
    assertEquals(", 3 times", last.times());
    assertEquals(503, last.status());
    assertEquals(3, server.bodies().size());
    assertEquals("answered 503", failure(20, 0).getMessage());
    assertEquals("answered 503: " + "x".repeat(300) + "…", failure(20, 0).told("x".repeat(301)));
  }

  /** Also where it comes after what may pass: then the tries before do not count. */
  @ParameterizedTest
  @ValueSource(ints = {201, 301, 400, 401, 403, 404, 422})
  void permanentErrorsAreReportedAtOnce(int status) {
    server.answers((exchange, number) -> answer(exchange, number == 1 ? 500 : status, ""));
    RequestFailure last = failure(20, 5);
    assertEquals("answered " + status, last.told(last.body()));
    assertEquals(2, server.bodies().size());
  }

  /** The first answer never comes, of the second only the beginning. */
  @Test
  void whatTakesTooLongIsTriedAgain() throws Exception {
    server.answers(
        (exchange, number) -> {
          if (number == 2) {
            exchange.sendResponseHeaders(200, 1000);
            exchange.getResponseBody().write("beginn".getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
          }
          if (number < 3) {
            end.await();
          }
          answer(exchange, 200, "at last");
        });
    assertEquals("at last", post(0.5, 3));
    server.answers((exchange, number) -> end.await());
    RequestFailure last = failure(0.5, 1);
    assertEquals("gave no answer within 0.5 s, 2 times", last.getMessage());
    assertEquals(0, last.status());
    assertNull(last.getCause());
  }

  @Test
  void whoIsNotThereIsTriedAgain() {
    server.close();
    RequestFailure last = failure(20, 3);
    assertEquals("could not be asked (ConnectException), 4 times", last.getMessage());
    assertInstanceOf(IOException.class, last.getCause());
  }

  @Test
  void noMoreIsReadThanFits() {
    server.answers((exchange, number) -> answer(exchange, 200, "x".repeat((16 << 20) + 1)));
    assertEquals("could not be asked (IOException)", failure(20, 0).getMessage());
  }

  @Test
  void theServiceSaysWhenToComeAgain() throws Exception {
    List<String> pauses = List.of("0", "86400", "Wed, 21 Oct 2015 07:28:00 GMT", "-3", "soon", "");
    server.answers(
        (exchange, number) -> {
          if (number <= pauses.size()) {
            exchange.getResponseHeaders().add("Retry-After", pauses.get(number - 1));
          }
          answer(exchange, number <= pauses.size() ? 429 : 200, "now");
        });
    assertEquals("now", post(20, 6));
    assertEquals(pauses.size() + 1, server.bodies().size());
  }

  @Test
  void anInterruptEndsTheWait() throws InterruptedException {
    CountDownLatch here = new CountDownLatch(1);
    server.answers(
        (exchange, number) -> {
          here.countDown();
          end.await();
        });
    Thread waiting =
        Thread.startVirtualThread(
            () -> assertThrows(InterruptedException.class, () -> post(50, 3)));
    assertTrue(here.await(50, TimeUnit.SECONDS));
    waiting.interrupt();
    waiting.join();
    assertEquals(1, server.bodies().size());
  }
}
