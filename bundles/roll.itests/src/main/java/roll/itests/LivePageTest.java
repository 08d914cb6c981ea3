package roll.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import roll.runtime.pipeline.RunStatus.State;
import roll.runtime.pipeline.TrainingRun;

/** The live page in a running system: its orders, deployments, and restarts of its bundle. */
@Tag("framework")
@Timeout(240)
class LivePageTest {
  private static final String ID = "page_lake";
  private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:(\\d+)/");

  private final PageClient client = new PageClient();
  private final List<URI> opened = new ArrayList<>();
  private final Path folder;

  LivePageTest(@TempDir Path folder) {
    this.folder = folder;
  }

  /** Closes all pages. */
  @AfterEach
  void close() throws Exception {
    for (URI page : opened) {
      CommandsTest.run("roll:ui --stop " + page.getPort());
    }
    client.close();
  }

  private URI open(String options) throws Exception {
    String said = CommandsTest.run("roll:ui --port 0 --runs '" + folder + "' " + options);
    Matcher address = ADDRESS.matcher(said);
    assertTrue(address.find(), said);
    opened.add(URI.create(address.group()));
    return opened.getLast();
  }

  @Test
  void ordersReachTheRunAndSoDoesASwap() throws Exception {
    URI page = open("");
    TrainingRun run = start("ordered");
    String own = "/api/runs/" + client.id(page, run);
    assertEquals(
        "run " + run.number() + " pauses after the current step",
        client.line(page, own + "/pause", ""));
    Waits.await(run, status -> status.state() == State.PAUSED);
    JsonObject plugins = PageClient.json(client.get(page, own + "/plugins"));
    assertTrue(choices(plugins, "estimator", "grpo").contains("rloo"), plugins::toString);
    String swapped =
        client.line(
            page, own + "/swap", "{\"kind\":\"estimator\",\"from\":\"grpo\",\"to\":\"rloo\"}");
    assertEquals("run " + run.number() + ": estimator grpo → rloo from the next step on", swapped);
    HttpResponse<String> refused =
        client.post(
            page, own + "/swap", "{\"kind\":\"estimator\",\"from\":\"grpo\",\"to\":\"gae\"}");
    assertEquals(400, refused.statusCode());
    assertTrue(
        PageClient.error(refused)
            .startsWith("swap: the run uses no estimator 'grpo' (it uses: rloo)"),
        refused.body());
    client.line(page, own + "/resume", "");
    Waits.await(run, status -> status.served().contains("roll.estimator.rloo "));
    client.line(page, own + "/stop", "");
    run.outcome().get();
    assertTrue(Files.readString(run.folder().resolve("run.log")).contains("estimator grpo → rloo"));
    HttpResponse<String> ended = client.post(page, own + "/pause", "");
    assertEquals(400, ended.statusCode());
    assertEquals("run " + run.number() + " has ended", PageClient.error(ended));
  }

  /** A jar uploaded to the page is deployed like one from the shell. */
  @Test
  void aJarFromThePageIsOneFromTheShell() throws Exception {
    Path jar = new PluginJar(ID, "1.0.0").write(folder, "lake-1.0.0.jar");
    String shell = CommandsTest.run("roll:deploy '" + jar + "'").strip();
    String listed = CommandsTest.run("roll:services roll.env");
    byte[] deployed = Files.readAllBytes(watched().resolve(ID + ".jar"));
    CommandsTest.run("roll:undeploy " + ID);
    URI page = open("--allow-deploy");
    try {
      assertEquals(
          shell, client.line(page, "/api/deploy?name=lake-1.0.0.jar", Files.readAllBytes(jar)));
      assertEquals(listed, CommandsTest.run("roll:services roll.env"));
      assertArrayEquals(deployed, Files.readAllBytes(watched().resolve(ID + ".jar")));
      JsonObject service =
          service(PageClient.json(client.get(page, "/api/services")), "roll.env", ID);
      assertEquals("deploy/" + ID + ".jar", service.get("from").getAsString());
      assertEquals(
          "undeployed " + ID + " 1.0.0",
          client.line(page, "/api/undeploy", "{\"name\":\"" + ID + "\"}"));
      assertFalse(Files.exists(watched().resolve(ID + ".jar")));
    } finally {
      if (Files.exists(watched().resolve(ID + ".jar"))) {
        CommandsTest.run("roll:undeploy " + ID);
      }
    }
  }

