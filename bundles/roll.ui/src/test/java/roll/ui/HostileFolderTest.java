package roll.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.InetAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.option.UserException;
import roll.runtime.page.PageEndpoint;
import roll.runtime.page.PageSettings;
import roll.runtime.serving.ListenSettings;
import roll.ui.control.OrderRecordingRun;

/**
 * Folders whose files lead out of them, name code, or are broken: every request is tried on each.
 */
@Tag("hostile")
@Timeout(300)
class HostileFolderTest {
  private static final String SECRET = "s3cr3t-0f-an0ther-f0lder";
  private static final String PICTURE = "0a".repeat(32) + ".png";

  @TempDir Path place;

  /** Calls that may start a program, load a class or read another file. */
  private final List<String> calls = new ArrayList<>();

  @AutoClose private final HttpClient client = HttpClient.newHttpClient();
  @AutoClose private PageServer server;
  private Path root;
  private Path outside;

  @BeforeEach
  void start() throws Exception {
    root = Files.createDirectories(place.resolve("runs"));
    outside = Files.createDirectories(place.resolve("outside"));
    links();
    namesOfCode();
    lines();
    server =
        new PageServer(
            place.resolve("felix"),
            OrderRecordingRun.trainer(List.of()),
            (file, _) -> {
              calls.add("load " + file);
              throw new UserException("not read here");
            });
    server.page.replays =
        (run, _, _) -> {
          calls.add("play " + run);
          throw new UserException("not played here");
        };
  }

  /** A run whose further files are links to those of another folder. */
  private void links() throws IOException {
    RunFolderMaker other = RunFolderMaker.in(outside).config("exp_name: " + SECRET + "\n");
    other.log(SECRET).step(0, Map.of("env/" + SECRET + "/success", 1.0));
    String line = RunFolderMaker.trajectory(0, 0, 0).toString().replace("Right", SECRET);
    other.trajectories(0, line + "\n");
    Files.writeString(outside.resolve(".owner"), "1 on " + SECRET + " since 2026-01-01T00:00:00");
    Files.writeString(outside.resolve("notes.json"), "{\"note\":\"" + SECRET + "\"}");
    Files.writeString(
        Files.createDirectories(outside.resolve("trajectories/pictures")).resolve(PICTURE), SECRET);
    Files.createDirectories(outside.resolve("times"));
    Files.writeString(outside.resolve("times/step-0.jsonl"), SECRET);
    Path run =
        RunFolderMaker.in(root.resolve("links")).config("exp_name: links\n").log("a").folder();
    for (String name :
        List.of("metrics.jsonl", "run.log.1", ".owner", "notes.json", "trajectories", "times")) {
      Path target = outside.resolve(name.equals("run.log.1") ? "run.log" : name);
      Files.createSymbolicLink(run.resolve(name), target);
    }
    Files.createSymbolicLink(root.resolve("whole"), outside);
  }

  /** A configuration and an episode that name classes, programs and files. */
  private void namesOfCode() throws IOException {
    RunFolderMaker run = RunFolderMaker.in(root.resolve("code"));
    run.config(
        "exp_name: ../../outside\noutput_dir: %s\npretrain: %s\ndefaults: [%s/config]\n"
                .formatted(outside, outside, outside)
            + "a: !!javax.script.ScriptEngineManager [!!java.net.URL ['http://127.0.0.1:1/x']]\n"
            + "b: ${file:"
            + outside.resolve("run.log")
            + "}\n"
            + "custom_envs: {FrozenLake: {env_type: mcp, command: [touch, %s/started]}}\n"
                .formatted(outside));
    run.log("begun").steps(0, 2).trajectories(0, 1, 2).log("ended after step 2");
  }

  private void lines() throws IOException {
    RunFolderMaker run = RunFolderMaker.in(root.resolve("lines")).config("a: [".repeat(100_000));
    run.log("from step 1 on: " + "x".repeat(5_000_000)).log("failed: " + "y".repeat(60_000));
    Files.writeString(
        run.metrics(),
        "{\"step\":1,\"metrics\":"
            + "[".repeat(200_000)
            + "\n{\"step\":1e400}\nnull\n[]\n{\n"
            + "{\"step\":0,\"metrics\":{\"env/<script>hurt()</script>/success\":1}}\n"
            + "\0".repeat(6_000_000));
    run.trajectories(0, "[".repeat(300_000) + "\n{\"id\":{}}\n{\"id\":\"a\",\"sequences\":7}\n");
    Files.writeString(run.folder().resolve("notes.json"), "[".repeat(100_000));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nothingIsReadElsewhereNorStarted(boolean readOnly) throws Exception {
    PageSettings order =
        new PageSettings(
            new ListenSettings(InetAddress.getLoopbackAddress(), 0, null, 64),
            List.of(root),
            readOnly,
            false);
    try (PageEndpoint page = server.page.start(order);
        PageRoutes routes = PageRoutes.of(server.page, order)) {
      List<String> ids = new ArrayList<>();
      String list = get(page, "/api/runs").body();
      for (JsonElement run :
          JsonParser.parseString(list).getAsJsonObject().getAsJsonArray("runs")) {
        ids.add(run.getAsJsonObject().get("id").getAsString());
      }
      assertEquals(3, ids.size(), list);
      assertFalse(list.contains(SECRET), list);
      List<String> paths =
          routes.router().all().stream()
              .filter(route -> route.startsWith("GET /api/runs") || route.endsWith("/fields"))
              .map(route -> route.substring(4))
              .toList();
      assertTrue(paths.size() >= 9, paths::toString);
      for (String id : ids) {
        for (String path : paths) {
          HttpResponse<String> answer = get(page, filled(path, id));
          assertTrue(answer.statusCode() < 500, path + " " + answer.body());
          assertFalse(answer.body().contains(SECRET), path + " " + answer.body());
          assertTrue(answer.body().length() < 20 << 20, path + " is long");
        }
      }
    }
    assertEquals(List.of(), calls);
    assertFalse(Files.exists(outside.resolve("started")));
  }

  private static String filled(String path, String id) {
    String query =
        switch (path.substring(path.lastIndexOf('/'))) {
          case "/series", "/metrics" -> "?names=rollout%2Fscore%2Fmean";
          case "/runs" -> "?archived=1&columns=exp_name,b,note,max(a%2Fb)&q=b!%3D1+max(c%2Fd)!%3D1";
          default -> "";
        };
    return path.replace("{id}", id)
            .replace("{step}", "0")
            .replace("{index}", "0")
            .replace("{turn}", "0")
            .replace("{file}", PICTURE)
        + query;
  }

  private HttpResponse<String> get(PageEndpoint page, String path) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(page.address().resolve(path)).build();
    return client.send(request, BodyHandlers.ofString());
  }
}
