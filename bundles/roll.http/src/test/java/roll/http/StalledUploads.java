package roll.http;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;

/** The program of {@link QuietUploadsTest}: clients begin uploads and stop sending. */
final class StalledUploads extends ListenerTestBase {
  private StalledUploads() {}

  /** Ends when the listener has closed all uploads. */
  public static void main(String[] args) throws IOException {
    new StalledUploads().run();
  }

  private void run() throws IOException {
    HttpLimits limits = new HttpLimits(9, 9, Duration.ofMillis(500), 1 << 20, 2 << 20);
    listener(new HttpListenerConfig(InetAddress.getLoopbackAddress(), 0, List.of(), null, limits));
    String head = "POST / HTTP/1.1\r\nHost: localhost\r\n";
    client().write(head + "Content-Length: 100000\r\n\r\n" + "x".repeat(30_000)).rest();
    client().write(head + "Transfer-Encoding: chunked\r\n\r\nffff\r\nx").rest();
    client().write(head + "Expect: 100-continue\r\nContent-Length: 9\r\n\r\nx").rest();
    client().write(head + "Content-Length: 100000\r\n\r\nx").close();
    close();
  }
}
