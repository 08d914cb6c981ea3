package roll.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import roll.testkit.RawHttpClient;

/** Clients that stop sending are closed, and do not block others until then. */
@Tag("hostile")
class SlowClientsTest extends ListenerTestBase {
  private static HttpLimits limits(int connections, int ofClient, Duration patience) {
    return new HttpLimits(connections, ofClient, patience, 1000, 2000);
  }

  @Test
  void incompleteRequestsTimeOut() throws IOException {
    listener(limits(9, 9, SHORT));
    assertEquals("", client().rest());
    assertEquals("", client().write("GET / HT").rest());
    assertEquals("", client().post("/", 10).write("12345").rest());
    RawHttpClient kept = client().get("/");
    assertEquals(200, kept.status());
    kept.rest();
  }

  /** A byte now and then does not extend the timeout. */
  @Test
  void aTrickleIsNoRequest() throws IOException {
    listener(limits(9, 9, SHORT));
    for (String begun : new String[] {"GET / HTTP/1.1\r\nHost: localhost\r\nX: ", ""}) {
      RawHttpClient slow = begun.isEmpty() ? client().post("/", 1000) : client().write(begun);
      try {
        for (int i = 0; i < 1000; i++) {
          slow.write("a");
          Thread.sleep(20);
        }
      } catch (SocketException e) {
        continue; // the listener closes the connection
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      throw new AssertionError("a request took 20 s");
    }
  }

  @Test
  void aClientThatDoesNotReadIsClosed() throws Exception {
    listener(limits(9, 9, SHORT));
    RawHttpClient silent = client().get("/flood");
    begun.await();
    silent.close();
  }

  @Test
  void oneMoreClosesTheOldestThatWaits() throws IOException {
    listener(limits(100, 4, LONG));
    RawHttpClient oldest = client().get("/");
    assertEquals(200, oldest.status());
    for (int i = 0; i < 4; i++) {
      assertEquals(200, client().get("/").status());
    }
    assertEquals("", oldest.rest().replaceAll("(?s).*\n", "").replace("0", ""));
  }

  @Test
  void theSameForAllTogether() throws IOException {
    HttpListener listener = listener(limits(4, 100, LONG));
    RawHttpClient oldest = client();
    for (int i = 0; i < 20; i++) {
      assertEquals(200, client().get("/").status());
    }
    assertEquals("", oldest.rest());
    assertEquals(4, listener.connections());
  }

  @Test
  void whatIsBeingAnsweredStays() throws Exception {
    listener(limits(5, 5, SHORT));
    RawHttpClient answered = client().post("/wait", 0);
    begun.await();
    for (int i = 0; i < 9; i++) {
      assertEquals(200, client().get("/").status());
    }
    go.countDown();
    assertEquals(200, answered.status());
  }
}
