package roll.ui;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.BundleException;
import roll.runtime.config.LoadedConfig;
import roll.runtime.page.PageEndpoint;
import roll.runtime.page.PageSettings;
import roll.runtime.pipeline.TrainingRun;
import roll.runtime.serving.ClientLimits;
import roll.runtime.serving.ListenSettings;
import roll.testkit.ExampleRunConfigs;
import roll.ui.control.OrderRecordingRun;
import roll.ui.control.RecordingDeployer;

/** A page of one run that records its orders, and of a deployer that does. */
@Timeout(120)
abstract class PageKit {
  private static final Pattern TOKEN = Pattern.compile("name=\"roll-token\" content=\"([^\"]*)\"");

  @TempDir Path folder;

  /** The orders received. */
  final List<String> orders = new ArrayList<>();

  @AutoClose final HttpClient client = HttpClient.newHttpClient();
  @AutoClose private PageServer server;
  private TrainingRun run;

  @BeforeEach
  void start() throws BundleException, IOException {
    Path runFolder = Files.createDirectories(folder.resolve("output/lake"));
    Files.writeString(runFolder.resolve("config.yaml"), "exp_name: lake\n");
    run = new OrderRecordingRun(1, orders).in(runFolder);
    server =
        new PageServer(
            folder.resolve("felix"),
            OrderRecordingRun.trainer(List.of(run)),
            (file, _) ->
                new LoadedConfig(
                    file,
                    ExampleRunConfigs.small(Path.of("model"), 1),
                    "exp_name: lake\n",
                    List.of(),
                    Set.of(),
                    new TreeMap<>()));
    server.page.deployer = new RecordingDeployer(orders);
  }

  /** A page on loopback, without TLS. */
  PageEndpoint page(@Nullable String token, boolean readOnly, boolean deploys) {
    return pageAt(
        new ListenSettings(InetAddress.getLoopbackAddress(), 0, token, 256), readOnly, deploys);
  }

  /** A page at {@code place}. */
  PageEndpoint pageAt(ListenSettings place, boolean readOnly, boolean deploys) {
    return start(new PageSettings(place, List.of(folder.resolve("output")), readOnly, deploys));
  }

  /** A page as it is ordered; closed with the test. */
  PageEndpoint start(PageSettings order) {
    return server.page.start(order);
  }

  /** A place with a certificate of {@code files}, or none. */
  static ListenSettings place(
      InetAddress host, @Nullable String token, ListenSettings.@Nullable Certificate files) {
    return new ListenSettings(host, 0, token, List.of(), files, ClientLimits.of(256));
  }

  /** All that can be ordered by POST, by pattern. */
  List<String> posts() {
    PageRoutes routes =
        PageRoutes.of(
            server.page,
            new PageSettings(
                new ListenSettings(InetAddress.getLoopbackAddress(), 0, null, 1),
                List.of(),
                false,
                true));
    try (routes) {
      return routes.router().all().stream().filter(key -> key.startsWith("POST ")).toList();
    }
  }

  /** Returns the id of the run. */
  String runId(URI page) throws Exception {
    Matcher id =
        Pattern.compile("\"id\":\"([0-9a-f]{12})\"").matcher(get(page, "/api/runs").body());
    if (!id.find()) {
      throw new AssertionError("no run is listed");
    }
    return id.group(1);
  }

  /** The token that the page itself has. */
  String pageToken(URI page) throws Exception {
    Matcher token = TOKEN.matcher(get(page, "/").body());
    if (!token.find()) {
      throw new AssertionError("the page has no token");
    }
    return token.group(1);
  }

  HttpResponse<String> get(URI page, String path, String... headers) throws Exception {
    return send(HttpRequest.newBuilder(page.resolve(path)), headers);
  }

  HttpResponse<String> post(URI page, String path, String body, String... headers)
      throws Exception {
    return send(
        HttpRequest.newBuilder(page.resolve(path))
            .POST(HttpRequest.BodyPublishers.ofString(body, StandardCharsets.UTF_8)),
        headers);
  }

  private HttpResponse<String> send(HttpRequest.Builder request, String... headers)
      throws Exception {
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }
}