  @Test
  void jarsAreRefusedUnlessAllowed() throws Exception {
    Path jar = new PluginJar(ID, "1.0.0").write(folder, "lake-1.0.0.jar");
    URI page = open("");
    HttpResponse<String> refused =
        client.post(page, "/api/deploy?name=lake-1.0.0.jar", Files.readAllBytes(jar));
    assertEquals(403, refused.statusCode());
    assertFalse(Files.exists(watched().resolve(ID + ".jar")));
    assertEquals(403, client.post(page, "/api/undeploy", "{\"name\":\"x\"}").statusCode());
  }

  /** After a restart of its bundle during a run the page is back at its address. */
  @Test
  void aBundleThatIsStartedAgainBringsThePageBack() throws Exception {
    URI page = open("");
    TrainingRun run = start("going on");
    String token = client.token(page);
    HttpResponse<InputStream> events = client.events(page);
    assertEquals(200, events.statusCode());
    Bundle bundle = BundleContent.bundle("roll.ui");
    bundle.stop();
    try {
      assertThrows(ConnectException.class, () -> client.get(page, "/api/about"));
      readToTheEnd(events.body());
      assertTrue(run.status().state().active());
    } finally {
      bundle.start();
    }
    assertEquals(200, client.get(page, "/api/about").statusCode());
    assertEquals(token, client.token(page), "an open page keeps its token");
    int step = run.status().step();
    Waits.await(run, status -> status.step() != step);
    client.line(page, "/api/runs/" + client.id(page, run) + "/stop", "");
    run.outcome().get();
  }

  /**
   * A run continues while fifty clients watch, one of which stops reading; all others are notified.
   */
  @Test
  void aRunContinuesWhileFiftyPagesWatch() throws Exception {
    URI page = open("");
    List<InputStream> pages = new ArrayList<>();
    try (Socket stuck = new Socket(page.getHost(), page.getPort())) {
      stuck
          .getOutputStream()
          .write(
              "GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      for (int i = 1; i < 50; i++) {
        pages.add(client.events(page).body());
      }
      TrainingRun run = start("looked_at");
      String folder = run.folder().getFileName().toString();
      for (InputStream one : pages) {
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(one, StandardCharsets.UTF_8));
        String line = lines.readLine();
        while (!line.startsWith("data: {") || !line.contains(folder)) {
          line = Objects.requireNonNull(lines.readLine(), "the stream ended");
        }
      }
      int step = run.status().step();
      Waits.await(run, status -> status.step() >= step + 3);
      run.stop();
      run.outcome().get();
    }
  }

  private static void readToTheEnd(InputStream in) {
    try (in) {
      in.readAllBytes();
    } catch (IOException e) {
      // incomplete, which also ends the stream
    }
  }

  private TrainingRun start(String name) {
    return SmallRuns.start(
        "frozen_lake.yaml",
        folder,
        List.of("exp_name=" + name.replace(' ', '_'), "max_steps=200", "eval_steps=0"));
  }

  private static String choices(JsonObject plugins, String kind, String id) {
    for (JsonElement one : plugins.getAsJsonArray("plugins")) {
      JsonObject plugin = one.getAsJsonObject();
      if (plugin.get("kind").getAsString().equals(kind)
          && plugin.get("id").getAsString().equals(id)) {
        return plugin.get("choices").toString();
      }
    }
    throw new AssertionError("no " + kind + " " + id + " in " + plugins);
  }

  private static JsonObject service(JsonObject services, String kind, String id) {
    for (JsonElement one : services.getAsJsonArray("kinds")) {
      if (one.getAsJsonObject().get("kind").getAsString().equals(kind)) {
        for (JsonElement service : one.getAsJsonObject().getAsJsonArray("services")) {
          if (service.getAsJsonObject().get("id").getAsString().equals(id)) {
            return service.getAsJsonObject();
          }
        }
      }
    }
    throw new AssertionError("no " + kind + "=" + id + " in " + services);
  }

  private static Path watched() {
    return Path.of(Objects.requireNonNull(Plugins.context().getProperty("roll.deploy.dir")))
        .toAbsolutePath();
  }
}
