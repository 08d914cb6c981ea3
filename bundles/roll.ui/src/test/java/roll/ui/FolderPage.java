package roll.ui;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.NoSuchElementException;
import org.osgi.framework.BundleException;
import roll.api.option.UserException;
import roll.browser.testkit.OpenPage;
import roll.runtime.page.PageEndpoint;
import roll.runtime.page.PageSettings;
import roll.runtime.pipeline.TrainingRun;
import roll.runtime.serving.ListenSettings;
import roll.ui.control.OrderRecordingRun;

/** The page of ended runs, as {@code ui --runs} serves it. */
final class FolderPage implements AutoCloseable {
  private final PageServer server;
  private final PageEndpoint page;

  private FolderPage(PageServer server, PageEndpoint page) {
    this.server = server;
    this.page = page;
  }

  /** Serves {@code runs} at {@code port}, 0 for any free one, and those of this process. */
  static FolderPage of(Path runs, int port, TrainingRun... own)
      throws IOException, BundleException {
    PageServer server =
        new PageServer(
            Files.createTempDirectory(runs, "felix"),
            OrderRecordingRun.trainer(List.of(own)),
            (file, _) -> {
              throw new UserException(file + " is not read here");
            });
    ListenSettings place = new ListenSettings(InetAddress.getLoopbackAddress(), port, null, 256);
    PageEndpoint page = server.page.start(new PageSettings(place, List.of(runs), false, false));
    return new FolderPage(server, page);
  }

  URI address() {
    return page.address();
  }

  /** Waits until the view of the address is shown. */
  static void awaitShown(OpenPage page) {
    page.await(
        "document.querySelector('main h1') !== null"
            + " && document.querySelector('main').dataset.path"
            + " === (location.hash.slice(1).split('?')[0] || '/runs')"
            + " && document.querySelector('[aria-busy=true]') === null");
  }

  /** Returns the id of the run {@code name}. */
  String id(String name) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request = HttpRequest.newBuilder(address().resolve("/api/runs")).build();
      String runs = client.send(request, BodyHandlers.ofString()).body();
      for (JsonElement run :
          JsonParser.parseString(runs).getAsJsonObject().getAsJsonArray("runs")) {
        JsonObject entry = run.getAsJsonObject();
        if (Path.of(entry.get("folder").getAsString()).endsWith(name)) {
          return entry.get("id").getAsString();
        }
      }
      throw new NoSuchElementException(name + " is not in " + runs);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
