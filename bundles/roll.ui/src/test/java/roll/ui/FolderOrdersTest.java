package roll.ui;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Notes on runs, their deletion, and what is exported of them. */
@Tag("framework")
class FolderOrdersTest extends PageKit {
  private Path ended;
  private URI page;

  @BeforeEach
  void open() throws Exception {
    ended = RunFolderMaker.finished(folder.resolve("output/ended"), 3).folder();
    page = page(null, false, false).address();
  }

  private HttpResponse<String> order(String path, String body) throws Exception {
    return post(page, path, body, "X-Roll-Token", pageToken(page));
  }

  private String pathOf(Path run) throws Exception {
    Matcher id =
        Pattern.compile(
                "\"id\":\"([0-9a-f]{12})\",\"name\":\"[^\"]*\",\"folder\":\""
                    + Pattern.quote(run.toString())
                    + "\"")
            .matcher(get(page, "/api/runs?archived=1").body());
    assertTrue(id.find(), run + " is listed");
    return "/api/runs/" + id.group(1);
  }

  @Test
  void notesAreKeptInTheFolder() throws Exception {
    String run = pathOf(ended);
    String body = "{\"note\":\"<b>slow</b>\",\"tags\":[\"a\",\"b\"],\"archived\":true}";
    assertEquals(200, order(run + "/notes", body).statusCode());
    assertTrue(Files.readString(ended.resolve("notes.json")).contains("\"<b>slow</b>\""));
    assertFalse(get(page, "/api/runs").body().contains("/ended"), "archived");
    assertTrue(get(page, "/api/runs").body().contains("\"archived\":1"));
    assertTrue(get(page, "/api/runs?archived=1&q=tag%3Db").body().contains("/ended"));
    assertTrue(get(page, run).body().contains("\"tags\":[\"a\",\"b\"]"));
    for (String wrong :
        new String[] {
          "{\"note\":1}",
          "{\"tags\":[\"a b\"]}",
          "{\"tags\":[\"" + "x".repeat(41) + "\"]}",
          "{\"archived\":\"yes\"}",
          "{\"nots\":\"\"}",
          "{\"note\":\"" + "x".repeat(10_001) + "\"}"
        }) {
      assertEquals(400, order(run + "/notes", wrong).statusCode(), wrong);
    }
    assertTrue(get(page, run).body().contains("\"tags\":[\"a\",\"b\"]"), "nothing was changed");
  }

  @Test
  void anEndedRunIsDeletedOnceItIsNamed() throws Exception {
    Path kept = Files.writeString(folder.resolve("kept"), "x");
    Files.createSymbolicLink(ended.resolve("link"), folder);
    String run = pathOf(ended);
    assertEquals(400, order(run + "/delete", "{}").statusCode());
    assertEquals(400, order(run + "/delete", "{\"folder\":\"" + folder + "\"}").statusCode());
    assertTrue(Files.exists(ended.resolve("config.yaml")));
    HttpResponse<String> answer = order(run + "/delete", "{\"folder\":\"" + ended + "\"}");
    assertEquals("{\"line\":\"deleted " + ended + "\"}", answer.body());
    assertFalse(Files.exists(ended));
    assertTrue(Files.exists(kept), "links are not followed");
    try (var left = Files.list(folder.resolve("output"))) {
      assertEquals(1, left.count(), "only the other run is left");
    }
  }

  @Test
  void aRunningOneIsNotDeleted() throws Exception {
    Path own = folder.resolve("output/lake");
    HttpResponse<String> answer = order(pathOf(own) + "/delete", "{\"folder\":\"" + own + "\"}");
    assertEquals(409, answer.statusCode());
    assertTrue(answer.body().contains(" is running"), answer.body());
    Files.writeString(ended.resolve(".owner"), "1 on another-machine since 2026-01-01T00:00:00Z\n");
    answer = order(pathOf(ended) + "/delete", "{\"folder\":\"" + ended + "\"}");
    assertEquals(409, answer.statusCode());
    assertTrue(Files.exists(ended.resolve("config.yaml")));
  }

  @Test
  void listAndMetricsAreExported() throws Exception {
    Path formula = RunFolderMaker.finished(folder.resolve("output/other"), 2).folder();
    Files.writeString(formula.resolve("config.yaml"), "exp_name: '=cmd(\"x\")'\nseed: 7\n");
    String list = "/api/runs?format=csv&q=seed%3D7&columns=seed,max(rollout/score/mean)";
    String csv = await().until(() -> get(page, list).body(), body -> body.contains("=cmd"));
    String[] lines = csv.split("\r\n", -1);
    assertEquals(3, lines.length, csv);
    assertTrue(lines[0].endsWith("\"note\",\"seed\",\"max(rollout/score/mean)\""), csv);
    assertTrue(
        lines[1].startsWith("\"'=cmd(\"\"x\"\")\",\"" + formula), "it is no formula: " + csv);
    String run = pathOf(ended);
    HttpResponse<String> metrics =
        get(page, run + "/metrics?format=csv&names=rollout/score/mean,none");
    assertEquals("text/csv; charset=utf-8", metrics.headers().firstValue("Content-Type").get());
    assertEquals("\"step\",\"rollout/score/mean\",\"none\"", metrics.body().split("\r\n", -1)[0]);
    assertEquals(
        "0," + RunMetrics.of(0).get("rollout/score/mean") + ",",
        metrics.body().split("\r\n", -1)[1]);
    assertTrue(
        get(page, run + "/metrics?names=rollout/score/mean")
            .body()
            .startsWith("[{\"step\":0,\"metrics\":{\"rollout/score/mean\":"));
    assertEquals(400, get(page, run + "/metrics?names=a&format=xls").statusCode());
  }
}
