package roll.ui;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.browser.testkit.OpenPage;
import roll.browser.testkit.TestBrowser;

/** Fifty pages at once, eight of them tabs of one browser, and a server that restarts. */
@Tag("processes")
@Timeout(180)
class ManyPagesTest {
  private static final int READERS = 42;
  private static final int TABS = 8;

  @TempDir Path runs;

  @Test
  void fiftyPagesAreOpen() throws Exception {
    RecordedRun.write(runs, "lake", 12, "ice");
    try (TestBrowser browser = TestBrowser.start();
        FolderPage page = FolderPage.of(runs, 0);
        HttpClient client = HttpClient.newHttpClient();
        ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
      Map<Integer, String> heard = new ConcurrentHashMap<>();
      List<InputStream> streams = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        HttpResponse<InputStream> events = events(client, page.address());
        streams.add(events.body());
        int reader = i;
        readers.execute(() -> heard.put(reader, firstLine(events.body())));
      }
      List<OpenPage> tabs = new ArrayList<>();
      tabs.add(browser.open());
      while (tabs.size() < TABS) {
        tabs.add(browser.beside(tabs.getFirst()));
      }
      for (OpenPage tab : tabs) {
        tab.go(page.address().toString());
        FolderPage.awaitShown(tab);
        tab.awaitText("lake");
      }
      // of one browser no more than six connections are open: all tabs share one stream
      for (OpenPage tab : tabs) {
        tab.await("document.getElementById('live').dataset.state === 'live'");
        assertEquals(List.of(), tab.complaints());
      }
      RecordedRun.write(runs, "late", 12, "ice");
      for (OpenPage tab : tabs) {
        tab.awaitText("late");
      }
      await().atMost(Duration.ofMinutes(1)).until(() -> heard.size() == READERS);
      heard.values().forEach(line -> assertTrue(!line.isEmpty(), heard::toString));
      for (InputStream stream : streams) {
        stream.close();
      }
    }
  }

  @Test
  void thePageComesBackWithItsServer() throws Exception {
    RecordedRun.write(runs, "lake", 12, "ice");
    try (TestBrowser browser = TestBrowser.start();
        OpenPage open = browser.open()) {
      int port;
      try (FolderPage page = FolderPage.of(runs, 0)) {
        port = page.address().getPort();
        open.go(page.address().toString());
        open.awaitText("lake");
        open.await("document.getElementById('live').dataset.state === 'live'");
      }
      open.await("document.getElementById('live').dataset.state === 'lost'");
      RecordedRun.write(runs, "meanwhile", 12, "ice");
      try (FolderPage page = FolderPage.of(runs, port)) {
        open.await(
            "document.getElementById('live').dataset.state === 'live'", Duration.ofSeconds(30));
        open.awaitText("meanwhile");
        assertEquals(
            List.of(), open.complaints().stream().filter(line -> !line.contains("ERR_")).toList());
        open.forgetComplaints();
        open.click("a", "meanwhile");
        open.await("location.hash.startsWith('#/run/" + page.id("meanwhile") + "')");
        FolderPage.awaitShown(open);
        assertEquals(List.of(), open.complaints());
      }
    }
  }

  private static HttpResponse<InputStream> events(HttpClient client, URI address)
      throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(address.resolve("/api/events")).build();
    HttpResponse<InputStream> answer = client.send(request, BodyHandlers.ofInputStream());
    assertEquals(200, answer.statusCode());
    return answer;
  }

  private static String firstLine(InputStream stream) {
    try {
      String line =
          new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8)).readLine();
      return line == null ? "" : line;
    } catch (IOException e) {
      return "";
    }
  }
}
