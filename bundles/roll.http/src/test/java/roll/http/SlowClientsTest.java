package roll.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clients that do not continue are closed, and are in nobody's way until then. */
@Tag("hostile")
class SlowClientsTest extends ListenerKit {
  private static HttpLimits limits(int connections, int ofClient, Duration patience) {
    return new HttpLimits(connections, ofClient, patience, 1000, 2000);
  }

  @Test
  void whoDoesNotFinishInTimeIsClosed() throws IOException {
    listener(limits(9, 9, SHORT));
    assertEquals("", client().rest());
    assertEquals("", client().write("GET / HT").rest());
    assertEquals("", client().post("/", 10).write("12345").rest());
    Lines kept = client().get("/");
    assertEquals(200, kept.status());
    kept.rest();
  }

  /** Now and then a byte is no progress. */
  @Test
  void aTrickleIsNoRequest() throws IOException {
    listener(limits(9, 9, SHORT));
    for (String begun : new String[] {"GET / HTTP/1.1\r\nHost: localhost\r\nX: ", ""}) {
      Lines slow = begun.isEmpty() ? client().post("/", 1000) : client().write(begun);
      try {
        for (int i = 0; i < 1000; i++) {
          slow.write("a");
          Thread.sleep(20);
        }
      } catch (SocketException e) {
        continue; // as it must
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      throw new AssertionError("a request took 20 s");
    }
  }

  @Test
  void whoDoesNotReadIsNotWrittenFor() throws Exception {
    listener(limits(9, 9, SHORT));
    Lines silent = client().get("/flood");
    begun.await();
    silent.close();
  }

  @Test
  void oneMoreClosesTheOldestThatWaits() throws IOException {
    listener(limits(100, 4, LONG));
    Lines oldest = client().get("/");
    assertEquals(200, oldest.status());
    for (int i = 0; i < 4; i++) {
      assertEquals(200, client().get("/").status());
    }
    assertEquals("", oldest.rest().replaceAll("(?s).*\n", "").replace("0", ""));
  }

  @Test
  void theSameForAllTogether() throws IOException {
    HttpListener listener = listener(limits(4, 100, LONG));
    Lines oldest = client();
    for (int i = 0; i < 20; i++) {
      assertEquals(200, client().get("/").status());
    }
    assertEquals("", oldest.rest());
    assertEquals(4, listener.connections());
  }

  @Test
  void whatIsBeingAnsweredStays() throws Exception {
    listener(limits(5, 5, SHORT));
    Lines answered = client().post("/wait", 0);
    begun.await();
    for (int i = 0; i < 9; i++) {
      assertEquals(200, client().get("/").status());
    }
    go.countDown();
    assertEquals(200, answered.status());
  }
}
